import { describe, expect, it } from "vitest";
import { type LineAnswers, LineHealth, leftLines } from "./line-health.ts";

const well: LineAnswers = { gateway: "answers", beyond: true, loss: 0 };
const alone: LineAnswers = { gateway: "answers", beyond: false, loss: 0 };
const nothing: LineAnswers = { gateway: "silent", beyond: false, loss: 1 };
const losing = (loss: number | null): LineAnswers => ({ ...well, loss });

const names = (health: LineHealth): string[] =>
  health.silent.map(({ interfaceName, reason }) => `${interfaceName} ${reason}`);
const both = (one: LineAnswers, other: LineAnswers) =>
  new Map([
    ["wan1", one],
    ["wan2", other],
  ]);

describe("a WAN link", () => {
  it("that answers nothing falls, and is trusted after ten seconds of answers without a break", () => {
    const health = new LineHealth();
    health.take(both(well, well), 0);
    expect(health.take(both(nothing, well), 1_000)).toBe(true);
    expect(names(health)).toEqual(["wan1 lineSilent"]);
    health.take(both(well, well), 2_000);
    health.take(both(nothing, well), 11_000);
    health.take(both(well, well), 12_000);
    expect(health.take(both(well, well), 21_999)).toBe(false);
    expect(health.take(both(well, well), 22_000)).toBe(true);
    expect(names(health)).toEqual([]);
  });

  it("stays while nothing is known and while there is no target to probe", () => {
    const health = new LineHealth();
    for (const gateway of ["unknown", "mute"] as const)
      health.take(new Map([["wan1", { gateway, beyond: false, loss: null }]]), 0);
    expect(names(health)).toEqual([]);
  });

  it("without address resolution falls when what it led to is silent", () => {
    const health = new LineHealth();
    health.take(new Map([["wwan0", { gateway: "mute", beyond: true, loss: null } as const]]), 0);
    health.take(
      new Map([["wwan0", { gateway: "mute", beyond: false, loss: null } as const]]),
      1_000,
    );
    expect(names(health)).toEqual(["wwan0 lineSilent"]);
  });

  it("is cut when only its gateway answers and another leads further than it does", () => {
    const health = new LineHealth();
    // It may block what is asked.
    health.take(both(alone, well), 0);
    health.take(both(alone, well), 10_000);
    expect(names(health)).toEqual([]);
    health.take(both(well, well), 20_000);
    health.take(both(alone, alone), 21_000);
    health.take(both(alone, alone), 30_000);
    expect(names(health)).toEqual([]);
    health.take(both(alone, well), 31_000);
    health.take(both(alone, well), 31_500);
    expect(names(health)).toEqual(["wan1 lineCut"]);
    // It is left already: its reason becomes another when that has lasted.
    health.take(both(nothing, well), 32_000);
    expect(names(health)).toEqual(["wan1 lineCut"]);
    health.take(both(nothing, well), 35_000);
    expect(names(health)).toEqual(["wan1 lineSilent"]);
  });

  it("is cut from its start on where it led further before that", () => {
    const health = new LineHealth();
    const before = { ...alone, ledBefore: true };
    health.take(both(before, alone), 0);
    health.take(both(before, alone), 10_000);
    expect(names(health)).toEqual([]);
    health.take(both(before, well), 10_001);
    health.take(both(before, well), 10_501);
    expect(names(health)).toEqual(["wan1 lineCut"]);
  });

  it("is left when it loses a third and another does not, and is used again when it loses next to nothing", () => {
    const health = new LineHealth();
    health.take(both(losing(null), losing(0)), 0);
    health.take(both(losing(0.29), losing(0)), 1_000);
    expect(names(health)).toEqual([]);
    health.take(both(losing(0.6), losing(0)), 2_000);
    expect(names(health)).toEqual(["wan1 lineLossy"]);
    health.take(both(losing(0.2), losing(0)), 3_000);
    health.take(both(losing(0.2), losing(0)), 30_000);
    expect(names(health)).toEqual(["wan1 lineLossy"]);
    health.take(both(losing(0.02), losing(0)), 31_000);
    expect(names(health)).toEqual(["wan1 lineLossy"]);
    health.take(both(losing(0.02), losing(0)), 41_000);
    expect(names(health)).toEqual([]);
  });

  it("that loses much stays while no other is known to lose less", () => {
    const health = new LineHealth();
    for (const other of [losing(0.6), losing(0.15), losing(null), { ...nothing, loss: 0 }]) {
      health.take(both(losing(0.6), other), 0);
      expect(names(health)).not.toContain("wan1 lineLossy");
    }
  });

  it("keeps its reason while it loses now more and now all", () => {
    const health = new LineHealth();
    health.take(both(well, well), 0);
    health.take(both(losing(0.6), well), 1_000);
    for (let now = 2_000; now < 20_000; now += 1_000)
      health.take(both(now % 2_000 === 0 ? nothing : losing(0.7), well), now);
    expect(names(health)).toEqual(["wan1 lineLossy"]);
  });

  it("is given time with another address, and forgotten once it is removed", () => {
    const health = new LineHealth();
    health.adopt([{ interfaceName: "wan1", reason: "lineSilent" }]);
    expect(health.take(both(nothing, well), 0)).toBe(false);
    health.forget("wan1");
    expect(names(health)).toEqual([]);
    health.take(both(nothing, well), 1);
    health.take(both(nothing, well), 5_000);
    expect(names(health)).toEqual([]);
    health.take(both(nothing, well), 5_001);
    expect(names(health)).toEqual(["wan1 lineSilent"]);
    health.take(new Map([["wan2", well]]), 5_002);
    expect(names(health)).toEqual([]);
  });
});

describe("the links that are left", () => {
  const four = ["wan1", "wan2"].map((interfaceName) => ({ interfaceName, family: 4 as const }));
  const silent = (...fallen: string[]) =>
    fallen.map((interfaceName) => ({ interfaceName, reason: "lineSilent" as const }));

  it("are the silent ones, but for the last of a family that fell", () => {
    expect([...leftLines(four, silent("wan2"))]).toEqual(["wan2"]);
    expect([...leftLines(four, silent("wan2", "wan1"))]).toEqual(["wan2"]);
    const six = { interfaceName: "wan3", family: 6 as const };
    expect([...leftLines([...four, six], silent("wan3", "wan1"))]).toEqual(["wan1"]);
  });
});
