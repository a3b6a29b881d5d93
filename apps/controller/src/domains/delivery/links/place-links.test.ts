import { describe, expect, test } from "vitest";
import { linksPerSpace } from "#domains/overlay/link/public.ts";
import { computeAdjacencies, type MemberNode, type SpaceView } from "./adjacencies.ts";
import type { ExistingLink } from "./place-links.ts";

const node = (
  id: number,
  kind: "cpe" | "pop",
  slots: readonly number[],
  callable = kind === "pop",
) =>
  ({
    id,
    kind,
    active: true,
    tunnelKey: `key${id}`,
    lines: slots.map((slot) => ({ slot, isp: "", callable })),
  }) satisfies MemberNode;
const view = (members: readonly MemberNode[], more: Partial<SpaceView> = {}): SpaceView => ({
  topology: 0,
  members,
  links: [],
  settings: [],
  otherPorts: new Map(),
  ...more,
});
const allPorts = 65_535 - 51_820 + 1;
/** Ports of other spaces at a node, all but the last few. */
const allBut = (free: number) =>
  new Set(Array.from({ length: allPorts - free }, (_, at) => 51_820 + at));

let lastId = 0;
const after = (from: SpaceView): ExistingLink[] => {
  const { add, remove } = computeAdjacencies(from);
  const kept = from.links.filter((link) => !remove.includes(link));
  return [...kept, ...add.map((link) => ({ ...link, id: ++lastId }))];
};
const endsOf = (links: readonly Pick<ExistingLink, "a" | "b">[]) =>
  links.map(({ a, b }) => `${a.node}.${a.slot}>${b.node}`).sort();

describe("a node whose ports are taken", () => {
  const [full, other] = [node(1, "pop", [1]), node(2, "pop", [1])];
  const sites = [3, 4].map((id) => node(id, "cpe", [1, 2]));

  test("is named for what is not placed, and no site gets another line before all have one", () => {
    const changes = computeAdjacencies(
      view([full, ...sites], { otherPorts: new Map([[1, allBut(3)]]) }),
    );
    expect(endsOf(changes.add)).toEqual(["3.1>1", "3.2>1", "4.1>1"]);
    expect(changes.unplaced).toEqual([{ ends: [4, 1], reason: "noPort", full: 1 }]);
    expect(changes.isPartial).toBe(false);
  });

  test("takes no port of another node for what cannot be placed", () => {
    const { add, unplaced } = computeAdjacencies(
      view([full, other, ...sites], { otherPorts: new Map([[1, allBut(0)]]) }),
    );
    expect(endsOf(add)).toEqual(["3.1>2", "3.2>2", "4.1>2", "4.2>2"]);
    expect(add.map(({ index, bPort }) => [index, bPort])).toEqual(
      [0, 1, 2, 3].map((at) => [at, 51_820 + at]),
    );
    expect(unplaced).toHaveLength(5);
  });

  test("gives a new site its first line for a second one of an old site, in two steps", () => {
    const otherPorts = new Map([[1, allBut(2)]]);
    const [first, second] = sites;
    if (!first || !second) throw new Error("no sites");
    const before = after(view([full, first], { otherPorts }));
    expect(endsOf(before)).toEqual(["3.1>1", "3.2>1"]);
    const changes = computeAdjacencies(view([full, first, second], { links: before, otherPorts }));
    expect(endsOf(changes.remove)).toEqual(["3.2>1"]);
    expect(changes.isPartial).toBe(true);
    const between = after(view([full, first, second], { links: before, otherPorts }));
    const last = computeAdjacencies(view([full, first, second], { links: between, otherPorts }));
    expect(endsOf(last.add)).toEqual(["4.1>1"]);
    expect(last.isPartial).toBe(false);
    expect(last.unplaced.map(({ ends }) => ends)).toEqual([
      [3, 1],
      [4, 1],
    ]);
  });

  test("gives all its links new ones when its key changes, although both do not fit beside each other", () => {
    const otherPorts = new Map([[1, allBut(4)]]);
    const links = after(view([full, ...sites], { otherPorts }));
    const renewed = [{ ...full, tunnelKey: "new" }, ...sites];
    const gone = computeAdjacencies(view(renewed, { links, otherPorts }));
    expect([gone.remove.length, gone.add.length, gone.isPartial]).toEqual([4, 0, true]);
    const { add, unplaced } = computeAdjacencies(view(renewed, { otherPorts }));
    expect([add.length, unplaced.length]).toEqual([4, 0]);
  });
});

test("a full mesh of more pairs than a space has room for keeps every site at its POP, also a late one", () => {
  const sites = Array.from({ length: 260 }, (_, at) => node(at + 2, "cpe", [1], true));
  const members = [node(1, "pop", [1]), ...sites];
  const links = after(view(members, { topology: 1 }));
  expect(links).toHaveLength(linksPerSpace);
  expect(links.filter(({ b }) => b.node === 1)).toHaveLength(sites.length);
  const late = [...members, node(900, "cpe", [1])];
  const changes = computeAdjacencies(view(late, { topology: 1, links }));
  expect(changes.unplaced.every(({ reason, full }) => reason === "noIndex" && full === null)).toBe(
    true,
  );
  expect([changes.remove.length, changes.isPartial]).toEqual([1, true]);
  const next = computeAdjacencies(
    view(late, { topology: 1, links: links.filter((link) => !changes.remove.includes(link)) }),
  );
  expect(endsOf(next.add)).toEqual(["900.1>1"]);
});

describe("a member that can have no link", () => {
  const reasons = (topology: number, ...members: MemberNode[]) =>
    computeAdjacencies(view(members, { topology })).unlinked.map(
      ({ node: id, reason }) => `${id} ${reason}`,
    );

  test("is reported with the reason", () => {
    expect(reasons(0, node(1, "pop", [1], false), node(2, "cpe", [1]))).toEqual([
      "1 noCallable",
      "2 noPeer",
    ]);
    expect(reasons(1, node(2, "cpe", [1]), node(3, "cpe", [1]))).toEqual(["2 noPeer", "3 noPeer"]);
    expect(reasons(0, node(1, "pop", [1]), node(2, "cpe", []))).toEqual(["2 noLine"]);
  });

  test("is not where it is linked, not active, alone, or closed by an operator", () => {
    const [pop, cpe] = [node(1, "pop", [1]), node(2, "cpe", [1])];
    expect(reasons(0, pop, cpe)).toEqual([]);
    expect(reasons(0, node(2, "cpe", [1]))).toEqual([]);
    expect(reasons(0, { ...pop, active: false }, { ...cpe, tunnelKey: null })).toEqual([]);
    const ends = [
      { node: 1, slot: 1 },
      { node: 2, slot: 1 },
    ] as const;
    const settings = [{ ends, made: false, enabled: false }];
    expect(computeAdjacencies(view([pop, cpe], { settings })).unlinked).toEqual([]);
  });
});
