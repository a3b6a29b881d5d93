/** A row with the rows that name it as their parent, in the order of the list. */
export type Branch<Row> = Row & { readonly children: Branch<Row>[] };

/** Which fields of a row hold its id and its parent. */
interface Naming<Row> {
  id(row: Row): number | string;
  parent(row: Row): number | string | null;
}

/**
 * The tree of a flat list: menus by menuId and parentId, protocols and logs by id and pId
 * (specification section 3). A row whose parent is not in the list becomes a root, and so does one
 * that would be its own descendant.
 */
export const treeOf = <Row extends object>(
  rows: readonly Row[],
  { id, parent }: Naming<Row>,
): Branch<Row>[] => {
  const branches = rows.map((row): Branch<Row> => ({ ...row, children: [] }));
  const byId = new Map(branches.map((branch) => [id(branch), branch]));
  const above = (branch: Branch<Row>): Branch<Row> | undefined => {
    const named = parent(branch);
    return named === null ? undefined : byId.get(named);
  };
  const isInLoop = (branch: Branch<Row>): boolean => {
    const seen = new Set([branch]);
    for (let at = above(branch); at !== undefined; at = above(at)) {
      if (at === branch) return true;
      if (seen.has(at)) return false;
      seen.add(at);
    }
    return false;
  };
  const roots: Branch<Row>[] = [];
  for (const branch of branches) {
    const over = isInLoop(branch) ? undefined : above(branch);
    (over?.children ?? roots).push(branch);
  }
  return roots;
};
