/** A heartbeat that says nothing new costs no transaction, nor does each end of many sockets, and nothing is missed by that. */
import { expect, test } from "vitest";
import { memoryDevice, memoryGateway } from "../../test/memory-device.ts";
import type { Travel } from "../../test/memory-store.ts";
import { smallState } from "../../test/small-state.ts";
import { StoreAway } from "./store.ts";

/** What it may have to report of earlier sockets is reported. */
async function proven(travel: Travel) {
  const device = await memoryDevice(travel);
  device.clock.advance(1);
  return device;
}
type Device = Awaited<ReturnType<typeof proven>>;
/** Resolves when everything sent before has been processed. */
const ponged = async ({ pongs, ping }: Device): Promise<void> => {
  const before = pongs.length;
  ping();
  await expect.poll(() => pongs.length).toBe(before + 1);
};
const serialsOf = ({ messages }: Device): number[] =>
  messages.flatMap((one) => (one.type === "head" ? [one.head.serial] : []));
const heartbeat = (steps = 0) => ({
  type: "heartbeat",
  running: null,
  drift: { steps, hash: "a".repeat(64) },
});
/** The first state ended: nothing is in the way of a newer one. */
const failed = { type: "outcome", epoch: 1, serial: 1, outcome: "failed", reason: "test" };

test("a heartbeat that says nothing new makes no call to the store; the watch finds what is due", async () => {
  const calls: string[] = [];
  const device = await proven(async (call, work) => {
    calls.push(call);
    return work();
  });
  device.send(failed);
  device.send(heartbeat());
  await ponged(device);
  expect(calls.slice(-2)).toEqual(["keepHeartbeat", "takeNext"]);
  calls.splice(0);
  for (let n = 0; n < 3; n += 1) device.send(heartbeat());
  await ponged(device);
  expect(calls).toEqual([]);
  // Drift is news.
  device.send(heartbeat(2));
  await ponged(device);
  expect(calls.splice(0)).toEqual(["keepHeartbeat", "takeNext"]);

  device.rows.publish(1, smallState(1, "changed"));
  device.send(heartbeat(2));
  await ponged(device);
  expect(calls).toEqual([]);
  await device.hub.watch();
  await expect.poll(() => serialsOf(device)).toEqual([1, 2]);
  await device.hub.close();
});

test("the watch finds a state behind one that waits for an operator", async () => {
  const device = await proven(async (_call, work) => work());
  device.send(failed);
  await ponged(device);
  device.rows.publish(1, smallState(1, "second"));
  device.rows.publish(1, smallState(1, "third"), { held: true });
  await device.hub.watch();
  await expect.poll(() => serialsOf(device)).toEqual([1, 2]);
  await device.hub.close();
});

test("a state that was marked as delivered while the answer was lost goes with the next heartbeat", async () => {
  let isLost = false;
  const device = await proven(async (call, work) => {
    const done = work();
    if (call !== "takeNext" || !isLost) return done;
    isLost = false;
    throw new StoreAway(new Error("the connection ended after COMMIT"));
  });
  device.send(failed);
  device.send(heartbeat());
  await ponged(device);
  device.rows.publish(1, smallState(1, "changed"));
  isLost = true;
  await device.hub.watch();
  await ponged(device);
  expect(device.rows.newest(1)?.outcome).toBe("delivered");
  expect(serialsOf(device)).toEqual([1]);
  device.send(heartbeat());
  await expect.poll(() => serialsOf(device)).toEqual([1, 2]);
  await device.hub.close();
});

const isOnline = ({ rows }: { rows: Device["rows"] }, node: number) =>
  rows.nodes.get(node)?.status?.online;

