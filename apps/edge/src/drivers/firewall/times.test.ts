/** When time groups are active: over midnight, over the ends of summer time, in zones with odd offsets. */

import { activeTimes } from "@weft/contract/device/v1/active-times.ts";
import type { TimeGroup } from "@weft/contract/device/v1/policy.ts";
import { describe, expect, it, test } from "vitest";

const group = (start: string, end: string, weekdays: readonly number[] = []): TimeGroup => ({
  id: 1,
  start,
  end,
  weekdays: [...weekdays],
});
const isActive = (one: TimeGroup, at: string, zone = "UTC"): boolean =>
  activeTimes([one], Date.parse(at), zone).length === 1;
/** Minutes of a span of time, both ends included, in which the group is active: "first-last" of each run. */
const runs = (one: TimeGroup, from: string, to: string, zone: string): string[] => {
  const found: [number, number][] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 60_000) {
    if (activeTimes([one], at, zone).length === 0) continue;
    const last = found.at(-1);
    if (last && last[1] + 60_000 === at) last[1] = at;
    else found.push([at, at]);
  }
  const text = (at: number) => new Date(at).toISOString().slice(5, 16);
  return found.map(([first, last]) => `${text(first)} to ${text(last)}`);
};

describe("a time group", () => {
  const office = group("08:30", "18:00", [1, 2, 3, 4, 5]);
  // 2026-11-23 is a Monday.
  it.each([
    ["2026-11-23T08:29:59Z", false],
    ["2026-11-23T08:30:00Z", true],
    ["2026-11-23T17:59:59Z", true],
    ["2026-11-23T18:00:00Z", false],
    ["2026-11-27T12:00:00Z", true],
    ["2026-11-28T12:00:00Z", false],
    ["2026-11-29T12:00:00Z", false],
  ])("of working hours at %s: %s", (at, expected) => expect(isActive(office, at)).toBe(expected));

  it("without weekdays is of every day", () => {
    for (let day = 23; day <= 29; day += 1)
      expect(isActive(group("08:30", "18:00"), `2026-11-${day}T12:00:00Z`)).toBe(true);
  });

  it("until 24:00 ends with its day, and one of the whole day has no gap at midnight", () => {
    const evening = group("20:00", "24:00", [1]);
    expect(isActive(evening, "2026-11-23T23:59:59Z")).toBe(true);
    expect(isActive(evening, "2026-11-24T00:00:00Z")).toBe(false);
    const always = group("00:00", "24:00");
    const whole = runs(always, "2026-11-23T22:00Z", "2026-11-24T02:00Z", "Asia/Shanghai");
    expect(whole).toEqual(["11-23T22:00 to 11-24T02:00"]);
  });

  it("over midnight is of the day that it begins on", () => {
    const night = group("22:00", "06:00", [7]);
    expect(runs(night, "2026-11-21T00:00Z", "2026-11-25T00:00Z", "UTC")).toEqual([
      "11-22T22:00 to 11-23T05:59",
    ]);
    expect(runs(group("22:00", "00:00"), "2026-11-23T12:00Z", "2026-11-24T12:00Z", "UTC")).toEqual([
      "11-23T22:00 to 11-23T23:59",
    ]);
  });

  it("has the days of the site, not those of UTC", () => {
    const early = group("00:00", "08:00", [1]);
    const [from, to] = ["2026-11-21T00:00Z", "2026-11-25T00:00Z"];
    expect(runs(early, from, to, "Asia/Shanghai")).toEqual(["11-22T16:00 to 11-22T23:59"]);
    expect(runs(early, from, to, "America/Los_Angeles")).toEqual(["11-23T08:00 to 11-23T15:59"]);
    expect(runs(early, from, to, "Pacific/Kiritimati")).toEqual(["11-22T10:00 to 11-22T17:59"]);
  });

  it.each([
    ["Asia/Kathmandu", "03:15"],
    ["Australia/Eucla", "00:15"],
    ["Pacific/Chatham", "19:15"],
  ])("in %s, whose offset ends with :45, begins at %s UTC", (zone, begin) => {
    const [found] = runs(group("09:00", "10:00"), "2026-11-23T00:00Z", "2026-11-23T23:59Z", zone);
    expect(found?.slice(6, 11)).toBe(begin);
  });
});

describe("on the days on which clocks change", () => {
  const berlin = "Europe/Berlin";
  it("a time that they skip does not come", () => {
    const day = ["2026-03-29T00:00Z", "2026-03-29T03:00Z", berlin] as const;
    expect(runs(group("02:15", "02:45"), ...day)).toEqual([]);
    // What ends within it ends with it, and what begins within it begins behind it.
    expect(runs(group("01:30", "02:30"), ...day)).toEqual(["03-29T00:30 to 03-29T00:59"]);
    expect(runs(group("02:30", "03:30"), ...day)).toEqual(["03-29T01:00 to 03-29T01:29"]);
  });

  it("a time that they show twice comes twice", () => {
    const day = ["2026-10-25T00:00Z", "2026-10-25T03:00Z"] as const;
    expect(runs(group("02:15", "02:45"), ...day, berlin)).toEqual([
      "10-25T00:15 to 10-25T00:44",
      "10-25T01:15 to 10-25T01:44",
    ]);
  });

  it("a night is an hour shorter or longer, and ends by the clock", () => {
    const night = group("22:00", "06:00");
    const spring = ["2026-03-28T12:00Z", "2026-03-29T12:00Z"] as const;
    expect(runs(night, ...spring, berlin)).toEqual(["03-28T21:00 to 03-29T03:59"]);
    const autumn = ["2026-10-24T12:00Z", "2026-10-25T12:00Z"] as const;
    expect(runs(night, ...autumn, berlin)).toEqual(["10-24T20:00 to 10-25T04:59"]);
  });

  it("half an hour, at midnight, and in the other half of the year are changes, too", () => {
    const two = ["2026-10-03T00:00Z", "2026-10-05T00:00Z", "Australia/Lord_Howe"] as const;
    expect(runs(group("08:00", "09:00"), ...two)).toEqual([
      "10-03T21:00 to 10-03T21:59",
      "10-04T21:00 to 10-04T21:59",
    ]);
    // Chile's clocks go from 24:00 to 01:00: the first hour of that Sunday is not there.
    const chile = ["2026-09-05T12:00Z", "2026-09-06T12:00Z", "America/Santiago"] as const;
    expect(runs(group("00:00", "02:00", [7]), ...chile)).toEqual(["09-06T04:00 to 09-06T04:59"]);
  });
});

test("several groups keep their order, and an unknown zone is an error", () => {
  const groups = [9, 3, 5].map((id) => ({ ...group("10:00", id === 3 ? "11:00" : "13:00"), id }));
  expect(activeTimes(groups, Date.parse("2026-11-23T12:00Z"), "UTC")).toEqual([9, 5]);
  expect(() => activeTimes(groups, 0, "Moon/Base")).toThrow(RangeError);
});
