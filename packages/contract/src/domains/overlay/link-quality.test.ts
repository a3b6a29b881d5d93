import { describe, expect, it } from "vitest";
import {
  assessLink,
  classLimits,
  type LinkExcess,
  type MinuteMeans,
  qualityWindow,
} from "#domains/devices/link-quality.ts";
import { defaultClasses, strictestLimits } from "./traffic-class.ts";

const start = Date.UTC(2026, 10, 27, 14, 36);
const minuteMs = 60_000;
const limits = classLimits.realtime;

/** Goes through whole minutes, each with these means, and keeps what came of each. */
function follow(minutes: readonly Partial<Record<"loss" | "delay" | "jitter", number>>[]) {
  const results: (LinkExcess | null)[] = [];
  for (const index of minutes.keys()) {
    const window = minutes
      .slice(Math.max(0, index + 1 - qualityWindow.minutes), index + 1)
      .toReversed();
    const means: MinuteMeans = {
      loss: window.map(({ loss = 0 }) => loss),
      delay: window.map(({ delay = 20 }) => delay),
      jitter: window.map(({ jitter = 1 }) => jitter),
      until: new Date(start + (index + 1) * minuteMs),
    };
    results.push(assessLink(means, limits, results.at(-1) ?? null));
  }
  return results;
}
const losses = (...values: number[]) => values.map((loss) => ({ loss }));
const states = (found: readonly (LinkExcess | null)[]) => found.map((one) => one !== null);

/** Reproducible noise between 0 and 1. */
const noise = (index: number): number => (Math.sin(index * 12.9898) * 43_758.5453) % 1;

describe("a link over minutes", () => {
  it("that loses 2.6 to 4.1 % all the time is poor from its second minute, and stays so", () => {
    const found = follow(losses(2.6, 4.1, 3.3, 3.9, 2.6, 4.1, 3.1, 2.9));
    expect(states(found)).toEqual([false, true, true, true, true, true, true, true]);
    expect(found.at(-1)).toEqual({
      metric: "loss",
      value: 3.3,
      limit: 1,
      // Since the first minute of it, and not since the last window.
      since: new Date(start),
    });
  });

  it("of one bad minute, or of one sample, is not poor", () => {
    expect(states(follow(losses(0, 0, 0, 25, 0, 0, 0, 0, 0)))).toEqual(Array(9).fill(false));
  });

  it("near a limit does not change its state with every minute", () => {
    const near = Array.from({ length: 600 }, (_, index) => 1 + Math.abs(noise(index)) - 0.5);
    const found = states(follow(losses(...near)));
    const turns = found.filter((one, index) => index > 0 && one !== found[index - 1]).length;
    expect(Math.max(...near)).toBeGreaterThan(1.3);
    expect(Math.min(...near)).toBeLessThan(0.7);
    expect(turns).toBeLessThanOrEqual(1);
  });

  it("is well again once the mean is clearly below the limit", () => {
    const found = states(follow(losses(3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0)));
    expect(found.slice(0, 9)).toEqual([false, ...Array(7).fill(true), false]);
    expect(found.at(-1)).toBe(false);
  });

  it("is called by what is most above its limit", () => {
    const both = Array(5).fill({ loss: 2, delay: 900 });
    expect(follow(both).at(-1)).toMatchObject({ metric: "delay", value: 900, limit: 300 });
    const jitter = Array(5).fill({ loss: 0, jitter: 31 });
    expect(follow(jitter).at(-1)).toMatchObject({ metric: "jitter", value: 31, limit: 30 });
  });

  it("that has just come back is as it was: nothing is known yet", () => {
    const before: LinkExcess = { metric: "loss", value: 3, limit: 1, since: new Date(start) };
    const none: MinuteMeans = { loss: [], delay: [], jitter: [], until: new Date(start) };
    expect(assessLink(none, limits, before)).toBe(before);
    expect(assessLink({ ...none, loss: [9], delay: [9], jitter: [9] }, limits, null)).toBe(null);
  });
});

describe("the limits", () => {
  it("are those of conversations, unless the enterprise has set its own", () => {
    expect(strictestLimits(null)).toEqual(classLimits.realtime);
    expect(strictestLimits({ ...defaultClasses, realtimeLoss: 0.5 })).toEqual(classLimits.realtime);
    const own = { ...defaultClasses, enable: true, realtimeLoss: 0.5, transactionalLoss: 3 };
    expect(strictestLimits(own)).toMatchObject({ loss: 0.5 });
    expect(strictestLimits({ ...own, realtimeDscp: "" })).toMatchObject({ loss: 3 });
    expect(strictestLimits({ ...own, realtimeDscp: "", transactionalDscp: "" })).toEqual(
      classLimits.default,
    );
  });
});
