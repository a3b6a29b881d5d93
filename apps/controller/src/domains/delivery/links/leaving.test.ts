import { describe, expect, test } from "vitest";
import { chanceOf } from "../../../../test/random-space.ts";
import { computeAdjacencies, type MemberNode, type SpaceView } from "./adjacencies.ts";
import { type CarriedLink, mayGo } from "./leaving.ts";
import type { ExistingLink } from "./place-links.ts";

const link = (id: number, more: Partial<CarriedLink> = {}): CarriedLink => ({
  id,
  site: 1,
  slot: 1,
  isLeaving: false,
  isUp: true,
  isSteady: true,
  isApplied: true,
  ...more,
});
const old = (more: Partial<CarriedLink> = {}) => link(1, { isLeaving: true, ...more });
const gone = (...links: CarriedLink[]) => [...mayGo(links)].sort();

describe("a link that is to leave", () => {
  test("is removed when a link of the same line is up, and not before", () => {
    expect(gone(old(), link(2))).toEqual([1]);
    expect(gone(old(), link(2, { isSteady: false }))).toEqual([]);
    expect(gone(old(), link(2, { isApplied: false }))).toEqual([]);
    expect(gone(old({ isApplied: false }), link(2))).toEqual([]);
    expect(gone(old())).toEqual([]);
  });

  test("does not go for one of another line while its own line has one that does not carry", () => {
    const slow = link(2, { isSteady: false });
    expect(gone(old(), slow, link(3, { slot: 2 }))).toEqual([]);
    expect(gone(old(), link(3, { slot: 2 }))).toEqual([1]);
  });

  test("is removed for any link that is up when it is down itself, whatever its device confirmed", () => {
    const down = { isUp: false, isSteady: false, isApplied: false };
    expect(gone(old(down), link(2, { isSteady: false }), link(3, { slot: 2 }))).toEqual([1]);
    expect(gone(old(down))).toEqual([]);
  });

  test("does not go for what another site has, or what leaves as well", () => {
    expect(gone(old(), link(2, { site: 2 }))).toEqual([]);
    expect(gone(old(), link(2, { isLeaving: true }))).toEqual([]);
  });

  test("leaves at least one link that is up to every site that has one", () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const chance = chanceOf(seed);
      const links = Array.from({ length: 1 + chance.below(8) }, (_, at) => {
        const isUp = chance.may();
        return link(at, {
          site: chance.below(3),
          slot: 1 + chance.below(2),
          isLeaving: chance.may(),
          isUp,
          isSteady: isUp && chance.may(),
          isApplied: chance.may(),
        });
      });
      const may = mayGo(links);
      for (const { site } of links) {
        const ofSite = links.filter((one) => one.site === site);
        const carrying = ofSite.filter((one) => one.isUp);
        const left = carrying.filter((one) => !may.has(one.id));
        expect(left.length > 0 || carrying.length === 0, `seed ${seed}`).toBe(true);
        expect(ofSite.filter((one) => may.has(one.id) && !one.isLeaving)).toEqual([]);
      }
    }
  });
});

