import { describe, expect, it } from "vitest";
import { type PastNode, pastMs, pastTransitions, type Transition } from "./past-transitions.ts";

const now = Date.UTC(2026, 4, 4, 12);
const hour = 3_600_000;
const node = (id: number, deadLine = false): PastNode => ({
  id,
  kind: "cpe",
  name: `门店-${id}`,
  lines: [
    { slot: 1, interfaceName: "wan1", up: true },
    { slot: 2, interfaceName: "wan2", up: !deadLine },
  ],
});
const nodes = Array.from({ length: 40 }, (_, index) => node(index + 1, index === 7));
const pop: PastNode = { ...node(100), kind: "pop", name: "上海-01" };
const links = nodes.flatMap(({ id, lines }) =>
  lines.map(({ slot, up }) => ({
    id: id * 10 + slot,
    ends: [
      { nodeId: id, slot },
      { nodeId: pop.id, slot: 1 },
    ],
    up,
  })),
);
const away = { nodeId: 3, from: now - 5 * hour, to: now - 4 * hour };
const past = pastTransitions([...nodes, pop], links, { now, away });

const historyOf = (which: Partial<Transition>) =>
  past.transitions.filter((turn) =>
    Object.entries(which).every(([key, value]) => turn[key as keyof Transition] === value),
  );

describe("the past of the demonstration", () => {
  it("begins up before the oldest strip, and turns back and forth in order", () => {
    const histories = Map.groupBy(past.transitions, (one) =>
      [one.kind, one.nodeId, one.name, one.linkId].join(),
    );
    expect(histories.size).toBe(41 * 3 + links.length);
    for (const turns of histories.values()) {
      expect(turns[0]).toMatchObject({ up: true, at: now - pastMs });
      for (const [index, turn] of turns.entries()) {
        const before = turns[index - 1];
        if (!before) continue;
        expect(turn.up).toBe(!before.up);
        expect(turn.at).toBeGreaterThan(before.at);
        expect(turn.at).toBeLessThan(now);
      }
    }
  });

  it("ends as things are now", () => {
    for (const { id, up } of links) expect(historyOf({ linkId: id }).at(-1)?.up).toBe(up);
    expect(historyOf({ kind: "line", nodeId: 8, name: "wan2" }).at(-1)?.up).toBe(false);
    for (const { id } of nodes)
      expect(historyOf({ kind: "node", nodeId: id }).at(-1)?.up).toBe(true);
  });

  it("has a few outages, and those of a device and of its links agree", () => {
    const some = past.outages.filter(({ to }) => to !== null);
    expect(some.length).toBeGreaterThan(10);
    expect(some.length).toBeLessThan(60);
    expect(historyOf({ kind: "node", nodeId: away.nodeId }).slice(1)).toMatchObject([
      { up: false, at: away.from },
      { up: true, at: away.to },
    ]);
    const down = historyOf({ linkId: 31, up: false }).map(({ at }) => at);
    expect(down.some((at) => at >= away.from && at < away.from + 60_000)).toBe(true);
    expect(past.outages.some(({ nodeId }) => nodeId === pop.id)).toBe(false);
  });

  it("is the same at every start", () => {
    expect(pastTransitions([...nodes, pop], links, { now, away })).toEqual(past);
  });
});
