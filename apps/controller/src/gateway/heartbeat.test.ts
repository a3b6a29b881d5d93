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

test("of sockets that end at the same moment all are written by two statements", async () => {
  let ends = 0;
  let release = (): void => undefined;
  const { hub, rows, connect } = memoryGateway(async (call, work) => {
    if (call === "writeSeen") {
      ends += 1;
      if (ends === 1) await new Promise<void>((resolve) => (release = resolve));
    }
    return work();
  });
  const devices = await Promise.all([1, 2, 3, 4, 5].map((node) => connect(node)));
  const online = () => [...rows.nodes.values()].filter(({ status }) => status?.online).length;
  expect(online()).toBe(5);
  for (const { ends: end } of devices) end();
  await expect.poll(() => ends).toBeGreaterThan(0);
  release();
  await expect.poll(online).toBe(0);
  expect(ends).toBe(2);
  await hub.close();
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
