import { expect, test } from "vitest";
import { type FamilyAnswers, Ipv6Monitor } from "./ipv6.ts";

const answers = (v4: boolean | null, v6: boolean | null): Map<number, FamilyAnswers> =>
  new Map([[7, { v4, v6 }]]);

test("IPv6 that is silent for two seconds while IPv4 answers is down", () => {
  const monitor = new Ipv6Monitor();
  expect(monitor.take(answers(true, true), 0)).toBe(false);
  expect(monitor.take(answers(true, false), 1_000)).toBe(false);
  expect(monitor.take(answers(true, false), 2_999)).toBe(false);
  expect(monitor.take(answers(true, false), 3_000)).toBe(true);
  expect([...monitor.dead]).toEqual([7]);
  expect(monitor.take(answers(true, false), 3_250)).toBe(false);
});

test("it is up again when it answers, and not reported when the whole link is silent or was removed", () => {
  for (const next of [answers(true, true), answers(false, false), new Map()]) {
    const monitor = new Ipv6Monitor();
    monitor.take(answers(true, false), 0);
    expect(monitor.take(answers(true, false), 2_000)).toBe(true);
    expect(monitor.take(next, 2_250)).toBe(true);
    expect(monitor.dead.size).toBe(0);
  }
});

test("a link that comes up in one family first is given time for the other", () => {
  const monitor = new Ipv6Monitor();
  monitor.take(answers(null, null), 0);
  monitor.take(answers(false, false), 1_000);
  monitor.take(answers(true, false), 60_000);
  expect(monitor.take(answers(true, null), 61_900)).toBe(false);
  expect(monitor.take(answers(true, false), 62_000)).toBe(false);
  expect(monitor.dead.size).toBe(0);
});
