import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { describe, expect, test } from "vitest";
import { type PlacedSegment, placeSegments, reachOf } from "./placement.ts";

const networks = ["10.1.1.0/24", "10.1.2.0/24", "fd57:1:2::/64"];
const route = (id: number, change: Partial<PlacedSegment> = {}): PlacedSegment => ({
  spaceId: 4,
  id,
  name: `r${id}`,
  cpeId: null,
  destination: "10.1.2.0/24",
  metric: 10,
  pops: [1, 2, 3],
  members: [1, 2, 3],
  sources: [],
  networks,
  ...change,
});
const lacks = (...routes: PlacedSegment[]): string[] =>
  [...placeSegments(routes).lacks].map(([id, { reason, params }]) =>
    [id, reason, ...Object.values(params)].join(" "),
  );
const inOrder = (...routes: PlacedSegment[]): number[] =>
  placeSegments(routes).routes.map(({ id }) => id);

describe("a segment route", () => {
  test.each<[string, Partial<PlacedSegment>]>([
    ["popOutside 2", { members: [1, 3] }],
    ["tooWide", { destination: "0.0.0.0/0" }],
    ["tooWide", { destination: "fc00::/6" }],
    ["ofLinks", { destination: "169.254.3.0/24" }],
    ["noNetwork", { networks: ["0.0.0.0/0"] }],
    ["noNetwork", { networks: [] }],
    ["ownNetwork", { cpeId: 9, sources: ["10.1.0.0/16"] }],
    [
      `tooManySources ${stateLimits.segmentSources}`,
      { cpeId: 9, sources: Array.from({ length: 17 }, (_, at) => `10.7.${at}.0/24`) },
    ],
  ])("that cannot act says %s", (lack, change) => {
    expect(lacks(route(7, change))).toEqual([`7 ${lack}`]);
  });

  test("of a CPE with other networks of the other family can act", () => {
    const sources = Array.from({ length: 17 }, (_, at) => `fd57:7:${at}::/64`);
    expect(lacks(route(7, { cpeId: 9, sources }))).toEqual([]);
  });

  test("is tried before those that are less special", () => {
    expect(
      inOrder(
        route(1, { destination: "10.0.0.0/8" }),
        route(2, { metric: 20 }),
        route(3),
        route(4, { cpeId: 9, destination: "10.0.0.0/8" }),
      ),
    ).toEqual([4, 3, 2, 1]);
  });

  test("gives way where the last POP of one leads on packets of the other", () => {
    const long = route(2, { metric: 20, pops: [3, 1, 2] });
    expect(lacks(route(1, { pops: [1, 2, 3] }), long)).toEqual(["2 crossing r1"]);
    // The other way round: packets of the less special one, behind its last POP.
    expect(lacks(route(1, { pops: [2, 3, 1] }), route(2, { metric: 20, pops: [1, 2] }))).toEqual([
      "2 crossing r1",
    ]);
    // A POP leads on what comes from sites, and not what comes from another POP, where a route begins.
    expect(lacks(route(1, { pops: [1, 2] }), route(2, { metric: 20, pops: [2, 1] }))).toEqual([]);
    // No packet is one of both.
    expect(lacks(route(1), { ...long, destination: "10.1.1.0/24" })).toEqual([]);
    expect(lacks(route(1, { cpeId: 8 }), { ...long, cpeId: 9 })).toEqual([]);
  });

  test("beyond what a node carries, or with the marks of another one, does not act", () => {
    const many = Array.from({ length: 66 }, (_, at) => route(at + 1, { metric: at }));
    expect(lacks(...many)).toEqual(["65 tooMany 64", "66 tooMany 64"]);
    expect(lacks(route(1), route(8_193))).toEqual(["8193 tooMany 64"]);
  });
});

/** The ways of a packet over any POPs: what `placeSegments` lets act must never lead it in a circle. */
const stepsOf = (routes: readonly PlacedSegment[], first: number, direct: number): number => {
  let [from, at, steps] = [0, first, 0];
  for (; steps < 40; steps += 1) {
    const here = routes.find(({ pops }) => {
      const hop = pops.indexOf(at);
      if (hop === -1 || hop === pops.length - 1) return false;
      return hop === 0 ? from === 0 : pops[hop - 1] === from;
    });
    const next = here ? here.pops[here.pops.indexOf(at) + 1] : at === direct ? null : direct;
    if (next == null) return steps;
    [from, at] = [at, next];
  }
  return Number.POSITIVE_INFINITY;
};

test("no packet loops, whatever routes there are for one network", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const popsOf = (): number[] => {
    const all = [1, 2, 3, 4, 5];
    return Array.from({ length: 1 + random(5) }, () => all.splice(random(all.length), 1)[0] ?? 0);
  };
  let refused = 0;
  let circles = 0;
  for (let round = 0; round < 500; round += 1) {
    const all = Array.from({ length: 3 }, (_, at) =>
      route(at + 1, { metric: at, pops: popsOf(), members: [1, 2, 3, 4, 5] }),
    );
    const placed = placeSegments(all);
    refused += placed.lacks.size;
    for (const first of [1, 2, 3, 4, 5])
      for (const direct of [1, 2, 3, 4, 5]) {
        expect(stepsOf(placed.routes, first, direct)).toBeLessThan(40);
        if (stepsOf(all, first, direct) >= 40) circles += 1;
      }
  }
  // Without the rule some would.
  expect(circles).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

test("the last POP probes an address of the destination, or of each network in it", () => {
  expect(reachOf(route(1))).toEqual(["10.1.2.128"]);
  const wide = { destination: "10.1.0.0/16", networks: ["10.1.2.0/24", "10.1.1.0/24"] };
  expect(reachOf(route(1, wide))).toEqual(["10.1.1.128", "10.1.2.128"]);
  expect(reachOf(route(1, { destination: "10.1.2.7/32", networks: ["10.1.2.0/24"] }))).toEqual([
    "10.1.2.7",
  ]);
});
