/** Both ends of two lines in virtual time, with the packets that would be sent (test/simulated-lines.ts). */
import { defaultPaths } from "@weft/contract/device/v1/paths.ts";
import { describe, expect, it } from "vitest";
import {
  SimulatedLines,
  type SimulatedOptions,
  type Weather,
} from "../../../test/simulated-lines.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Two good lines that have been measured for a while. */
const settled = (options: SimulatedOptions = {}): SimulatedLines => {
  const lines = new SimulatedLines(options);
  lines.run(minute);
  expect(lines.moves).toEqual([]);
  return lines;
};

const seeds = [...Array(20).keys()].map((at) => at + 1);

/** Ms until the near end leaves link 1, over many seeds, in order. */
const leftAfter = (weather: Weather, isBusy: boolean): (number | null)[] =>
  seeds
    .map((seed) => {
      const lines = settled({ seed });
      if (isBusy) lines.busy = new Set([1]);
      lines.run(2_000);
      lines.set(1, weather, "near");
      return lines.until(() => lines.movesOf("near").length > 0, minute);
    })
    .sort((a, b) => (a ?? minute) - (b ?? minute));

describe("a line that becomes bad", () => {
  it.each([
    [5, 0.05],
    [20, 0.2],
    [40, 0.4],
  ])("loses %i %% and is left within 3 s by an end that sends", (_percent, loss) => {
    const after = leftAfter({ loss }, true);
    // The first packet that is missing comes when it comes: one line of twenty may take a little longer.
    expect(after.at(-2)).toBeLessThan(3_000);
    expect(after.at(-1)).toBeLessThan(5_000);
  });

  it("is left soon by an end with little to send, too", () => {
    const after = leftAfter({ loss: 0.05 }, false);
    expect(after.at(-1)).toBeLessThan(12_000);
  });

  it.each<[string, Weather, string[]]>([
    ["delay", { delay: 300 }, ["delay"]],
    // What comes later than the packets after it by too much is lost to those that wait for it.
    ["jitter", { wobble: 400 }, ["jitter", "loss"]],
  ])("of %s is left within 3 s, for that reason", (_what, weather, reasons) => {
    const lines = settled();
    lines.set(1, weather, "near");
    expect(lines.until(() => lines.movesOf("near").length > 0, minute)).toBeLessThan(3_000);
    const [move] = lines.movesOf("near");
    expect(move).toMatchObject({ from: 1, to: 2 });
    expect(reasons).toContain(move?.reason);
  });

  it("in one direction is left in that direction alone", () => {
    const lines = settled();
    lines.set(1, { loss: 0.1 }, "near");
    lines.run(5 * minute);
    expect(lines.movesOf("near")).toMatchObject([{ from: 1, to: 2, reason: "loss" }]);
    expect(lines.movesOf("far")).toEqual([]);
    const [quality] = lines.near.reports().map((one) => one.quality);
    expect(quality?.lossPercent).toBeGreaterThan(2);
    expect(lines.far.reports().map(({ state }) => state)).toEqual(["ok", "ok"]);
  });

  it("that carries nothing of one direction is left by that end, while the other end stays", () => {
    const lines = settled();
    lines.set(1, { dead: true }, "near");
    expect(lines.until(() => lines.movesOf("near").length > 0, minute)).toBeLessThan(3_000);
    expect(lines.movesOf("near")).toMatchObject([{ from: 1, to: 2, reason: "oneWay" }]);
    expect(lines.near.reports()[0]?.state).toBe("oneWay");
    lines.run(minute);
    expect(lines.movesOf("far")).toEqual([]);
  });

  it("is never left when it is the only one", () => {
    const lines = new SimulatedLines({ links: { 1: 200 } });
    lines.set(1, { loss: 0.3 });
    lines.run(5 * minute);
    expect(lines.moves).toEqual([]);
    expect([...lines.near.ranks]).toEqual([]);
    expect(lines.near.reports()).toMatchObject([{ state: "brownout", used: true, left: false }]);
  });

  it.each([0.08, 0.2])("does not follow chance between lines that are both bad: %f", (other) => {
    const lines = settled();
    lines.set(1, { loss: 0.08 });
    lines.set(2, { loss: other });
    lines.run(20 * minute);
    // One may look good, or far better, for a second; a worse one is left again.
    for (const end of ["near", "far"] as const) {
      expect(lines.movesOf(end).length).toBeLessThanOrEqual(2);
      if (other > 0.1) expect(lines[end].reports()[0]).toMatchObject({ link: 1, used: true });
    }
  });

  it("is left for one that is bad, but far better", () => {
    const lines = settled();
    lines.set(1, { loss: 0.3 });
    lines.set(2, { loss: 0.04 });
    lines.run(30 * minute);
    expect(lines.movesOf("near")).toMatchObject([{ from: 1, to: 2 }]);
  });
});

