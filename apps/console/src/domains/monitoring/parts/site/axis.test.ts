import type { Mark } from "@weft/contract/domains/monitoring/site-overview.ts";
import { describe, expect, test } from "vitest";
import {
  type AxisLink,
  clustersOf,
  measuredAt,
  scaleOf,
  segmentsOf,
  shareOf,
  ticksOf,
  troubleOf,
} from "./axis.ts";

const start = Date.UTC(2026, 10, 26, 8);
const minuteMs = 60_000;
const at = (minute: number): number => start + minute * minuteMs;
const span = { from: at(0), to: at(50) };
/** Ten minutes each. */
const steps = { from: at(0), step: 600 };

const link = (
  loss: readonly (number | null)[],
  turns: readonly (readonly [number, "up" | "down" | "unknown"])[] = [[0, "up"]],
): AxisLink => ({
  id: 1,
  slot: 1,
  spaceName: "",
  up: true,
  loss: null,
  delay: null,
  jitter: null,
  excess: null,
  peer: { id: 2, kind: "pop", name: "上海-01", slot: 1 },
  stretches: turns.map(([minute, state], index) => ({
    from: new Date(at(minute)),
    to: new Date(at(turns[index + 1]?.[0] ?? 50)),
    state,
  })),
  quality: {
    loss: [...loss],
    delay: loss.map((one) => (one === null ? null : 20)),
    jitter: loss.map((one) => (one === null ? null : 1)),
  },
});
const shown = (of: AxisLink) =>
  segmentsOf(of, steps, span).map(({ from, to, grade }) => [
    (from - start) / minuteMs,
    (to - start) / minuteMs,
    grade,
  ]);

test("a moment has a place between the ends, and outside of them at an end", () => {
  expect([at(0), at(25), at(50), at(99), at(-9)].map((one) => shareOf(one, span))).toEqual([
    0, 0.5, 1, 1, 0,
  ]);
  expect(shareOf(at(1), { from: at(0), to: at(0) })).toBe(0);
});

describe("the time of a path", () => {
  test("steps of one grade are one piece, by the limits of link quality", () => {
    expect(shown(link([0, 0.4, 1.6, 6, 6]))).toEqual([
      [0, 20, "good"],
      [20, 30, "fair"],
      [30, 50, "poor"],
    ]);
  });

  test("down is down whatever the mean of its step, from the moment on", () => {
    expect(
      shown(
        link(
          [0, 0, 0, 0, 0],
          [
            [0, "up"],
            [15, "down"],
            [35, "up"],
          ],
        ),
      ),
    ).toEqual([
      [0, 15, "good"],
      [15, 35, "down"],
      [35, 50, "good"],
    ]);
  });

  test("nothing measured is never good: up without values, and out of sight", () => {
    const gaps = link(
      [0, null, null, null, 0],
      [
        [0, "up"],
        [20, "unknown"],
        [40, "up"],
      ],
    );
    expect(shown(gaps)).toEqual([
      [0, 10, "good"],
      [10, 20, "unmeasured"],
      [20, 40, "unknown"],
      [40, 50, "good"],
    ]);
    expect(segmentsOf({ ...gaps, quality: null }, steps, span).map(({ grade }) => grade)).toEqual([
      "unmeasured",
      "unknown",
      "unmeasured",
    ]);
  });

  test("its trouble is the time that it was poor or down", () => {
    expect(troubleOf(segmentsOf(link([0, 6, 0, 6, 6]), steps, span))).toBe(1_800);
  });

  test("what was measured at a moment is that of its step; outside of them nothing", () => {
    const { quality } = link([1, 2, 3, 4, 5]);
    expect(measuredAt(quality, at(19), steps).loss).toBe(2);
    expect(measuredAt(quality, at(51), steps).loss).toBeNull();
    expect(measuredAt(null, at(1), steps)).toEqual({ loss: null, delay: null, jitter: null });
  });
});

test("marks that would lie over each other are one, others are not", () => {
  const mark = (minute: number): Mark => ({
    kind: "change",
    id: minute,
    from: new Date(at(minute)),
    to: null,
    level: null,
    outcome: null,
    text: ["", ""],
  });
  const found = clustersOf([mark(10), mark(11), mark(12), mark(30)], span, 0.05);
  expect(found.map((some) => some.map(({ id }) => id))).toEqual([[10, 11, 12], [30]]);
});

describe("a chart", () => {
  test("shows a limit that is near its values, and ends above both", () => {
    expect(scaleOf(4, "loss")).toEqual({
      limits: [
        { name: "fair", at: 1 },
        { name: "poor", at: 2 },
      ],
      top: 4 * 1.15,
    });
  });

  test("does not show a limit that would make its values a flat line", () => {
    const { limits, top } = scaleOf(40, "delay");
    expect(limits).toEqual([]);
    expect(top).toBeCloseTo(46);
  });

  test("of nothing but zeros shows the lower limit", () => {
    expect(scaleOf(0, "loss").limits).toEqual([{ name: "fair", at: 1 }]);
  });
});

test("the clock below has round moments within the span, at most as many as fit", () => {
  const day = { from: at(7), to: at(7 + 1_440) };
  const ticks = ticksOf(day, 8);
  expect(ticks.length).toBeLessThanOrEqual(9);
  expect(ticks.length).toBeGreaterThan(3);
  for (const tick of ticks) {
    expect(new Date(tick).getMinutes()).toBe(0);
    expect(tick).toBeGreaterThanOrEqual(day.from);
    expect(tick).toBeLessThanOrEqual(day.to);
  }
});
