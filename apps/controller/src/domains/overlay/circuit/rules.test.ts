import { expect, test } from "vitest";
import { bytesOf, rateThrough } from "./rules.ts";

test("a node carries what its lines do both ways; a line without a bandwidth limits nothing", () => {
  const line = (up: number | null, down: number | null) => ({ up, down });
  expect(rateThrough([line(20, 100), line(30, 10)])).toBe(50);
  expect(rateThrough([line(20, 100), line(null, 10)])).toBe(110);
  expect(rateThrough([line(null, null)])).toBe(Number.POSITIVE_INFINITY);
  expect(rateThrough([])).toBe(Number.POSITIVE_INFINITY);
});

test("bytes are a rate over its step; no rate is no byte count, which is not zero", () => {
  expect(bytesOf(8_000, 30)).toBe(30_000);
  expect(bytesOf(0, 30)).toBe(0);
  expect(bytesOf(null, 30)).toBeNull();
});
