import { describe, expect, it } from "vitest";
import { type LineAnswers, LineHealth, leftLines } from "./line-health.ts";

const well: LineAnswers = { gateway: "answers", beyond: true };
const alone: LineAnswers = { gateway: "answers", beyond: false };
const nothing: LineAnswers = { gateway: "silent", beyond: false };

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

  it("stays while nothing is known, and while nobody can be asked", () => {
    const health = new LineHealth();
    for (const gateway of ["unknown", "mute"] as const)
      health.take(new Map([["wan1", { gateway, beyond: false }]]), 0);
    expect(names(health)).toEqual([]);
  });

  it("without address resolution falls when what it led to is silent", () => {
    const health = new LineHealth();
    health.take(new Map([["wwan0", { gateway: "mute", beyond: true } as const]]), 0);
    health.take(new Map([["wwan0", { gateway: "mute", beyond: false } as const]]), 1_000);
    expect(names(health)).toEqual(["wwan0 lineSilent"]);
  });

  it("stays while its gateway answers, whatever is silent behind it", () => {
    const health = new LineHealth();
    health.take(both(well, well), 0);
    health.take(both(alone, well), 60_000);
    expect(names(health)).toEqual([]);
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
