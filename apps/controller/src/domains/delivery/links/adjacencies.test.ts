import { describe, expect, test } from "vitest";
import { chanceOf, randomMembers } from "../../../../test/random-space.ts";
import { computeAdjacencies, type MemberNode, type SpaceView, wantedLinks } from "./adjacencies.ts";
import type { ExistingLink } from "./place-links.ts";

type Line = readonly [slot: number, isp: string, callable?: boolean];

const node = (id: number, kind: "cpe" | "pop", lines: readonly Line[], more = {}): MemberNode => ({
  id,
  kind,
  active: true,
  tunnelKey: `key${id}`,
  lines: lines.map(([slot, isp, callable = kind === "pop"]) => ({ slot, isp, callable })),
  ...more,
});
const ends = (topology: number, ...members: MemberNode[]): string[] =>
  wantedLinks({ topology, members })
    .map(({ a, b }) => `${a.node}.${a.slot}>${b.node}.${b.slot}`)
    .sort();
const view = (members: readonly MemberNode[], links: readonly ExistingLink[] = []): SpaceView => ({
  topology: 1,
  members,
  links,
  settings: [],
  otherPorts: new Map(),
});
/** The links that are there after the changes; ids are given out by the database. */
let lastId = 0;
const settle = (from: SpaceView): ExistingLink[] => {
  const { add, remove } = computeAdjacencies(from);
  const kept = from.links.filter((link) => !remove.includes(link));
  return [...kept, ...add.map((link) => ({ ...link, id: ++lastId }))];
};

describe("hub and spoke", () => {
  const pop = node(1, "pop", [
    [1, "telecom"],
    [2, "unicom"],
  ]);

  test("every line of a CPE meets the line of its carrier", () => {
    const cpe = node(2, "cpe", [
      [1, "unicom"],
      [2, "telecom"],
    ]);
    expect(ends(0, pop, cpe)).toEqual(["2.1>1.2", "2.2>1.1"]);
  });

  test("a line of another carrier, or of none, is matched by its slot", () => {
    const cpe = node(2, "cpe", [
      [1, ""],
      [2, "mobile"],
      [3, "mobile"],
    ]);
    expect(ends(0, pop, cpe)).toEqual(["2.1>1.1", "2.2>1.2", "2.3>1.1"]);
  });

  test("lines without a carrier do not share one", () => {
    const bare = node(1, "pop", [
      [1, ""],
      [2, ""],
    ]);
    expect(ends(0, bare, node(2, "cpe", [[2, ""]]))).toEqual(["2.2>1.2"]);
  });

  test("a POP line that cannot be called carries no link", () => {
    const half = node(1, "pop", [
      [1, "telecom", false],
      [2, "unicom"],
    ]);
    expect(ends(0, half, node(2, "cpe", [[1, "telecom"]]))).toEqual(["2.1>1.2"]);
    expect(ends(0, node(1, "pop", [[1, "", false]]), node(2, "cpe", [[1, ""]]))).toEqual([]);
  });

  test("CPEs do not link, whichever can be called", () => {
    const [one, other] = [node(2, "cpe", [[1, "", true]]), node(3, "cpe", [[1, ""]])];
    expect(ends(0, one, other)).toEqual([]);
  });

  test("POPs meet once a common carrier, and by slot otherwise; the lower id calls", () => {
    const far = node(7, "pop", [
      [1, "unicom"],
      [2, "telecom"],
    ]);
    expect(ends(0, far, pop)).toEqual(["1.1>7.2", "1.2>7.1"]);
    const other = node(7, "pop", [
      [1, "mobile"],
      [2, "mobile"],
    ]);
    expect(ends(0, pop, other)).toEqual(["1.1>7.1", "1.2>7.2"]);
    expect(ends(0, pop, node(7, "pop", [[3, "mobile"]]))).toEqual(["1.1>7.3"]);
  });

  test("of two POPs the one that cannot be called calls", () => {
    expect(ends(0, pop, node(7, "pop", [[1, "", false]]))).toEqual(["7.1>1.1"]);
  });

  test("who is switched off, out of time or without a tunnel key has no links", () => {
    const cpe = [[1, ""]] as const;
    expect(ends(0, pop, node(2, "cpe", cpe, { active: false }))).toEqual([]);
    expect(ends(0, pop, node(2, "cpe", cpe, { tunnelKey: null }))).toEqual([]);
    expect(ends(0, { ...pop, tunnelKey: null }, node(2, "cpe", cpe))).toEqual([]);
  });
});

describe("full mesh", () => {
  test("CPEs meet directly where one can be called, and that one is called", () => {
    const open = node(2, "cpe", [
      [1, "telecom", true],
      [2, "unicom"],
    ]);
    const closed = node(3, "cpe", [
      [1, "unicom"],
      [2, "telecom"],
    ]);
    expect(ends(1, open, closed)).toEqual(["3.1>2.1", "3.2>2.1"]);
    expect(ends(1, closed, node(4, "cpe", [[1, ""]]))).toEqual([]);
  });

  test("of two that can be called the lower id calls", () => {
    const both = [node(3, "cpe", [[1, "", true]]), node(2, "cpe", [[1, "", true]])];
    expect(ends(1, ...both)).toEqual(["2.1>3.1"]);
  });
});

