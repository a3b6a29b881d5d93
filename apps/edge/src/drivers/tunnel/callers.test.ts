import { expect, test } from "vitest";
import { Callers } from "./callers.ts";

const at = (packets: number) => new Map([["wl7", packets]]);

test("a link that is silent for a second is called each second until packets come, also after an hour", () => {
  const callers = new Callers();
  const calls: number[] = [];
  const hour = 3_600_000;
  for (let now = 0; now <= hour; now += 250)
    if (callers.due(["wl7"], at(3), now).length > 0) calls.push(now);
  expect(calls.slice(0, 4)).toEqual([1_000, 2_000, 3_000, 4_000]);
  expect(calls.slice(-2)).toEqual([hour - 1_000, hour]);
  expect(calls).toHaveLength(3_600);
  expect(callers.due(["wl7"], at(4), hour + 250)).toEqual([]);
  expect(callers.due(["wl7"], at(4), hour + 1_250)).toEqual(["wl7"]);
});

test("of many silent links a few are called at a time, in turn", () => {
  const callers = new Callers();
  const names = Array.from({ length: 24 }, (_, at) => `wl${at}`);
  const received = new Map(names.map((name) => [name, 3]));
  expect(callers.due(names, received, 0)).toEqual([]);
  const rounds = [1_000, 1_250, 1_500].map((now) => callers.due(names, received, now));
  expect(rounds.map(({ length }) => length)).toEqual([8, 8, 8]);
  expect(rounds.flat().sort()).toEqual([...names].sort());
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
  expect(calls.filter((now) => now > 4_000)).toEqual(
    [5, 6, 7, 8, 9, 10, 11, 12].map((s) => s * 1_000),
  );
});
