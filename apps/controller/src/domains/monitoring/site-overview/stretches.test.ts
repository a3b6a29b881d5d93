import { describe, expect, test } from "vitest";
import { stretchesOf, type Transition } from "./stretches.ts";

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 26, 8, minute));
const turn = (minute: number, up: boolean): Transition => ({ at: at(minute), up });
const span = { from: at(0), to: at(60) };
const shown = (...of: Parameters<typeof stretchesOf>) =>
  stretchesOf(...of).map(({ from, to, state }) => [
    from.getUTCMinutes(),
    (to.getTime() - from.getTime()) / 60_000,
    state,
  ]);

describe("stretches", () => {
  test("nothing is known before the first turn", () => {
    expect(shown([turn(20, true)], null, span)).toEqual([
      [0, 20, "unknown"],
      [20, 40, "up"],
    ]);
  });

  test("the last transition before the range gives its first state; equal neighbours are merged", () => {
    expect(shown([turn(-10, true), turn(30, true), turn(40, false)], null, span)).toEqual([
      [0, 40, "up"],
      [40, 20, "down"],
    ]);
  });

  test("what a device reports is unknown while it is out of contact, whatever it reported last", () => {
    const device = [turn(-10, true), turn(10, false), turn(25, true)];
    expect(shown([turn(-5, true), turn(30, false)], device, span)).toEqual([
      [0, 10, "up"],
      [10, 15, "unknown"],
      [25, 5, "up"],
      [30, 30, "down"],
    ]);
    expect(shown([turn(-5, true)], [], span)).toEqual([[0, 60, "unknown"]]);
  });

  test("a span of no length has none", () => {
    expect(stretchesOf([turn(0, true)], null, { from: at(5), to: at(5) })).toEqual([]);
  });
});
