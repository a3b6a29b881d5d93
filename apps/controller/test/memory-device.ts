/** Devices that have proven themselves to a gateway whose rows are in memory: no socket and no database. */
import type { FromController } from "@weft/contract/device/v1/messages.ts";
import { expect } from "vitest";
import type { DeviceSocket } from "#gateway/clock.ts";
import { defaultTimes, Hub } from "#gateway/hub.ts";
import { FakeEdge, nonce } from "./fake-edge.ts";
import { ManualClock } from "./manual-clock.ts";
import { MemoryRows, memoryStore, type Travel } from "./memory-store.ts";
import { smallState } from "./small-state.ts";

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
type Listener = (data: Buffer | string, isBinary: boolean) => void;

/** @param travel fails or delays calls of the gateway's database */
export function memoryGateway(travel?: Travel) {
  const rows = new MemoryRows(() => 0);
  const identity = { publicKey: "", sign: () => "A".repeat(86) };
  const clock = new ManualClock();
  const hub = new Hub({
    store: memoryStore(rows, travel),
    identity,
    logger: silent,
    clock,
    times: { ...defaultTimes, settleMs: 0 },
    changed: () => {},
    keepMetrics: async () => false,
    keepFlows: async () => false,
  });
  return { hub, rows, clock, connect: (node: number) => connect({ hub, rows }, node) };
}

/** The only device of a gateway. @param travel as of memoryGateway */
export async function memoryDevice(travel?: Travel) {
  const { connect: connectNode, ...gateway } = memoryGateway(travel);
  return { ...gateway, ...(await connectNode(1)) };
}

async function connect(
  { hub, rows }: { readonly hub: Hub; readonly rows: MemoryRows },
  node: number,
) {
  const sn = `SN-${String(node).padStart(4, "0")}`;
  const edge = new FakeEdge("https://127.0.0.1:1", sn);
  edge.node = node;
  rows.addNode(node, { publicKey: edge.publicKey, enterpriseId: 1, sn, state: "approved" });
  rows.publish(node, smallState(node, "device"));
  return prove(hub, edge);
}

/** Opens a socket of the device, up to its first state. */
async function prove(hub: Hub, edge: FakeEdge) {
  const socket = greet(hub, edge);
  const { messages, send } = socket;
  await expect.poll(() => messages.at(-1)?.type).toBe("welcome");
  send(edge.report());
  await expect.poll(() => messages.at(-1)?.type).toBe("head");
  return {
    ...socket,
    /** It connects once more. */
    again: () => prove(hub, edge),
    /** It connects once more, and waits for nothing. */
    greets: () => greet(hub, edge),
  };
}

/** Opens a socket of the device that says who it is. */
function greet(hub: Hub, edge: FakeEdge) {
  const messages: FromController[] = [];
  const pongs: string[] = [];
  const listeners = new Map<string, Listener>();
  let unread: { readonly bytes: number; readonly left: () => void }[] = [];
  let isReading = true;
  const socket: DeviceSocket = {
    readyState: 1,
    OPEN: 1,
    get bufferedAmount() {
      return unread.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    ping() {},
    pause() {},
    resume() {},
    close() {},
    terminate() {},
    once: () => {},
    on: (event: string, listener: never) => listeners.set(event, listener),
    send: (text: string, left: () => void) => {
      messages.push(JSON.parse(text));
      if (isReading) left();
      else unread.push({ bytes: Buffer.byteLength(text), left });
    },
    pong: (data: Buffer) => pongs.push(String(data)),
  };
  hub.open(socket, "192.0.2.1", () => {});
  const send = (message: object) => listeners.get("message")?.(JSON.stringify(message), false);
  const challenge = messages[0]?.type === "challenge" ? messages[0].nonce : "";
  send(edge.hello(challenge, nonce()));
  return {
    messages,
    pongs,
    send,
    ping: () => listeners.get("ping")?.(Buffer.from("7"), false),
    /** Its connection ends. */
    ends: () => listeners.get("close")?.("", false),
    /** Bytes of messages that it has not read. */
    unread: () => socket.bufferedAmount,
    stopsReading: () => {
      isReading = false;
    },
    /** It reads the first message that waits for it. */
    readsOne: () => unread.shift()?.left(),
    /** It reads what waits for it, and all that comes from now on. */
    reads: () => {
      isReading = true;
      const waiting = unread;
      unread = [];
      for (const { left } of waiting) left();
    },
  };
}
