/** When a time group switches next: compared with the minute-by-minute answer of `activeTimes`. */
import { describe, expect, it, test } from "vitest";
import { activeTimes, nextSwitch } from "./active-times.ts";
import type { TimeGroup } from "./policy.ts";

const minute = 60_000;
const group = (start: string, end: string, weekdays: readonly number[] = []): TimeGroup => ({
  id: 1,
  weekdays: [...weekdays],
  start,
  end,
});
const isoOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().slice(0, 16);
const next = (one: TimeGroup, at: string, zone = "UTC"): string | null =>
  isoOf(nextSwitch(one, Date.parse(at), zone));

/** The next switch by trying each minute. */
function tried(one: TimeGroup, instant: number, zone: string): string | null {
  const isActive = (at: number) => activeTimes([one], at, zone).length > 0;
  const first = Math.floor(instant / minute) * minute;
  for (let at = first + minute; at <= first + 8 * 24 * 60 * minute; at += minute) {
    if (isActive(at) !== isActive(instant)) return isoOf(at);
  }
  return null;
}

describe("the next switch of a time group", () => {
  it.each([
    ["08:30", "18:00", [1, 2, 3, 4, 5], "2026-11-23T08:00:30Z", "UTC", "2026-11-23T08:30"],
    ["08:30", "18:00", [1, 2, 3, 4, 5], "2026-11-27T12:00:00Z", "UTC", "2026-11-27T18:00"],
    ["08:30", "18:00", [1, 2, 3, 4, 5], "2026-11-27T20:00:00Z", "UTC", "2026-11-30T08:30"],
    ["22:00", "06:00", [7], "2026-11-22T23:00:00Z", "UTC", "2026-11-23T06:00"],
    ["22:00", "06:00", [7], "2026-11-23T06:00:00Z", "UTC", "2026-11-29T22:00"],
    ["22:00", "06:00", [], "2026-11-23T10:00:00Z", "Asia/Shanghai", "2026-11-23T14:00"],
    ["20:00", "24:00", [1], "2026-11-23T20:00:00Z", "UTC", "2026-11-24T00:00"],
  ] as const)("of %s to %s on %j after %s in %s is %s", (start, end, days, at, zone, wanted) => {
    expect(next(group(start, end, days), at, zone)).toBe(wanted);
  });

  it("does not come for one that is active all day and every day", () => {
    expect(next(group("00:00", "24:00"), "2026-11-23T10:00:00Z")).toBeNull();
  });
});

test.each([
  // Summer time begins: 02:00 to 03:00 is skipped. Then it ends: 01:00 to 02:00 comes twice.
  ["America/New_York", "2026-03-07T20:07:00Z"],
  ["America/New_York", "2026-10-31T20:07:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T03:07:00Z"],
])("in %s over the change of %s it is that of each minute tried", (zone, at) => {
  const groups = [
    group("02:30", "04:00"),
    group("01:30", "01:45"),
    group("22:00", "06:00", [6, 7]),
    group("00:00", "24:00", [7]),
  ];
  for (const one of groups) {
    const instant = Date.parse(at);
    expect(isoOf(nextSwitch(one, instant, zone))).toBe(tried(one, instant, zone));
  }
});
