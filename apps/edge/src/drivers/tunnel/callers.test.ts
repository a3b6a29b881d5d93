import { expect, test } from "vitest";
import { Callers } from "./callers.ts";

const at = (packets: number) => new Map([["wl7", packets]]);

test("a link that is silent for a second is called, less and less often, until packets come", () => {
  const callers = new Callers();
  const calls: number[] = [];
  for (let now = 0; now <= 30_000; now += 500)
    if (callers.due(["wl7"], at(3), now).length > 0) calls.push(now);
  expect(calls).toEqual([1_000, 2_000, 3_000, 5_000, 7_000, 9_000, 13_000, 17_000, 21_000, 26_000]);
  expect(callers.due(["wl7"], at(4), 30_500)).toEqual([]);
  expect(callers.due(["wl7"], at(4), 31_500)).toEqual(["wl7"]);
});

test("a link with packets, or without an interface, is not called", () => {
  const callers = new Callers();
  for (let now = 0; now <= 10_000; now += 500) {
    expect(callers.due(["wl7"], at(now), now)).toEqual([]);
    expect(callers.due(["wl8"], at(now), now)).toEqual([]);
  }
});

test("a peer that never answered is called every 200 ms at first: it may be about to begin", () => {
  const callers = new Callers();
  const calls: number[] = [];
  for (let now = 0; now <= 12_000; now += 100)
    if (callers.due(["wl7"], at(0), now).length > 0) calls.push(now);
  expect(calls.slice(0, 3)).toEqual([200, 400, 600]);
  expect(calls.filter((now) => now <= 4_000)).toHaveLength(20);
  expect(calls.filter((now) => now > 4_000)).toEqual([5_000, 6_000, 7_000, 8_900, 10_800]);
});
