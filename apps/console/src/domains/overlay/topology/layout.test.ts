import { describe, expect, it } from "vitest";
import {
  draw,
  type Edge,
  narrowed,
  type Picture,
  type Spot,
  stateOf,
  type TopLink,
  type TopNode,
} from "./layout.ts";

const node = (id: number, kind: "cpe" | "pop", linkStatus = 1): TopNode => ({
  id,
  kind,
  name: `${kind}-${id}`,
  groupid: 1,
  linkStatus,
  health: linkStatus === 1 ? "online" : "offline",
  healthSince: null,
  healthDetail: {},
  longitude: null,
  latitude: null,
  links: 0,
  linksUp: 0,
});
const link = (id: number, from: TopNode, to: TopNode, status = 1, enable = true): TopLink => ({
  id,
  name: `link ${id}`,
  netSpaceId: 1,
  netSpaceName: "net",
  status,
  enable,
  source: { nodeId: from.id, kind: from.kind, name: from.name, lineName: "wan1", slot: 1 },
  target: { nodeId: to.id, kind: to.kind, name: to.name, lineName: "wan1", slot: 1 },
  made: false,
  standing: enable,
  preference: null,
  remark: "",
  updateTime: null,
  excess: null,
  delay: null,
  jitter: null,
  loss: null,
  inRate: null,
  outRate: null,
});
const world = (cpes: number): Picture => {
  const pops = [node(1, "pop"), node(2, "pop")];
  const sites = Array.from({ length: cpes }, (_, at) => node(100 + at, "cpe"));
  const links = sites.map((site, at) => link(at, site, pops[at % 2] as TopNode));
  return { nodes: [...pops, ...sites], links };
};

/** On which side of the way from one spot to another a third one is. */
const side = (from: Spot, to: Spot, spot: Spot): number =>
  Math.sign((to.x - from.x) * (spot.y - from.y) - (to.y - from.y) * (spot.x - from.x));
const cross = (one: Edge, other: Edge): boolean =>
  side(one.from, one.to, other.from) * side(one.from, one.to, other.to) < 0 &&
  side(other.from, other.to, one.from) * side(other.from, other.to, one.to) < 0;

describe("the picture", () => {
  it("B-1-15 draws every device and every link once, without coordinates or a map", () => {
    const picture = world(30);
    const { spots, edges } = draw(picture);
    expect(spots.flatMap(({ nodes }) => nodes.map(({ id }) => id)).sort()).toEqual(
      picture.nodes.map(({ id }) => id).sort(),
    );
    expect(edges.flatMap(({ links }) => links.map(({ id }) => id)).sort()).toEqual(
      picture.links.map(({ id }) => id).sort(),
    );
    expect(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size).toBe(spots.length);
  });

  it("places sites of two POPs between these, so that only lines of such sites cross", () => {
    const pops = [node(1, "pop"), node(2, "pop"), node(3, "pop")];
    const sites = Array.from({ length: 18 }, (_, at) => node(100 + at, "cpe"));
    // Each site has two links to its own POP and one to the next or the one before, in turn.
    const links = sites.flatMap((site, at) => {
      const own = pops[at % 3] as TopNode;
      const other = pops[(at + (at % 2 === 0 ? 1 : 2)) % 3] as TopNode;
      return [own, own, other].map((pop, way) => link(at * 3 + way, site, pop));
    });
    const { edges } = draw({ nodes: [...pops, ...sites], links });
    expect(edges).toHaveLength(36);
    // Two sites at the ends of the same two ways cannot help it.
    const popsOf = ({ links: [one] }: Edge) => {
      const own = links.filter(({ source }) => source.nodeId === one?.source.nodeId);
      return [...new Set(own.map(({ target }) => target.nodeId))].sort().join();
    };
    const needless = edges.flatMap((edge, at) =>
      edges.slice(at + 1).filter((other) => cross(edge, other) && popsOf(edge) !== popsOf(other)),
    );
    expect(needless).toEqual([]);
  });

  it("folds the sites of a POP that has more than fifty into one spot, and loses no link", () => {
    const { spots, edges } = draw(world(120));
    expect(spots).toHaveLength(4);
    expect(edges).toHaveLength(2);
    expect(edges.map(({ links }) => links.length)).toEqual([60, 60]);
  });

  it("shows the worst of the links between two nodes; a closed one is no trouble", () => {
    const [a, b] = [node(1, "cpe"), node(2, "pop")];
    expect(stateOf([link(1, a, b), link(2, a, b)])).toBe("up");
    expect(stateOf([link(1, a, b), link(2, a, b, 0)])).toBe("some");
    const excess = { metric: "loss" as const, value: 3.9, limit: 1, since: new Date() };
    const poor = { ...link(2, a, b), excess };
    expect(stateOf([link(1, a, b), poor])).toBe("poor");
    expect(narrowed({ nodes: [a, b], links: [link(1, a, b), poor] }, "", true).links).toEqual([
      poor,
    ]);
    expect(stateOf([link(1, a, b, 0)])).toBe("down");
    expect(stateOf([link(1, a, b), link(2, a, b, 0, false)])).toBe("up");
    expect(stateOf([link(2, a, b, 0, false)])).toBe("closed");
  });

  it("narrows to a name, and to trouble with both of its ends", () => {
    const picture = world(4);
    const one = narrowed(picture, "CPE-101", false);
    expect(one.nodes.map(({ id }) => id)).toEqual([2, 101]);
    expect(narrowed(picture, "", true)).toEqual({ nodes: [], links: [] });
    const [pop, , site] = picture.nodes as [TopNode, TopNode, TopNode];
    const down = link(9, site, pop, 0);
    const bad = narrowed({ ...picture, links: [...picture.links, down] }, "", true);
    expect(bad).toEqual({ nodes: [pop, site], links: [down] });
  });
});
