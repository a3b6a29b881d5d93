/** Messages with and without contact, over the real folder; time is moved by the test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FromEdge, MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LinkMeasure, Machine } from "#drivers/driver.ts";
import { systemRandom } from "#edge/clock.ts";
import { openFolder } from "#store/disk.ts";
import { openSpool } from "#store/spool.ts";
import { MetricsQueue, meanOfRounds } from "./metrics-queue.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weft-spool-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const spoolOf = async (limit?: number) => openSpool(await openFolder(folder, false), limit);
const measure = (lossPercent: number | null): LinkMeasure => ({
  ...{ id: 7, up: true, rttMs: 10, jitterMs: null, lossPercent, inRate: 4, outRate: null },
});

/** A second of the edge passes in a millisecond. */
const clock = {
  now: () => 1_700_000_000_000 + performance.now() * 1_000,
  monotonic: () => performance.now() * 1_000,
  setTimeout: (callback: () => void, ms: number) => {
    const timer = setTimeout(callback, Math.ceil(ms / 1_000));
    return () => clearTimeout(timer);
  },
};

test("the spool keeps the newest, in order, over a restart", async () => {
  const spool = await spoolOf(3);
  let dropped = 0;
  for (const text of ["a", "b", "c", "d", "e"]) dropped += await spool.add(text);
  expect(dropped).toBe(2);
  const again = await spoolOf(3);
  const read: (string | null)[] = [];
  for (; again.size > 0; await again.removeFirst()) read.push(await again.first());
  expect(read).toEqual(["c", "d", "e"]);
  expect(await (await spoolOf()).first()).toBeNull();
});

test("rounds become their mean; what was never measured is null, and the other end's links go", () => {
  expect(meanOfRounds([[measure(0)], [measure(3)], [measure(null)]])).toEqual([
    { id: 7, rttMs: 10, jitterMs: null, lossPercent: 1.5, inRate: 4, outRate: null },
  ]);
  expect(meanOfRounds([[measure(null)]])).toEqual([]);
});

test("without contact messages wait on the disk; with it they go one at a time, oldest first", async () => {
  const sent: MessageFromEdge<"metrics">[] = [];
  const link = {
    isConnected: false,
    send: (message: FromEdge) => message.type === "metrics" && sent.push(message) > 0,
  };
  const metrics = async () => ({ lines: [], cpuPercent: 1, memoryPercent: 2 });
  const spool = await spoolOf();
  const metricsQueue = new MetricsQueue({
    ...{ clock, random: systemRandom, log: pino({ level: "silent" }), link, spool },
    accepts: () => false,
    machine: { metrics } as unknown as Machine,
  });
  const end = new AbortController();
  const run = metricsQueue.run(end.signal);
  const deadline = { timeout: 20_000, interval: 5 };
  await vi.waitFor(() => expect(spool.size).toBeGreaterThan(3), deadline);
  expect(sent).toEqual([]);
  link.isConnected = true;
  const got: number[] = [];
  await vi.waitFor(async () => {
    const last = sent.at(-1);
    if (last && last.sequence !== got.at(-1)) {
      got.push(last.sequence);
      expect(last.sentAt).toBeGreaterThanOrEqual(last.at);
      const { boot, sequence } = last;
      await metricsQueue.take({ type: "metricsAck", boot, sequence });
    }
    expect(got.length).toBeGreaterThan(4);
  }, deadline);
  end.abort();
  await run;
  expect(got).toEqual(got.map((_, at) => at + 1));
});

test("a device whose own metrics fail or hang sends those of its links", async () => {
  const sent: MessageFromEdge<"metrics">[] = [];
  const link = {
    isConnected: true,
    send: (message: FromEdge) => {
      if (message.type !== "metrics") return false;
      sent.push(message);
      const { boot, sequence } = message;
      // As the controller does: also of one that went to the disk while its first acknowledgement was under way.
      setImmediate(() => void metricsQueue.take({ type: "metricsAck", boot, sequence }));
      return true;
    },
  };
  let readings = 0;
  const metrics = (): Promise<never> => {
    readings += 1;
    return readings === 1 ? Promise.reject(new Error("no /proc")) : new Promise(() => {});
  };
  const spool = await spoolOf();
  const metricsQueue = new MetricsQueue({
    ...{ clock, random: systemRandom, log: pino({ level: "silent" }), link, spool },
    accepts: () => false,
    machine: { metrics } as unknown as Machine,
  });
  const end = new AbortController();
  metricsQueue.add([measure(0)]);
  const run = metricsQueue.run(end.signal);
  await vi.waitFor(() => expect(sent.at(-1)?.sequence).toBeGreaterThan(2), { timeout: 25_000 });
  const unread = { lines: [], cpuPercent: null, memoryPercent: null };
  expect(sent).toMatchObject(sent.map(() => unread));
  expect(sent[0]?.links).toMatchObject([{ id: 7 }]);
  // One that hangs is not asked a second time.
  expect(readings).toBe(2);
  end.abort();
  await run;
});

test("counters are read for a controller that stores what they say, and wait for one that does not", async () => {
  const sent: MessageFromEdge<"metrics">[] = [];
  const link = {
    isConnected: true,
    send: (message: FromEdge) => {
      if (message.type !== "metrics") return false;
      sent.push(message);
      const { boot, sequence } = message;
      setImmediate(() => void queue.take({ type: "metricsAck", boot, sequence }));
      return true;
    },
  };
  let isAccepted = false;
  let counted = 0;
  const machine = {
    metrics: async () => ({ lines: [], cpuPercent: 1, memoryPercent: 2 }),
    hits: async () => {
      counted += 1;
      return [{ family: "xaclrules", id: 4, count: counted }];
    },
  } as unknown as Machine;
  const queue = new MetricsQueue({
    ...{ clock, random: systemRandom, log: pino({ level: "silent" }), link, machine },
    spool: await spoolOf(),
    accepts: (addition) => isAccepted && addition === "metrics.hits",
  });
  const end = new AbortController();
  const run = queue.run(end.signal);
  const deadline = { timeout: 20_000, interval: 5 };
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(1), deadline);
  expect([counted, sent.filter(({ hits }) => hits)]).toEqual([0, []]);
  isAccepted = true;
  await vi.waitFor(
    () => expect(sent.filter(({ hits }) => hits).length).toBeGreaterThan(1),
    deadline,
  );
  end.abort();
  await run;
  const reported = new Map(sent.map(({ sequence, hits }) => [sequence, hits?.[0]?.count ?? 0]));
  const counts = [...reported.values()].filter((count) => count > 0);
  expect(counts).toEqual(counts.map((_, at) => at + 1));
});
