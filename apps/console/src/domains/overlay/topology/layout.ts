/** Positions of the nodes of the picture. Pure: the same nodes and links get the same positions. */
import {
  type HealthTone,
  healthStates,
  healthTones,
  type ToneCounts,
} from "@weft/contract/domains/devices/health.ts";
import type { topAllInfo } from "@weft/contract/domains/overlay/topology.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

export type Picture = OutputOf<typeof topAllInfo>;
export type TopNode = Picture["nodes"][number];
export type TopLink = Picture["links"][number];

/** The drawing's own units; it is scaled into the window. */
export const canvas = { width: 1_200, height: 640 } as const;
/** More sites of one POP than this are rendered as one, with their counts. */
const foldFrom = 50;

export interface Spot {
  /** Id of the node, or `fold-` and the id of the POP whose sites it stands for. */
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** One node, or all that are folded into the spot. */
  readonly nodes: readonly TopNode[];
}

/** As lists have it: what was never looked at is unknown. */
const toneOf = ({ health }: TopNode): HealthTone =>
  health === null ? "unknown" : healthStates[health];

export function tonesOf(nodes: readonly TopNode[]): ToneCounts {
  const counts = Object.fromEntries(healthTones.map((tone) => [tone, 0])) as ToneCounts;
  for (const node of nodes) counts[toneOf(node)] += 1;
  return counts;
}

/** Of a spot that stands for many: failed when all are, and a warning when some are. */
export function toneOfSpot({ nodes }: Pick<Spot, "nodes">): HealthTone {
  const tones = new Set(nodes.map(toneOf));
  const [only] = tones;
  if (only !== undefined && tones.size === 1) return only;
  return tones.has("bad") || tones.has("warn") ? "warn" : "ok";
}

/** `poor`: all of them are up, and one is beyond a limit. */
export type EdgeState = "up" | "poor" | "some" | "down" | "closed";

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

/** How many links a CPE has to each POP, by their ids. */
type Counts = ReadonlyMap<number, ReadonlyMap<number, number>>;

function linksToPops({ nodes, links }: Picture): Counts {
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
  return counts;
}

/** The POP that most links of a CPE go to; null: it has none. */
const homeOf = (counts: Counts, { id }: TopNode): number | null =>
  [...(counts.get(id) ?? [])].sort(([a, n], [b, m]) => m - n || a - b)[0]?.[0] ?? null;

/**
 * Which way along the ring the other POPs of a CPE lie, on the average of its links: negative is
 * towards the POP before its own, positive towards the one after it. Sites that are in this
 * order beside their POP send no link across those of their neighbours.
 */
function leanOf(links: ReadonlyMap<number, number>, home: number, pops: readonly number[]): number {
  const places = pops.length;
  const homePlace = pops.indexOf(home);
  let sum = 0;
  let count = 0;
  for (const [pop, n] of links) {
    const ahead = (pops.indexOf(pop) - homePlace + places) % places;
    // One that is just as far either way draws to neither.
    const way = 2 * ahead === places ? 0 : 2 * ahead < places ? ahead : ahead - places;
    sum += way * n;
    count += n;
  }
  return count === 0 ? 0 : sum / count;
}

interface Group {
  readonly key: string;
  /** Id of the POP that they belong to; null: none. */
  readonly home: number | null;
  readonly nodes: readonly TopNode[];
}

/** CPEs in the order of their POPs; those of a POP that has too many as one. */
function groupsOf(picture: Picture, pops: readonly number[]): Group[] {
  const counts = linksToPops(picture);
  const cpes = picture.nodes.filter(({ kind }) => kind === "cpe");
  const ofHome = Map.groupBy(cpes, (cpe) => homeOf(counts, cpe));
  return [...pops, null].flatMap((home) => {
    const ranked = (ofHome.get(home) ?? []).map((node) => {
      const links = counts.get(node.id);
      return { node, lean: home === null || !links ? 0 : leanOf(links, home, pops) };
    });
    const members = ranked
      .sort((a, b) => a.lean - b.lean || a.node.name.localeCompare(b.node.name))
      .map(({ node }) => node);
    if (members.length > foldFrom) return [{ key: `fold-${home ?? 0}`, home, nodes: members }];
    return members.map((node) => ({ key: String(node.id), home, nodes: [node] }));
  });
}

const isUp = ({ status }: TopLink): boolean => status === 1;

export function stateOf(links: readonly TopLink[]): EdgeState {
  const open = links.filter(({ enable }) => enable);
  if (open.length === 0) return "closed";
  if (open.every(isUp)) return open.some(({ excess }) => excess !== null) ? "poor" : "up";
  return open.some(isUp) ? "some" : "down";
}

/** POPs in the middle, CPEs around them in the order of their POPs, every link between two spots. */
export function draw(picture: Picture): Drawing {
  const pops = picture.nodes
    .filter(({ kind }) => kind === "pop")
    .sort((a, b) => a.name.localeCompare(b.name));
  const groups = groupsOf(
    picture,
    pops.map(({ id }) => id),
  );
  const angleOf = (at: number): number => atTop + (turn * (at + 0.5)) / groups.length;
  const popSpots = pops.map((pop, at): Spot => {
    // In front of its own sites; without any, in its turn.
    const places = groups.flatMap(({ home }, place) => (home === pop.id ? [place] : []));
    const [first = at, last = at] = [places[0], places.at(-1)];
    const isAlone = places.length === 0;
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

const hasTrouble = (node: TopNode): boolean => ["bad", "warn"].includes(toneOf(node));

/** Only what a search and a state leave: nodes by name, links of trouble with their ends. */
export function narrowed(picture: Picture, name: string, onlyTrouble: boolean): Picture {
  const isTrouble = (link: TopLink): boolean =>
    link.enable && (!isUp(link) || link.excess !== null);
  const wanted = name.trim().toLowerCase();
  const hit = new Set(
    picture.nodes.filter((node) => node.name.toLowerCase().includes(wanted)).map(({ id }) => id),
  );
  const links = picture.links
    .filter(({ source, target }) => hit.has(source.nodeId) || hit.has(target.nodeId))
    .filter((link) => !onlyTrouble || isTrouble(link));
  const ends = new Set(links.flatMap(({ source, target }) => [source.nodeId, target.nodeId]));
  const nodes = picture.nodes.filter(
    (node) => ends.has(node.id) || (hit.has(node.id) && (!onlyTrouble || hasTrouble(node))),
  );
  return { nodes, links };
}
