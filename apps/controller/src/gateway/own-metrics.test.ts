import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { expect, test } from "vitest";
import { MetricBuffer, type MetricHost } from "./own-metrics.ts";

type Metrics = MessageFromEdge<"metrics">;

const device = { node: 7, publicKey: "key", enterpriseId: 1, sn: "SN-7" };
const secondsOfMessage = 15;

function buffer() {
  let seconds = 0;
  let sequence = 0;
  const links = new Set([1, 2]);
  let reads = 0;
  const kept: number[][] = [];
  const host: MetricHost = {
    store: {
      async ownMetrics() {
        reads += 1;
        return {
          links: new Set(links),
          interfaces: new Set(["wan1"]),
          objects: new Set<string>(),
          foreign: new Set<number>(),
        };
      },
    },
    logger: { warn: () => undefined },
    async keepMetrics(_node, metrics) {
      kept.push(metrics.links.map(({ id }) => id));
      return true;
    },
    now: () => seconds * 1_000,
    foreignMetrics: () => undefined,
  };
  const own = new MetricBuffer(host);
  const message = (...ids: number[]): Metrics => {
    sequence += 1;
    return {
      type: "metrics",
      boot: "A".repeat(22),
      sequence,
      at: 0,
      sentAt: 0,
      dropped: 0,
      lines: [{ interfaceName: "wan1", inRate: 1, outRate: 1 }],
      links: ids.map((id) => ({
        id,
        rttMs: 1,
        jitterMs: 1,
        lossPercent: 0,
        inRate: 1,
        outRate: 1,
      })),
      cpuPercent: 1,
      memoryPercent: 1,
    };
  };
  return {
    links,
    kept,
    own,
    readsOf: async (...messages: number[][]) => {
      const before = reads;
      for (const ids of messages) {
        expect(await own.keep(device, message(...ids))).toBe(true);
        seconds += secondsOfMessage;
      }
      return reads - before;
    },
  };
}

test("a device that goes on as it is has its links and interfaces read once in ten minutes", async () => {
  const { readsOf } = buffer();
  const tenMinutes = Array.from({ length: 600 / secondsOfMessage }, () => [1, 2]);
  expect(await readsOf(...tenMinutes)).toBe(1);
  expect(await readsOf([1, 2])).toBe(1);
  expect(await readsOf(...tenMinutes.slice(1))).toBe(0);
});

test("what it has is read again once it was sent another state, and for what is not known yet", async () => {
  const { readsOf, links, kept, own } = buffer();
  expect(await readsOf([1, 2], [1, 2])).toBe(1);
  links.delete(2);
  own.stateSent();
  expect(await readsOf([1, 2], [1, 2])).toBe(1);
  links.add(3);
  expect(await readsOf([1, 3], [1, 3])).toBe(1);
  expect(kept).toEqual([[1, 2], [1, 2], [1], [1], [1, 3], [1, 3]]);
});