describe("changes of links", () => {
  const members = [node(1, "pop", [[1, ""]]), node(2, "cpe", [[1, ""]]), node(3, "cpe", [[1, ""]])];

  test("gives the smallest free indexes and ports", () => {
    const otherPorts = new Map([[1, new Set([51_820, 51_822])]]);
    expect(computeAdjacencies({ ...view(members), otherPorts }).add).toEqual([
      expect.objectContaining({ index: 0, aPort: 51_820, bPort: 51_821 }),
      expect.objectContaining({ index: 1, aPort: 51_820, bPort: 51_823 }),
    ]);
  });

  test("of a settled space changes nothing", () => {
    expect(computeAdjacencies(view(members, settle(view(members))))).toEqual({
      add: [],
      remove: [],
      change: [],
      unplaced: [],
      unlinked: [],
      isPartial: false,
    });
  });

  test("with a new key makes a new link, on another port and index than the old one's", () => {
    const before = settle(view(members));
    const renewed = members.map((member) =>
      member.id === 2 ? { ...member, tunnelKey: "new" } : member,
    );
    const { add, remove } = computeAdjacencies(view(renewed, before));
    expect(remove.map(({ a }) => a.node)).toEqual([2]);
    expect(add).toEqual([expect.objectContaining({ index: 2, aPort: 51_821, bPort: 51_822 })]);
  });
});

describe("for any space", () => {
  const runs = Array.from({ length: 400 }, (_, seed) => seed + 1);
  const text = (links: ReturnType<typeof wantedLinks>) => links.map((link) => JSON.stringify(link));

  test("the order of rows does not matter", () => {
    for (const seed of runs) {
      const chance = chanceOf(seed);
      const all = randomMembers(chance);
      const reordered = chance
        .shuffled(all)
        .map((one) => ({ ...one, lines: chance.shuffled(one.lines) }));
      const topology = chance.below(2);
      expect(text(wantedLinks({ topology, members: reordered })), `seed ${seed}`).toEqual(
        text(wantedLinks({ topology, members: all })),
      );
    }
  });

  test("links are few: no node with itself, no pair of lines twice, every called line can be called", () => {
    for (const seed of runs) {
      const all = randomMembers(chanceOf(seed));
      const links = wantedLinks({ topology: 1, members: all });
      const pairs = links.map(({ a, b }) => [`${a.node}.${a.slot}`, `${b.node}.${b.slot}`].sort());
      expect(new Set(pairs.map(String)).size, `seed ${seed}`).toBe(links.length);
      for (const { a, b } of links) {
        const called = all
          .find(({ id }) => id === b.node)
          ?.lines.find(({ slot }) => slot === b.slot);
        expect(called?.callable, `seed ${seed}`).toBe(true);
        expect(a.node, `seed ${seed}`).not.toBe(b.node);
      }
    }
  });

  test("changes keep what stays, and give no index or port out twice", () => {
    for (const seed of runs) {
      const chance = chanceOf(seed);
      let links: ExistingLink[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const before = new Map(links.map((link) => [link.id, link]));
        links = settle(view(randomMembers(chance), links));
        for (const link of links) expect(before.get(link.id) ?? link, `seed ${seed}`).toEqual(link);
        const ports = links.flatMap(({ a, b, aPort, bPort }) => [
          `${a.node} ${aPort}`,
          `${b.node} ${bPort}`,
        ]);
        expect(new Set(ports).size, `seed ${seed}`).toBe(ports.length);
        expect(new Set(links.map(({ index }) => index)).size, `seed ${seed}`).toBe(links.length);
      }
    }
  });
});

describe("settings of an operator", () => {
  const pop = node(1, "pop", [[1, "telecom"]]);
  const cpes = [2, 3].map((id) => node(id, "cpe", [[1, "telecom", id === 3]]));
  const members = [pop, ...cpes];
  const pair = (one: number, other: number) =>
    [
      { node: one, slot: 1 },
      { node: other, slot: 1 },
    ] as const;
  const linked = (settings: SpaceView["settings"], among = members) =>
    computeAdjacencies({ ...view(among), topology: 0, settings })
      .add.map(({ a, b }) => `${a.node}>${b.node}`)
      .sort();

  test("a closed pair is no link, whichever end is named first", () => {
    const closed = { made: false, enabled: false };
    expect(linked([])).toEqual(["2>1", "3>1"]);
    expect(linked([{ ends: pair(1, 2), ...closed }])).toEqual(["3>1"]);
    expect(linked([{ ends: pair(2, 1), ...closed }])).toEqual(["3>1"]);
  });

  test("a made pair is one, called at the end that can be called; closed it is none", () => {
    const made = { ends: pair(2, 3), made: true, enabled: true };
    expect(linked([made])).toEqual(["2>1", "2>3", "3>1"]);
    expect(linked([{ ...made, ends: pair(3, 2) }])).toEqual(["2>1", "2>3", "3>1"]);
    expect(linked([{ ...made, enabled: false }])).toEqual(["2>1", "3>1"]);
    expect(linked([{ ...made, ends: pair(2, 1) }])).toEqual(["2>1", "3>1"]);
  });

  test("a pair of which neither line can be called, or whose node is not active, waits", () => {
    const made = { ends: pair(2, 3), made: true, enabled: true };
    const hidden = members.map((member) =>
      member.kind === "pop" ? member : node(member.id, "cpe", [[1, "telecom", false]]),
    );
    expect(linked([made], hidden)).toEqual(["2>1", "3>1"]);
    const away = members.map((member) => (member.id === 3 ? { ...member, active: false } : member));
    expect(linked([made], away)).toEqual(["2>1"]);
  });
});
