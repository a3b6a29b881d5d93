/** Sockets of strangers that prove nothing, while a device connects. */
import { once } from "node:events";
import { socketPath } from "@weft/contract/device/v1/messages.ts";
import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { FakeEdge } from "../../test/fake-edge.ts";
import { type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { type Gateway, startGateway } from "./start.ts";

/** Sockets that have not proven themselves, as few as to be opened quickly. */
const silent = 30;

let world: LoopWorld;
let gateway: Gateway;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  world = await loopWorld();
  const app = fastify();
  app.decorate("weft", world.api.app.weft);
  const write = (line: string): void => void lines.push(JSON.parse(line));
  gateway = await startGateway({
    app,
    pools: world.api.database.pools,
    dataDir: world.dataDir,
    logger: pino({ level: "warn" }, { write }),
    settings: { edgePort: 0, edgeAddresses: ["wss://127.0.0.1:0"] },
    // None of them ends for its time in this test.
    times: { ...world.times, handshakeMs: 600_000 },
    bounds: { inAll: 100, silent, ofSource: 8 },
  });
}, 120_000);
afterAll(async () => {
  await gateway.close();
  await world.close();
});

async function stranger(): Promise<WebSocket> {
  const url = `wss://127.0.0.1:${gateway.port}${socketPath}`;
  const socket = new WebSocket(url, { rejectUnauthorized: false });
  socket.on("error", () => undefined);
  await once(socket, "message");
  return socket;
}

test("the oldest of them end, and the device finds its place, the first time and again", async () => {
  const site = await world.addSite();
  const edge = new FakeEdge(`https://127.0.0.1:${gateway.port}`, site.sn);
  const before: WebSocket[] = [];
  for (let at = 0; at < silent + 5; at += 1) before.push(await stranger());
  await edge.enrol(await world.claim(site.id));
  const line = await edge.connect();
  const open = () => before.filter(({ readyState }) => readyState === WebSocket.OPEN);
  // The oldest went, and no more of them than others came.
  await expect.poll(() => open().length).toBeLessThanOrEqual(silent);
  expect(open()).toContain(before.at(-1));
  expect(open()).not.toContain(before[0]);
  // One that has proven itself is not among them, whatever comes.
  for (let at = 0; at < silent + 5; at += 1) before.push(await stranger());
  line.send(edge.report());
  line.socket.ping();
  await once(line.socket, "pong");
  line.socket.close();
  await line.closed;
  const again = await edge.connect();
  again.socket.ping();
  await once(again.socket, "pong");
  again.socket.close();
  await expect
    .poll(() => lines.some(({ msg }) => String(msg).startsWith("connections to the edge port")))
    .toBe(true);
  for (const one of before) one.terminate();
});
