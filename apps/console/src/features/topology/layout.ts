/** Where nodes of the picture stand. Pure: the same nodes and links stand in the same places. */
import type { topAllInfo } from "@weft/contract/calls/topology.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

export type Picture = OutputOf<typeof topAllInfo>;
export type TopNode = Picture["nodes"][number];
export type TopLink = Picture["links"][number];

/** The drawing's own units; it is scaled into the window. */
export const canvas = { width: 1_200, height: 640 } as const;
/** More sites of one POP than this are drawn as one, with their counts. */
const foldFrom = 50;

export interface Spot {
  /** Id of the node, or `fold-` and the id of the POP whose sites it stands for. */
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** One node, or all that are folded into the spot. */
  readonly nodes: readonly TopNode[];
}

export type EdgeState = "up" | "some" | "down" | "closed";

/** All links between two spots. */
export interface Edge {
  readonly key: string;
  readonly from: Spot;
  readonly to: Spot;
  readonly links: readonly TopLink[];
  readonly state: EdgeState;
}

export interface Drawing {
  readonly spots: readonly Spot[];
  readonly edges: readonly Edge[];
}

const centre = { x: canvas.width / 2, y: canvas.height / 2 };
const spotAt = (angle: number, rx: number, ry: number) => ({
  x: centre.x + rx * Math.cos(angle),
  y: centre.y + ry * Math.sin(angle),
});
const turn = 2 * Math.PI;
const atTop = -Math.PI / 2;

/** Of each CPE the POP that most of its links go to; null: it has none. */
function homesOf({ nodes, links }: Picture): Map<number, number | null> {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const counts = new Map<number, Map<number, number>>();
  for (const { source, target } of links) {
    for (const [own, other] of [
      [source.nodeId, target.nodeId],
      [target.nodeId, source.nodeId],
    ] as const) {
      if (kinds.get(own) !== "cpe" || kinds.get(other) !== "pop") continue;
      const ofNode = counts.get(own) ?? new Map<number, number>();
      counts.set(own, ofNode.set(other, (ofNode.get(other) ?? 0) + 1));
    }
  }
  return new Map(
    nodes
      .filter(({ kind }) => kind === "cpe")
      .map(({ id }) => {
        const most = [...(counts.get(id) ?? [])].sort(([a, n], [b, m]) => m - n || a - b)[0];
        return [id, most?.[0] ?? null];
      }),
  );
}

interface Group {
  readonly key: string;
  /** Id of the POP that they belong to; null: none. */
  readonly home: number | null;
  readonly nodes: readonly TopNode[];
}

/** CPEs in the order of their POPs; those of a POP that has too many as one. */
function groupsOf(picture: Picture, pops: readonly TopNode[]): Group[] {
  const homes = homesOf(picture);
  const cpes = picture.nodes.filter(({ kind }) => kind === "cpe");
  const ofHome = Map.groupBy(cpes, ({ id }) => homes.get(id) ?? null);
  return [...pops.map(({ id }) => id), null].flatMap((home) => {
    const own = (ofHome.get(home) ?? []).sort((a, b) => a.name.localeCompare(b.name));
    if (own.length > foldFrom) return [{ key: `fold-${home ?? 0}`, home, nodes: own }];
    return own.map((node) => ({ key: String(node.id), home, nodes: [node] }));
  });
}

const isUp = ({ status }: TopLink): boolean => status === 1;

export function stateOf(links: readonly TopLink[]): EdgeState {
  const open = links.filter(({ enable }) => enable);
  if (open.length === 0) return "closed";
  if (open.every(isUp)) return "up";
  return open.some(isUp) ? "some" : "down";
}

/** POPs in the middle, CPEs around them in the order of their POPs, every link between two spots. */
export function draw(picture: Picture): Drawing {
  const pops = picture.nodes
    .filter(({ kind }) => kind === "pop")
    .sort((a, b) => a.name.localeCompare(b.name));
  const groups = groupsOf(picture, pops);
  const angleOf = (at: number): number => atTop + (turn * (at + 0.5)) / groups.length;
  const popSpots = pops.map((pop, at): Spot => {
    // In front of its own sites; without any, in its turn.
    const own = groups.flatMap(({ home }, place) => (home === pop.id ? [place] : []));
    const [first = at, last = at] = [own[0], own.at(-1)];
    const isAlone = own.length === 0;
    const angle = isAlone ? atTop + (turn * at) / pops.length : angleOf((first + last) / 2);
    const place =
      pops.length === 1 ? centre : spotAt(angle, isAlone ? 90 : 210, isAlone ? 50 : 115);
    return { key: String(pop.id), nodes: [pop], ...place };
  });
  const rings = groups.length > 24 ? 2 : 1;
  const cpeSpots = groups.map(({ key, nodes }, at): Spot => {
    const inner = rings === 2 && at % 2 === 1;
    return { key, nodes, ...spotAt(angleOf(at), inner ? 405 : 530, inner ? 215 : 285) };
  });
  const spots = [...popSpots, ...cpeSpots];
  const spotOf = new Map(spots.flatMap((spot) => spot.nodes.map(({ id }) => [id, spot])));
  const pairs = Map.groupBy(picture.links, ({ source, target }) =>
    [spotOf.get(source.nodeId)?.key, spotOf.get(target.nodeId)?.key].sort().join(" "),
  );
  const edges = [...pairs].flatMap(([key, links]): Edge[] => {
    const [first] = links;
    const from = first && spotOf.get(first.source.nodeId);
    const to = first && spotOf.get(first.target.nodeId);
    return from && to && from !== to ? [{ key, from, to, links, state: stateOf(links) }] : [];
  });
  return { spots, edges };
}

/** Only what a search and a state leave: nodes by name, links of trouble with their ends. */
export function narrowed(picture: Picture, name: string, onlyTrouble: boolean): Picture {
  const isTrouble = (link: TopLink): boolean => link.enable && !isUp(link);
  const wanted = name.trim().toLowerCase();
  const hit = new Set(
    picture.nodes.filter((node) => node.name.toLowerCase().includes(wanted)).map(({ id }) => id),
  );
  const links = picture.links
    .filter(({ source, target }) => hit.has(source.nodeId) || hit.has(target.nodeId))
    .filter((link) => !onlyTrouble || isTrouble(link));
  const ends = new Set(links.flatMap(({ source, target }) => [source.nodeId, target.nodeId]));
  const nodes = picture.nodes.filter(
    ({ id, linkStatus }) => ends.has(id) || (hit.has(id) && (!onlyTrouble || linkStatus !== 1)),
  );
  return { nodes, links };
}
