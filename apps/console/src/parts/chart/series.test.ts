import { expect, test } from "vitest";
import { chartOption } from "./option.ts";
import { type ChartSeries, gapsIn, summaryOf } from "./series.ts";
import { rates, volumes, volumeValue } from "./value-texts.ts";

const plain = { text: String, tick: String, gap: "no data" };

const series = (name: string, ...values: (number | null)[]): ChartSeries => ({
  name,
  points: values.map((value, at) => ({ at: new Date(at * 30_000), value })),
});

test("what was not measured counts neither as zero nor in the mean", () => {
  expect(summaryOf(series("a", 10, null, 30))).toEqual({ most: 30, p95: 30, mean: 20, last: 30 });
  expect(summaryOf(series("a", null))).toBeNull();
});

test("P95 is a value that was measured, and leaves the rare peaks out", () => {
  const values = Array.from({ length: 100 }, (_, at) => at + 1);
  expect(summaryOf(series("a", ...values, null))?.p95).toBe(95);
});

test("an axis has one unit, that of its highest value", () => {
  expect(rates.unitOf(0)).toEqual({ unit: "bit/s", size: 1 });
  expect(rates.unitOf(2_500_000)).toEqual({ unit: "Mbit/s", size: 1e6 });
  expect(volumes.unitOf(9e18)).toEqual({ unit: "PB", size: 1e15 });
});

test("a gap is a step at which no series has a value", () => {
  expect(gapsIn([series("a", 1, null, null), series("b", null, 2, null)])).toBe(1);
  expect(gapsIn([])).toBe(0);
});

test("a gap reaches the drawing as one, and the line has a gap there", () => {
  const colours = { lines: ["#000000"], text: "#000000", hairline: "#000000", ground: "#ffffff" };
  const option = chartOption([series("a", 1, null, 3)], plain, colours, {
    isLong: false,
    isWeak: false,
  });
  const [line] = option.series;
  expect(line?.data.map(([, value]) => value)).toEqual([1, null, 3]);
  expect(line?.connectNulls).toBe(false);
});

test("bytes are written in decimal steps", () => {
  expect([0, 999, 1_200, 81_240_000].map(volumeValue)).toEqual([
    "0 B",
    "999 B",
    "1.20 kB",
    "81.2 MB",
  ]);
});
