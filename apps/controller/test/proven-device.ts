/** A device on a gateway whose rows are in memory, over a socket without a network. */
import type { FromController } from "@weft/contract/device/v1/messages.ts";
import { expect } from "vitest";
import type { DeviceSocket } from "#gateway/clock.ts";
import { defaultTimes, Hub } from "#gateway/hub.ts";
import { FakeEdge, nonce } from "./fake-edge.ts";
import type { ManualClock } from "./manual-clock.ts";
import { MemoryRows, memoryStore, type Travel } from "./memory-store.ts";
import { smallState } from "./small-state.ts";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
type Listener = (data: Buffer | string, isBinary: boolean) => void;

/** The device has its first state. `travel` may fail or hold up calls of the gateway to its store. */
export async function provenDevice(travel: Travel, clock: ManualClock | null = null) {
  const rows = new MemoryRows(() => 0);
  const edge = new FakeEdge("https://127.0.0.1:1", "SN-0001");
  edge.node = 1;
  rows.addNode(1, { publicKey: edge.publicKey, enterpriseId: 1, sn: "SN-0001", state: "approved" });
  rows.publish(1, smallState(1, "device"));
  const identity = { publicKey: "", sign: () => "A".repeat(86) };
  const times = { ...defaultTimes, settleMs: 0 };
  const store = memoryStore(rows, travel);
  const hub = new Hub({
    store,
    identity,
    logger: quiet,
    times,
    ...(clock && { clock }),
    changed: () => {},
    keepMetrics: async () => false,
  });
  const messages: FromController[] = [];
  const pongs: string[] = [];
  const listeners = new Map<string, Listener>();
  const socket: DeviceSocket = {
    ...{
      readyState: 1,
      OPEN: 1,
      bufferedAmount: 0,
      ping() {},
      pause() {},
      resume() {},
      close() {},
      terminate() {},
    },
    once: () => {},
    on: (event: string, listener: never) => listeners.set(event, listener),
    send: (text: string) => messages.push(JSON.parse(text)),
    pong: (data: Buffer) => pongs.push(String(data)),
  };
  hub.open(socket, "192.0.2.1", () => {});
  const send = (message: object) => listeners.get("message")?.(JSON.stringify(message), false);
  const challenge = messages[0]?.type === "challenge" ? messages[0].nonce : "";
  send(edge.hello(challenge, nonce()));
  await expect.poll(() => messages.at(-1)?.type).toBe("welcome");
  send(edge.report());
  await expect.poll(() => messages.at(-1)?.type).toBe("head");
  // What it may have to report of earlier sockets is reported.
  clock?.advance(1);
  const ping = () => listeners.get("ping")?.(Buffer.from("7"), false);
  return { hub, rows, messages, pongs, send, ping };
}