/** A gateway whose calls of `writeSeen` wait, each until it is let go on. */
function slowPresence() {
  const waiting: (() => void)[] = [];
  let calls = 0;
  const gateway = memoryGateway(async (call, work) => {
    if (call === "writeSeen") {
      calls += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return work();
  });
  return {
    ...gateway,
    calls: () => calls,
    /** One of them is done: of several the last one. */
    go: async () => {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.pop()?.();
    },
  };
}

test("of sockets that end at the same moment all are written by one statement", async () => {
  const gateway = slowPresence();
  const devices = await Promise.all([1, 2, 3, 4, 5, 6].map((node) => gateway.connect(node)));
  const online = () => [1, 2, 3, 4, 5, 6].filter((node) => isOnline(gateway, node)).length;
  expect(online()).toBe(6);
  const [first, ...others] = devices;
  first?.ends();
  await expect.poll(gateway.calls).toBe(1);
  for (const { ends: end } of others) end();
  await gateway.go();
  await expect.poll(online).toBe(5);
  await gateway.go();
  await expect.poll(online).toBe(0);
  expect(gateway.calls()).toBe(2);
  await gateway.hub.close();
});

test("a socket that ends while it is written that it is seen does not stay online", async () => {
  const gateway = slowPresence();
  const [first, second] = [await gateway.connect(1), await gateway.connect(2)];
  // Once a minute all that is open is written.
  for (let times = 0; times < 3; times += 1) {
    for (const { send } of [first, second]) send(heartbeat());
    gateway.clock.advance(20_000);
  }
  await expect.poll(gateway.calls).toBe(1);
  second.ends();
  await gateway.go();
  await gateway.go();
  await expect.poll(() => isOnline(gateway, 2)).toBe(false);
  expect(isOnline(gateway, 1)).toBe(true);
  void gateway.hub.close();
});

test("an end that the store refuses is in the way of no other, and is written later", async () => {
  let isRefused = true;
  const { hub, rows, clock, connect } = memoryGateway();
  const write = rows.writeSeen.bind(rows);
  rows.writeSeen = (sockets, online) => {
    if (isRefused && sockets.some(({ node }) => node === 3)) throw new Error("refused for one row");
    return write(sockets, online);
  };
  const devices = await Promise.all([1, 2, 3, 4, 5].map((node) => connect(node)));
  for (const { ends: end } of devices.slice(0, 4)) end();
  const online = () => [1, 2, 3, 4, 5].filter((node) => isOnline({ rows }, node));
  await expect.poll(online).toEqual([3, 5]);
  isRefused = false;
  clock.advance(5_000);
  await expect.poll(online).toEqual([5]);
  await hub.close();
});

test("an end that could not be written is when the gateway is closed", async () => {
  let isRefused = true;
  const { hub, rows, connect } = memoryGateway(async (call, work) => {
    if (call === "writeSeen" && isRefused) throw new Error("refused");
    return work();
  });
  const device = await connect(1);
  device.ends();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOnline({ rows }, 1)).toBe(true);
  isRefused = false;
  await hub.close();
  expect(isOnline({ rows }, 1)).toBe(false);
});

test("a device that comes back while its end waits to be written stays online", async () => {
  const gateway = slowPresence();
  const [first, second] = [await gateway.connect(1), await gateway.connect(2)];
  first.ends();
  await expect.poll(gateway.calls).toBe(1);
  second.ends();
  await second.again();
  await gateway.go();
  await gateway.go();
  await expect.poll(() => isOnline(gateway, 1)).toBe(false);
  expect(isOnline(gateway, 2)).toBe(true);
  void gateway.hub.close();
});

test("a gateway that ends calls none of its devices lost, and one that left before is", async () => {
  const { hub, rows, connect } = memoryGateway(async (_call, work) => work());
  const [first] = await Promise.all([1, 2, 3].map((node) => connect(node)));
  const online = () =>
    [...rows.nodes].flatMap(([node, { status }]) => (status?.online ? [node] : []));
  first?.ends();
  await expect.poll(online).toEqual([2, 3]);
  await hub.close();
  expect(online()).toEqual([2, 3]);
});

test("a device whose way back to a gateway that has just started takes too long is not lost, and later it is", async () => {
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const { hub, rows, clock, connect } = memoryGateway(async (call, work) => {
    if (call === "openPresence" && isSlow) await new Promise<void>((go) => waiting.push(go));
    return work();
  });
  const device = await connect(1);
  isSlow = true;
  const givesUp = async (): Promise<void> => {
    const { ends } = device.greets();
    await expect.poll(() => waiting.length).toBe(1);
    ends();
    const before = rows.nodes.get(1)?.status?.sessionEpoch;
    waiting.pop()?.();
    await expect.poll(() => rows.nodes.get(1)?.status?.sessionEpoch).not.toBe(before);
  };
  await givesUp();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOnline({ rows }, 1)).toBe(true);
  for (let seconds = 0; seconds < 150; seconds += 10) {
    device.send(heartbeat());
    clock.advance(10_000);
  }
  await givesUp();
  await expect.poll(() => isOnline({ rows }, 1)).toBe(false);
  await hub.close();
});
