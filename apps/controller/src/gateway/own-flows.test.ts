import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { expect, test } from "vitest";
import { type FlowHost, OwnFlows } from "./own-flows.ts";

const device = { node: 7, publicKey: "key", enterpriseId: 3, sn: "SN-7" };
const minute = 60_000;

/** Records of flows that ended so many minutes ago, each after a minute. */
const message = (...minutes: number[]): MessageFromEdge<"flows"> => ({
  type: "flows",
  boot: "A".repeat(22),
  sequence: 1,
  dropped: 0,
  items: minutes.map((ago) => ({
    ago: ago * minute,
    durationMs: minute,
    source: "10.1.1.100",
    sourcePort: 1,
    destination: "192.0.2.1",
    destinationPort: 443,
    protocol: 6,
    inBytes: 1,
    outBytes: 1,
  })),
});

function started() {
  const store = { isOn: true, since: null as Date | null, isAway: false };
  const state = { now: 0, reads: 0, isFull: false };
  const kept: number[] = [];
  const host: FlowHost = {
    store: {
      async flowRecording() {
        state.reads += 1;
        if (store.isAway) throw new Error("away");
        return { isOn: store.isOn, since: store.since };
      },
    },
    logger: { warn: () => undefined },
    async keepFlows({ enterpriseId }, { items }) {
      expect(enterpriseId).toBe(3);
      kept.push(items.length);
      return !state.isFull;
    },
    now: () => state.now,
  };
  return { store, state, kept, own: new OwnFlows(host) };
}

test("records are kept while the log is on, and the device may forget them once they are stored", async () => {
  const { state, kept, own } = started();
  expect(await own.keep(device, message(5, 1))).toBe(true);
  state.isFull = true;
  expect(await own.keep(device, message(5))).toBe(false);
  expect(kept).toEqual([2, 1]);
  expect(state.reads).toBe(1);
});

test("of a device that records while the log is off nothing is kept, and it may forget it", async () => {
  const { store, state, kept, own } = started();
  await own.keep(device, message(1));
  store.isOn = false;
  // By the state that the device is sent, or, while that one is held, by the time that passes.
  own.stateSent();
  expect(await own.keep(device, message(1))).toBe(true);
  store.isOn = true;
  state.now = 2 * minute;
  expect(await own.keep(device, message(1))).toBe(true);
  store.isOn = false;
  state.now = 4 * minute;
  expect(await own.keep(device, message(1))).toBe(true);
  expect(kept).toEqual([1, 1]);
});

test("of a device that moved nothing is kept of hosts of its former enterprise", async () => {
  const { store, kept, own } = started();
  store.since = new Date(Date.now() - 10 * minute);
  expect(await own.keep(device, message(60, 11, 9.5, 5))).toBe(true);
  expect(kept).toEqual([1]);
  expect(await own.keep(device, message(60))).toBe(true);
  expect(kept).toEqual([1]);
});

test("records stay with the device while it is not known whether they are kept", async () => {
  const { store, kept, own } = started();
  store.isAway = true;
  expect(await own.keep(device, message(1))).toBe(false);
  store.isAway = false;
  expect(await own.keep(device, message(1))).toBe(true);
  expect(kept).toEqual([1]);
});
