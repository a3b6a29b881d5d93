/** Messages with and without contact; time is moved by the test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FromEdge, MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { LinkMeasure, Machine } from "#drivers/driver.ts";
import { openFolder } from "#store/disk.ts";
import { openSpool } from "#store/spool.ts";
import { CrashDisk } from "../../test/crash-disk.ts";
import { seededRandom, VirtualClock } from "../../test/virtual-clock.ts";
import { MetricsQueue, type MetricsQueueDeps, meanOfRounds } from "./metrics-queue.ts";

const measure = (lossPercent: number | null): LinkMeasure => ({
  id: 7,
  up: true,
  rttMs: 10,
  jitterMs: null,
  lossPercent,
  inRate: 4,
  outRate: null,
});

let time: VirtualClock;
beforeEach(() => {
  time = new VirtualClock();
});

/** A queue that runs until the test ends, over a disk in memory: only then does no time pass while it works. */
const running = async (
  given: Pick<MetricsQueueDeps, "link" | "machine" | "accepts"> &
    Partial<Pick<MetricsQueueDeps, "recordsBytes">>,
) => {
  const deps = { recordsBytes: () => true, ...given };
  const spool = await openSpool(new CrashDisk().open());
  const { clock } = time.process();
  const log = pino({ level: "silent" });
  const queue = new MetricsQueue({ ...deps, clock, random: seededRandom(1), log, spool });
  const end = new AbortController();
  const run = queue.run(end.signal);
  onTestFinished(async () => {
    end.abort();
    await run;
  });
  return { queue, spool };
};

test("the spool keeps the newest, in order, over a restart", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "weft-spool-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spoolOf = async (limit?: number) => openSpool(await openFolder(folder, false), limit);
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
  const machine = { metrics } as unknown as Machine;
  const { queue, spool } = await running({ link, machine, accepts: () => false });
  await time.advance(75_000);
  // The newest of five is written when the next one is made.
  expect(spool.size).toBe(4);
  expect(sent).toEqual([]);
  link.isConnected = true;
  const got: number[] = [];
  while (got.length < 5) {
    await time.advance(1_500);
    // The next one waits for the acknowledgement of this one.
    expect(sent).toHaveLength(got.length + 1);
    const last = sent.at(-1);
    if (!last) throw new Error("nothing was sent");
    expect(last.sentAt).toBeGreaterThanOrEqual(last.at);
    const { boot, sequence } = last;
    got.push(sequence);
    await queue.take({ type: "metricsAck", boot, sequence });
  }
  expect(got).toEqual([1, 2, 3, 4, 5]);
  expect(spool.size).toBe(0);
});

/** A connection whose controller acknowledges what it gets, and what it got. */
const acknowledging = () => {
  const sent: MessageFromEdge<"metrics">[] = [];
  const ack: { take: MetricsQueue["take"] | null } = { take: null };
  const link = {
    isConnected: true,
    send: (message: FromEdge) => {
      if (message.type !== "metrics") return false;
      sent.push(message);
      const { boot, sequence } = message;
      void Promise.resolve().then(() => ack.take?.({ type: "metricsAck", boot, sequence }));
      return true;
    },
  };
  return { sent, link, ack };
};

test("a device whose own metrics fail or hang sends those of its links", async () => {
  const { sent, link, ack } = acknowledging();
  let readings = 0;
  const metrics = (): Promise<never> => {
    readings += 1;
    return readings === 1 ? Promise.reject(new Error("no /proc")) : new Promise(() => {});
  };
  const machine = { metrics } as unknown as Machine;
  const { queue } = await running({ link, machine, accepts: () => false });
  ack.take = (message) => queue.take(message);
  queue.add([measure(0)]);
  await time.advance(75_000);
  expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  const unread = { lines: [], cpuPercent: null, memoryPercent: null };
  expect(sent).toMatchObject(sent.map(() => unread));
  expect(sent[0]?.links).toMatchObject([{ id: 7 }]);
  // One that hangs is not asked a second time.
  expect(readings).toBe(2);
});

test("counters are read for a controller that stores them, and are kept for one that does not", async () => {
  const { sent, link, ack } = acknowledging();
  let isAccepted = false;
  let counted = 0;
  const machine = {
    metrics: async () => ({ lines: [], cpuPercent: 1, memoryPercent: 2 }),
    hits: async () => {
      counted += 1;
      return [{ family: "xaclrules", id: 4, count: counted }];
    },
  } as unknown as Machine;
  const { queue } = await running({
    link,
    machine,
    accepts: (addition) => isAccepted && addition === "metrics.hits",
  });
  ack.take = (message) => queue.take(message);
  await time.advance(35_000);
  expect(sent).toHaveLength(2);
  expect([counted, sent.filter(({ hits }) => hits)]).toEqual([0, []]);
  isAccepted = true;
  await time.advance(45_000);
  expect(sent.map(({ hits }) => hits?.[0]?.count ?? 0)).toEqual([0, 0, 1, 2, 3]);
});
