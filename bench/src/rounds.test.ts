import { expect, test } from "vitest";
import { alternate, median, percentile, summarise } from "./rounds.ts";

test("the median of an even number lies between the two in the middle", () => {
  expect(median([5])).toBe(5);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 100])).toBe(3.5);
  expect(() => median([])).toThrow(RangeError);
});

test("a percentile is a value that was there", () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(percentile(hundred, 0.95)).toBe(95);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile([7], 0.01)).toBe(7);
  expect(() => percentile([], 0.5)).toThrow(RangeError);
});

test("ratios are taken round by round, not of the medians", () => {
  // Medians 110 and 50; the rounds' own ratios are 0.5, 0.25 and 0.5.
  const { ratio, spread, yardstick, subject } = summarise([
    { yardstick: 100, subject: 50 },
    { yardstick: 120, subject: 30 },
    { yardstick: 110, subject: 55 },
  ]);
  expect([ratio, yardstick, subject]).toEqual([0.5, 110, 50]);
  expect(spread).toEqual([0.25, 0.5]);
});

test("a yardstick that moved by more than a fifth makes the run void", () => {
  const rounds = (last: number) =>
    [100, 100, last].map((yardstick) => ({ yardstick, subject: 10 }));
  expect(summarise(rounds(120))).toMatchObject({ isVoid: false, drift: 0.2 });
  expect(summarise(rounds(121)).isVoid).toBe(true);
  expect(summarise(rounds(79)).isVoid).toBe(true);
});

test("a yardstick that measured nothing is an error, not a ratio", () => {
  expect(() => summarise([{ yardstick: 0, subject: 1 }])).toThrow(RangeError);
  expect(() => summarise([{ yardstick: Number.NaN, subject: 1 }])).toThrow(RangeError);
});

test("yardstick and subject take turns, and so does who is first", async () => {
  const order: string[] = [];
  const run = (name: string) => async () => order.push(name);
  const rounds = await alternate(run("y"), run("s"), 3);
  expect(order.join("")).toBe("yssyys");
  expect(rounds).toEqual([
    { yardstick: 1, subject: 2 },
    { yardstick: 4, subject: 3 },
    { yardstick: 5, subject: 6 },
  ]);
});
