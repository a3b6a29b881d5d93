import { describe, expect, it } from "vitest";
import { candidatesOf } from "../../../test/path-candidates.ts";
import { groupsOf } from "./candidates.ts";
import { budget, Doubts, type Paced, paceOf, periods } from "./pace.ts";
import { BusyMeter } from "./traffic.ts";

const link = (id: number, change: Partial<Paced> = {}): Paced => ({
  id,
  isUsed: true,
  isBusy: false,
  isStrict: false,
  isDoubted: false,
  wantedMs: null,
  ...change,
});
const perSecond = (pace: ReadonlyMap<number, number>): number =>
  [...pace.values()].reduce((sum, period) => sum + 1_000 / period, 0);

describe("the pace", () => {
  it("is fast where it is needed, and slow elsewhere", () => {
    const pace = paceOf([
      link(1),
      link(2, { isUsed: false }),
      link(3, { isBusy: true }),
      link(4, { isDoubted: true }),
      link(5, { isUsed: false, wantedMs: 25 }),
    ]);
    expect([...pace].sort(([one], [other]) => one - other).map(([, period]) => period)).toEqual([
      periods.used,
      periods.spare,
      periods.busy,
      periods.doubted,
      25,
    ]);
  });

  it("of thousands of busy links stays within what a program sends", () => {
    const links = Array.from({ length: 4_000 }, (_, id) =>
      link(id, { isBusy: true, isDoubted: id % 4 === 0 }),
    );
    const most = budget.perSecond + (budget.doubted * 1_000) / periods.doubted;
    expect(perSecond(paceOf(links))).toBeLessThanOrEqual(most * 1.01);
  });

  it("of a link that looks bad again and again is fast for a part of the time", () => {
    const doubts = new Doubts();
    let fast = 0;
    for (let now = 0; now < 600_000; now += 100) {
      doubts.raise(1, now);
      if (doubts.has(1, now)) fast += 1;
    }
    expect(fast / 6_000).toBeLessThan(0.15);
    doubts.insist(1, 600_000);
    expect(doubts.has(1, 600_000)).toBe(true);
  });
});

describe("a link", () => {
  it("is busy by packets that do not measure it", () => {
    const meter = new BusyMeter();
    const links = [{ id: 1, interfaceName: "wl1" }];
    const read = (packets: number, at: number) =>
      [...meter.read(links, () => new Map([["wl1", packets]]), at)].length > 0;
    expect(read(0, 1_000)).toBe(false);
    for (let own = 0; own < 200; own += 1) meter.count(1);
    expect(read(230, 2_000)).toBe(false);
    expect(read(430, 3_000)).toBe(true);
    expect(read(430, 12_000)).toBe(true);
    expect(read(430, 14_000)).toBe(false);
  });

  it("competes with those to the same networks, and with those to anywhere", () => {
    const groups = groupsOf(
      candidatesOf([
        [1, null],
        [2, null],
        [3, ["10.2.0.0/16"]],
      ]),
    );
    expect(groups.map(({ links }) => links.map(({ id }) => id))).toEqual([
      [1, 2],
      [3, 1, 2],
    ]);
    expect(groupsOf(candidatesOf([[1, null]]))).toEqual([]);
  });
});