describe("links of a space whose strategy changes", () => {
  const node = (id: number, kind: "cpe" | "pop", more: Partial<MemberNode> = {}): MemberNode => ({
    id,
    kind,
    active: true,
    tunnelKey: `key${id}`,
    enterprise: 1,
    lines: [{ slot: 1, isp: "", callable: kind === "pop" }],
    ...more,
  });
  const view = (more: Partial<SpaceView>): SpaceView => ({
    topology: 0,
    links: [],
    settings: [],
    otherPorts: new Map(),
    members: [node(1, "pop"), node(2, "pop"), node(9, "cpe")],
    ...more,
  });
  const chose = (...pops: number[]) =>
    new Map([[1, { strategy: "east", tiers: pops.map((id) => [id]) }]]);
  const settled = (from: SpaceView): ExistingLink[] => {
    const { add, remove, change } = computeAdjacencies(from);
    const stays = from.links
      .filter((one) => !remove.includes(one))
      .map((one) => {
        const other = change.find((each) => each.link === one);
        return other ? { ...one, place: other.place, isLeaving: other.isLeaving } : one;
      });
    return [...stays, ...add.map((one) => ({ ...one, id: 100 + one.index }))];
  };
  const text = (links: readonly ExistingLink[]) =>
    links
      .filter(({ a }) => a.node === 9)
      .map(({ b, place, isLeaving }) => `${b.node} ${place}${isLeaving ? " leaving" : ""}`)
      .sort();

  test("stay, marked, until they may go", () => {
    const before = settled(view({ choices: chose(1) }));
    expect(text(before)).toEqual(["1 null"]);
    const between = settled(view({ links: before, choices: chose(2) }));
    expect(text(between)).toEqual(["1 null leaving", "2 null"]);
    const same = computeAdjacencies(view({ links: between, choices: chose(2) }));
    expect([same.add, same.remove, same.change]).toEqual([[], [], []]);
    const mayGoNow = new Set(between.filter((one) => one.isLeaving).map(({ id }) => id));
    const after = settled(view({ links: between, choices: chose(2), mayGo: mayGoNow }));
    expect(text(after)).toEqual(["2 null"]);
  });

  test("are restored with the strategy, unchanged", () => {
    const before = settled(view({ choices: chose(1) }));
    const between = settled(view({ links: before, choices: chose(2) }));
    const back = settled(view({ links: between, choices: chose(1) }));
    expect(text(back)).toEqual(["1 null", "2 null leaving"]);
  });

  test("get places from its order, and other places with another order", () => {
    const before = settled(view({ choices: chose(2, 1) }));
    expect(text(before)).toEqual(["1 1", "2 0"]);
    expect(text(settled(view({ links: before, choices: chose(1, 2) })))).toEqual(["1 0", "2 1"]);
  });

  test("go at once when an operator disables them, or the site is switched off", () => {
    const before = settled(view({ choices: chose(1) }));
    const pair = [
      { node: 1, slot: 1 },
      { node: 9, slot: 1 },
    ] as const;
    const settings = [{ ends: pair, made: false, enabled: false }];
    expect(text(settled(view({ links: before, choices: chose(2), settings })))).toEqual(["2 null"]);
    const members = [node(1, "pop"), node(2, "pop"), node(9, "cpe", { active: false })];
    expect(text(settled(view({ links: before, choices: chose(2), members })))).toEqual([]);
  });

  test("stay with a POP outside of it where an operator made one", () => {
    const pair = [
      { node: 1, slot: 1 },
      { node: 9, slot: 1 },
    ] as const;
    const settings = [{ ends: pair, made: true, enabled: true }];
    const before = settled(view({ choices: chose(2), settings }));
    expect(text(before)).toEqual(["1 null", "2 null"]);
    expect(text(settled(view({ links: before, choices: chose(2), settings })))).toEqual([
      "1 null",
      "2 null",
    ]);
  });

  test("are named where the strategy leaves none, and stay where they are", () => {
    const before = settled(view({}));
    const changes = computeAdjacencies(view({ links: before, choices: chose(7) }));
    expect(changes.unlinked).toEqual([{ node: 9, reason: "noPop", strategy: "east" }]);
    expect(text(settled(view({ links: before, choices: chose(7) })))).toEqual([
      "1 null leaving",
      "2 null leaving",
    ]);
  });

  test("are not made with a POP past its time, which is named", () => {
    const members = [node(1, "pop", { isExpired: true }), node(2, "pop"), node(9, "cpe")];
    const changes = computeAdjacencies(view({ members }));
    expect(changes.unlinked).toEqual([{ node: 9, reason: "popExpired", pop: 1 }]);
    const before = settled(view({}));
    expect(text(settled(view({ members, links: before })))).toEqual(["1 null", "2 null"]);
  });

  test("are not checked for callers who may use all of them", () => {
    const others = new Map([[2, { strategy: "east", tiers: [[2]] }]]);
    expect(text(settled(view({ choices: others })))).toEqual(["1 null", "2 null"]);
  });
});
