import { expect, test } from "vitest";
import { chartOption } from "./option.ts";
import { type ChartSeries, gapsIn, summaryOf } from "./series.ts";
import { volumeValue } from "./value-texts.ts";

const series = (name: string, ...values: (number | null)[]): ChartSeries => ({
  name,
  points: values.map((value, at) => ({ at: new Date(at * 30_000), value })),
});

test("what was not measured counts neither as zero nor in the mean", () => {
  expect(summaryOf(series("a", 10, null, 30))).toEqual({ most: 30, mean: 20, last: 30 });
  expect(summaryOf(series("a", null))).toBeNull();
});

test("a gap is a step that no series knows", () => {
  expect(gapsIn([series("a", 1, null, null), series("b", null, 2, null)])).toBe(1);
  expect(gapsIn([])).toBe(0);
});

test("a gap reaches the drawing as one, and no line is drawn over it", () => {
  const colours = { lines: ["#000000"], text: "#000000", hairline: "#000000", ground: "#ffffff" };
  const option = chartOption([series("a", 1, null, 3)], String, colours, {
    isLong: false,
    isWeak: false,
  });
  const [line] = option.series;
  expect(line?.data.map(([, value]) => value)).toEqual([1, null, 3]);
  expect(line?.connectNulls).toBe(false);
});

test("bytes are said in decimal steps", () => {
  expect([0, 999, 1_200, 81_240_000].map(volumeValue)).toEqual([
    ...["0 B", "999 B", "1.20 kB", "81.2 MB"],
  ]);
});
