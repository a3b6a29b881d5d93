interface Node {
  readonly id: number;
  /** Area above; 0: none. */
  readonly pId: number;
  readonly name: string;
  readonly sort: number;
}

/**
 * Areas in the order of the tree, each with the names of those above it: "East / Shanghai". What
 * hangs on an area that is not there, or in a circle, comes last on its own.
 */
export function areaTree<Area extends Node>(
  areas: readonly Area[],
): (Area & { readonly path: string })[] {
  const below = Map.groupBy(areas, ({ pId }) => pId);
  const inOrder = (area: Area, other: Area): number =>
    area.sort - other.sort || area.name.localeCompare(other.name);
  const pathsBelow = (parent: number, above: string): (Area & { readonly path: string })[] =>
    (below.get(parent) ?? []).toSorted(inOrder).flatMap((area) => {
      const path = above === "" ? area.name : `${above} / ${area.name}`;
      return [{ ...area, path }, ...pathsBelow(area.id, path)];
    });
  const paths = pathsBelow(0, "");
  const seen = new Set(paths.map(({ id }) => id));
  const rest = areas
    .filter(({ id }) => !seen.has(id))
    .map((area) => ({ ...area, path: area.name }));
  return [...paths, ...rest];
}
