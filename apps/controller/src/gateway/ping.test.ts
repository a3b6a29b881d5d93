import type { FromController } from "@weft/contract/device/v1/messages.ts";
import { expect, test } from "vitest";
import { FakeEdge, nonce } from "../../test/fake-edge.ts";
import { MemoryRows, memoryStore, type Travel } from "../../test/memory-store.ts";
import { smallState } from "../../test/small-state.ts";
import type { DeviceSocket } from "./clock.ts";
import { defaultTimes, Hub } from "./hub.ts";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
type Listener = (data: Buffer | string, isBinary: boolean) => void;

/** A proven device on a gateway whose database fails the calls that `travel` fails. */
const proven = async (travel: Travel) => {
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
  const ping = () => listeners.get("ping")?.(Buffer.from("7"), false);
  return { hub, rows, messages, pongs, send, ping };
};

const reverted = { type: "outcome", epoch: 1, serial: 1, outcome: "reverted", reason: "test" };

test("a ping is answered once all that came before it is committed", async () => {
  let commit = (): void => {};
  const device = await proven(async (call, work) => {
    if (call === "keepOutcome") await new Promise<void>((resolve) => (commit = resolve));
    return work();
  });
  device.send(reverted);
  device.ping();
  await new Promise((resolve) => setImmediate(resolve));
  expect(device.pongs).toEqual([]);
  commit();
  await expect.poll(() => device.pongs).toEqual(["7"]);
  expect(device.rows.newest(1)?.outcome).toBe("reverted");
  await device.hub.close();
});

test("and not at all when that failed", async () => {
  const device = await proven(async (call, work) => {
    if (call === "keepOutcome") throw new Error("the connection to the database was lost");
    return work();
  });
  device.send(reverted);
  device.ping();
  await expect
    .poll(() => device.messages.at(-1))
    .toMatchObject({ type: "refused", reason: "busy" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(device.pongs).toEqual([]);
  await device.hub.close();
});
