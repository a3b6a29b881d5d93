/** Classes of traffic over lines in virtual time (test/simulated-lines.ts). */
import { defaultPaths, type PathsSection } from "@weft/contract/device/v1/paths.ts";
import { describe, expect, it } from "vitest";
import { SimulatedLines } from "../../../test/simulated-lines.ts";

const minute = 60_000;
const relaxed = { loss: 10, rtt: 1_000, jitter: 500 };
const strict = { loss: 1, rtt: 150, jitter: 8 };
const section: PathsSection = {
  ...defaultPaths,
  spaces: [
    {
      spaceId: 1,
      limits: relaxed,
      classes: [
        { name: "realtime", limits: strict, dscp: [46] },
        { name: "bulk", limits: relaxed, dscp: [8] },
      ],
    },
  ],
};

const settled = (seed = 1): SimulatedLines => {
  const lines = new SimulatedLines({ seed, section });
  lines.busy = new Set([1]);
  lines.run(minute);
  expect(lines.moves).toEqual([]);
  return lines;
};
const seeds = [...Array(20).keys()].map((at) => at + 1);
const classesOn = (lines: SimulatedLines, link: number) =>
  lines.near.reports().find((one) => one.link === link)?.classes;

describe("a class", () => {
  it("leaves a line that loses 3 % within 3 s, and the others stay", () => {
    let others = 0;
    const after = seeds.map((seed) => {
      const lines = settled(seed);
      lines.set(1, { loss: 0.03 }, "near");
      const ms = lines.until(() => lines.movesOf("near").length > 0, minute) ?? minute;
      expect(lines.movesOf("near")).toMatchObject([
        { from: 1, to: 2, reason: "loss", trafficClass: "realtime" },
      ]);
      expect(classesOn(lines, 1)).toEqual(["bulk"]);
      expect(classesOn(lines, 2)).toEqual(["realtime"]);
      lines.run(minute);
      others += lines.movesOf("near").length - 1;
      expect(lines.movesOf("far")).toEqual([]);
      return ms;
    });
    // A third of their limit looks like all of it once in a quarter of an hour.
    expect(others).toBeLessThanOrEqual(6);
    after.sort((a, b) => a - b);
    // The first packet that is missing comes when it comes: one line of twenty may take a little longer.
    expect(after.at(-2)).toBeLessThan(3_000);
    expect(after.at(-1)).toBeLessThan(5_000);
  });

  it.each([
    ["delay", { delay: 180 }],
    ["jitter", { wobble: 75 }],
  ] as const)("leaves a line for %s", (_what, weather) => {
    const lines = settled();
    lines.set(1, weather, "near");
    expect(lines.until(() => lines.movesOf("near").length > 0, minute)).toBeLessThan(3_000);
    lines.run(10_000);
    expect(lines.movesOf("near").every((one) => one.trafficClass === "realtime")).toBe(true);
  });

  it("returns after the hold time of the state, once", () => {
    const lines = new SimulatedLines({ section: { ...section, returnAfter: 120 } });
    lines.busy = new Set([1]);
    lines.run(minute);
    lines.set(1, { loss: 0.03 }, "near");
    lines.run(20_000);
    lines.set(1, {}, "near");
    lines.run(80_000);
    expect(lines.movesOf("near")).toHaveLength(1);
    lines.run(4 * minute);
    expect(lines.movesOf("near")).toMatchObject([
      { from: 1, to: 2, trafficClass: "realtime" },
      { from: 2, to: 1, reason: "returned", trafficClass: "realtime" },
    ]);
  });

  it("is left at most once in ten minutes at its limit", () => {
    const lines = new SimulatedLines({ section });
    lines.set(1, { loss: 0.01 });
    lines.run(90 * minute);
    const left = lines.movesOf("near").flatMap(({ at, from }) => (from === 1 ? [at] : []));
    for (const [index, at] of left.entries())
      if (index > 0) expect(at - (left[index - 1] ?? 0)).toBeGreaterThan(10 * minute);
  });

  it("has no exceptions on a silent line, until it has answered for a while", () => {
    const lines = settled();
    lines.set(1, { loss: 0.03 }, "near");
    lines.until(() => lines.movesOf("near").length > 0, minute);
    lines.run(5_000);
    expect([...lines.near.quiet(lines.now)]).toEqual([]);
    lines.set(2, { dead: true });
    expect(lines.until(() => lines.near.quiet(lines.now).has(2), minute)).toBeLessThan(750);
    lines.set(2, {});
    lines.run(1_000);
    expect(lines.near.quiet(lines.now).has(2)).toBe(true);
    lines.run(2_500);
    expect(lines.near.quiet(lines.now).has(2)).toBe(false);
  });
});

describe("real-time traffic with a link over a special line", () => {
  const [space] = section.spaces ?? [];
  const special: PathsSection = {
    ...section,
    returnAfter: 120,
    spaces: space ? [{ ...space, special: [2] }] : [],
  };

  it("takes it although other links are preferred, and no other traffic does", () => {
    const lines = new SimulatedLines({ section: special });
    lines.run(10_000);
    expect(classesOn(lines, 1)).toEqual(["bulk"]);
    expect(classesOn(lines, 2)).toEqual(["realtime"]);
    expect(lines.near.reports().map(({ link, used }) => [link, used])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(lines.moves).toEqual([]);
  });

  it("leaves it when it exceeds the limits, and returns to it", () => {
    const lines = new SimulatedLines({ section: { ...special, returnAfter: 10 } });
    lines.busy = new Set([1, 2]);
    lines.run(10_000);
    lines.set(2, { loss: 0.1 }, "near");
    expect(lines.until(() => lines.movesOf("near").length > 0, minute)).not.toBeNull();
    expect(classesOn(lines, 1)).toEqual(["realtime", "bulk"]);
    lines.set(2, {}, "near");
    expect(lines.until(() => lines.movesOf("near").length > 1, 3 * minute)).not.toBeNull();
    expect(lines.movesOf("near")).toMatchObject([
      { from: 2, to: 1, reason: "loss", trafficClass: "realtime" },
      { from: 1, to: 2, reason: "returned", trafficClass: "realtime" },
    ]);
  });

  it("keeps to the order of preference among several", () => {
    const links = { 1: 200, 2: 190, 3: 180, 4: 1_000 };
    const three = { ...special, spaces: space ? [{ ...space, special: [2, 3] }] : [] };
    const lines = new SimulatedLines({ section: three, links });
    lines.run(10_000);
    expect(classesOn(lines, 2)).toEqual(["realtime"]);
    expect(classesOn(lines, 4)).toEqual(["bulk"]);
  });
});
