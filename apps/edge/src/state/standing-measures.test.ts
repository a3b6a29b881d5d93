import { expect, test } from "vitest";
import type { LinkMeasure } from "#drivers/driver.ts";
import { StandingMeasures, standMs } from "./standing-measures.ts";

const link = (more: Partial<LinkMeasure> = {}): LinkMeasure => ({
  id: 1,
  up: true,
  rttMs: 20,
  jitterMs: 1,
  lossPercent: 0,
  inRate: 1_000_000,
  outRate: 8_000,
  ...more,
});
/** Which links are sent of two, when the second is measured otherwise 5 s later. */
const sentAfter = (change: Partial<LinkMeasure>): number[] => {
  const standing = new StandingMeasures();
  standing.take([link(), link({ id: 2 })], 0);
  return standing.take([link(), link({ id: 2, ...change })], 5_000).map(({ id }) => id);
};

test.each<[string, Partial<LinkMeasure>]>([
  ["a fall", { up: false }],
  ["a little loss", { lossPercent: 0.5 }],
  ["a longer way", { rttMs: 22.1 }],
  ["replies that stop", { rttMs: null }],
  ["jitter", { jitterMs: 3.5 }],
  ["traffic", { outRate: 120_000 }],
  ["traffic that ends", { inRate: 0 }],
  ["a rate that is read again", { inRate: null }],
])("%s is sent at once, and the other link is not", (_, change) => {
  expect(sentAfter(change)).toEqual([2]);
});

test.each<[string, Partial<LinkMeasure>]>([
  ["a round trip like the last one", { rttMs: 21.9 }],
  ["jitter like the last one", { jitterMs: 2.5 }],
  ["a rate like the last one", { inRate: 1_400_000 }],
  ["the packets of an idle tunnel", { outRate: 60_000 }],
])("%s is not sent", (_, change) => {
  expect(sentAfter(change)).toEqual([]);
});

test("changes add up: what is compared is what was sent", () => {
  const standing = new StandingMeasures();
  const sent = [20, 21, 22, 23, 24].map(
    (rttMs, at) => standing.take([link({ rttMs })], at * 1_000).length,
  );
  expect(sent).toEqual([1, 0, 0, 1, 0]);
});

test("all are sent again well before they end to stand", () => {
  const standing = new StandingMeasures();
  const rounds = Array.from({ length: 13 }, (_, at) => at * 5_000);
  const sentAt = rounds.filter((now) => standing.take([link(), link({ id: 2 })], now).length === 2);
  expect(sentAt).toEqual([0, 20_000, 40_000, 60_000]);
  expect(standMs - 20_000).toBeGreaterThanOrEqual(10_000);
});

test("a link that went up or down, a new one and all of a new connection are sent", () => {
  const standing = new StandingMeasures();
  standing.take([link()], 0);
  standing.changed([{ id: 1 }]);
  expect(standing.take([link()], 1_000)).toHaveLength(1);
  expect(standing.take([link(), link({ id: 2 })], 2_000).map(({ id }) => id)).toEqual([2]);
  standing.forget();
  expect(standing.take([link(), link({ id: 2 })], 3_000)).toHaveLength(2);
});
