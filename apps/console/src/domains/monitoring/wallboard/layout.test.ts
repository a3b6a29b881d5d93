import { describe, expect, it } from "vitest";
import { isStale, pageAt, scaleOf } from "./layout.ts";

describe("the wallboard", () => {
  it("fits into every window as a whole", () => {
    expect([scaleOf(1920, 1080), scaleOf(960, 1080), scaleOf(3840, 1080)]).toEqual([1, 0.5, 1]);
  });

  it("turns the pages of a list every ten seconds, and begins again", () => {
    const rows = [1, 2, 3, 4, 5];
    const at = (seconds: number) => pageAt(rows, 2, new Date(seconds * 1_000));
    expect([at(0), at(9), at(10), at(20), at(30)]).toEqual([[1, 2], [1, 2], [3, 4], [5], [1, 2]]);
    expect(pageAt([], 2, new Date(10_000))).toEqual([]);
  });

  it("marks data as stale after one minute", () => {
    const at = (ms: number) => isStale(new Date(0), new Date(ms));
    expect([at(60_000), at(60_001)]).toEqual([false, true]);
  });
});
