import { expect, test } from "vitest";
import { createBucket, createTryLimit } from "./limits.ts";

test("ten wrong tries block an address, for a while and no other address", () => {
  let now = 0;
  const limit = createTryLimit(10, 900_000, () => now);
  for (let turn = 0; turn < 9; turn += 1) limit.failed("one");
  expect(limit.waitMs("one")).toBe(0);
  now = 1_000;
  limit.failed("one");
  expect(limit.waitMs("one")).toBe(900_000);
  expect(limit.waitMs("other")).toBe(0);
  now += 899_999;
  expect(limit.waitMs("one")).toBe(1);
  now += 1;
  expect(limit.waitMs("one")).toBe(0);
  limit.failed("one");
  expect(limit.waitMs("one")).toBe(0);
});

test("a flood of addresses pushes out the oldest only", () => {
  const limit = createTryLimit(1, 1_000, () => 0);
  for (let at = 0; at < 10_001; at += 1) limit.failed(`a${at}`);
  expect([limit.waitMs("a0"), limit.waitMs("a1"), limit.waitMs("a10000")]).toEqual([
    0, 1_000, 1_000,
  ]);
});

test("a bucket gives its burst, then its rate per second", () => {
  let now = 0;
  const take = createBucket(3, 2, () => now);
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
  now = 500;
  expect([take(), take()]).toEqual([true, false]);
  now = 60_000;
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
});