describe("the return", () => {
  it("waits for the hold time of the state and for a good line", () => {
    const lines = settled({ section: { ...defaultPaths, returnAfter: 120 } });
    lines.set(1, { loss: 0.1 }, "near");
    lines.run(10_000);
    lines.set(1, {}, "near");
    lines.run(100_000);
    expect(lines.movesOf("near")).toHaveLength(1);
    lines.run(60_000);
    expect(lines.movesOf("near")).toMatchObject([
      { from: 1, to: 2, reason: "loss" },
      { from: 2, to: 1, reason: "returned" },
    ]);
  });

  it("is not taken while the line is still bad", () => {
    const lines = settled({ section: { ...defaultPaths, returnAfter: 60 } });
    lines.set(1, { loss: 0.1 }, "near");
    lines.run(hour);
    expect(lines.movesOf("near")).toHaveLength(1);
  });

  it("is taken soon when the other line has become bad and the first is good", () => {
    const lines = settled();
    lines.set(1, { loss: 0.1 }, "near");
    lines.run(10_000);
    lines.set(1, {}, "near");
    lines.run(2 * minute);
    lines.busy = new Set([2]);
    lines.set(2, { loss: 0.1 }, "near");
    expect(lines.until(() => lines.movesOf("near").length > 1, minute)).toBeLessThan(5_000);
    expect(lines.movesOf("near")[1]).toMatchObject({ from: 2, to: 1, reason: "loss" });
  });

  it("takes longer each time that the line was left", () => {
    const lines = settled({ section: { ...defaultPaths, returnAfter: 60 } });
    for (let round = 0; round < 12; round += 1) {
      lines.set(1, { loss: 0.1 }, "near");
      lines.run(15_000);
      lines.set(1, {}, "near");
      lines.run(3 * minute);
    }
    // Thirty-nine minutes: without it the line would be left twelve times.
    const left = lines.movesOf("near").filter(({ from }) => from === 1);
    expect(left.length).toBeLessThanOrEqual(6);
  });
});

describe("hours of lines that are as lines are", () => {
  const weathers: [string, Weather, SimulatedOptions][] = [
    ["without loss", {}, {}],
    ["that lose 0.5 %", { loss: 0.005 }, {}],
    ["with packets out of order and doubled", { reorder: 0.05, double: 0.05 }, {}],
    ["with short gaps", { spells: { start: 0.000_5, end: 0.5 } }, {}],
    ["with delays of a radio cell", { wobble: 40 }, {}],
    ["with clocks that are apart and drift", {}, { skewUs: 3e9, driftPpm: 200 }],
  ];

  it.each(weathers)(
    "%s: nothing moves in an hour",
    (_what, weather, options) => {
      const lines = new SimulatedLines(options);
      for (const link of [1, 2]) lines.set(link, weather);
      lines.run(hour);
      expect(lines.moves).toEqual([]);
      expect(lines.near.reports().map(({ state }) => state)).toEqual(["ok", "ok"]);
    },
    60_000,
  );

  it.each([0.015, 0.02, 0.025])(
    "that lose %f: left at most once in ten minutes",
    (loss) => {
      const lines = new SimulatedLines();
      lines.set(1, { loss });
      lines.run(90 * minute);
      for (const end of ["near", "far"] as const) {
        const left = lines.movesOf(end).flatMap(({ at, from }) => (from === 1 ? [at] : []));
        const gaps = left.slice(1).map((at, index) => at - (left[index] ?? 0));
        expect(Math.min(10 * minute, ...gaps)).toBe(10 * minute);
      }
    },
    60_000,
  );

  it("that are both bad, and change places every minute: traffic does not follow each change", () => {
    const lines = settled();
    for (let round = 0; round < 30; round += 1) {
      lines.set(1, { loss: round % 2 === 0 ? 0.08 : 0.03 });
      lines.set(2, { loss: round % 2 === 0 ? 0.03 : 0.08 });
      lines.run(minute);
    }
    expect(lines.movesOf("near").length).toBeLessThanOrEqual(6);
  }, 60_000);

  it("cost few packets while nothing is wrong", () => {
    const lines = settled();
    const before = lines.sent;
    lines.run(10 * minute);
    // Both ends, two links: 10 and 4 a second of each end.
    expect((lines.sent - before) / 600).toBeLessThan(30);
  });
});

describe("what is not the line", () => {
  it("an end that does not measure: nothing is known, and nothing moves", () => {
    const lines = new SimulatedLines();
    for (const link of [1, 2]) lines.set(link, { dead: true }, "far");
    lines.run(5 * minute);
    expect(lines.moves).toEqual([]);
    expect(lines.near.reports().map(({ state }) => state)).toEqual(["unknown", "unknown"]);
  });

  it("an end that stood still: packets that it dropped itself do not count", () => {
    const lines = settled();
    for (let round = 0; round < 20; round += 1) {
      // Its buffer was full: all that came is lost.
      lines.set(1, { dead: true }, "near");
      lines.run(300);
      lines.far.stoodStill(lines.now);
      lines.set(1, {}, "near");
      lines.run(4_700);
    }
    expect(lines.moves).toEqual([]);
  });

  it("an end whose program starts again", () => {
    const lines = settled();
    lines.far.stoodStill(lines.now);
    lines.run(minute);
    expect(lines.moves).toEqual([]);
    expect(lines.near.reports().map(({ state }) => state)).toEqual(["ok", "ok"]);
  });
});

describe("a line that dies", () => {
  const fall = (lines: SimulatedLines, ms: number) => {
    lines.set(1, { dead: true });
    lines.answers = new Map([[1, false]]);
    lines.run(ms);
    lines.set(1, {});
    lines.answers = new Map();
  };

  it("is used again as soon as it lives", () => {
    const lines = settled();
    fall(lines, 5_000);
    lines.run(5_000);
    expect(lines.movesOf("near")).toMatchObject([
      { from: 1, to: 2, reason: "blackout" },
      { from: 2, to: 1, reason: "returned" },
    ]);
  });

  it("again and again stays behind for a while", () => {
    const lines = settled();
    for (let round = 0; round < 20; round += 1) {
      fall(lines, 3_000);
      lines.run(7_000);
    }
    expect(lines.movesOf("near").length).toBeLessThanOrEqual(6);
    expect(lines.near.reports()[0]).toMatchObject({ state: "flapping", used: false, left: true });
    lines.run(90 * minute);
    expect(lines.movesOf("near").at(-1)).toMatchObject({ to: 1, reason: "returned" });
  });
});
