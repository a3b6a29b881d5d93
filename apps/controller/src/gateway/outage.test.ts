/** PostgreSQL is unavailable for a while: the real server, behind a connection that is cut and restored. */
import { once } from "node:events";
import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPools, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { FakeEdge, type Line } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../test/loop-world.ts";
import { Wire } from "../../test/wire.ts";
import { type Gateway, startGateway } from "./start.ts";

let world: LoopWorld;
let wire: Wire;
let pools: Pools<Database>;
let gateway: Gateway;

beforeAll(async () => {
  world = await loopWorld();
  wire = new Wire(new URL(world.api.database.url));
  await wire.mend();
  pools = await openPools<Database>(wire.url.href);
  const app = fastify();
  app.decorate("weft", world.api.app.weft);
  gateway = await startGateway({
    app,
    pools,
    dataDir: world.dataDir,
    logger: pino({ level: "silent" }),
    settings: { edgePort: 0, edgeAddresses: ["wss://127.0.0.1:0"] },
    times: { ...world.times, pollMs: 100, settleMs: 50 },
  });
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await pools.end();
  await wire.cut();
  await world.close();
});

interface Held {
  readonly site: Site;
  readonly edge: FakeEdge;
  readonly line: Line;
  isClosed: boolean;
}

const held = async (): Promise<Held> => {
  const site = await world.addSite();
  const edge = new FakeEdge(`https://127.0.0.1:${gateway.port}`, site.sn);
  await edge.enrol(await world.claim(site.id));
  const one = { site, edge, line: await edge.connect(), isClosed: false };
  void one.line.closed.then(() => {
    one.isClosed = true;
  });
  one.line.send(edge.report());
  return one;
};
/** Resolves when everything sent before has been processed. */
const ponged = async ({ line }: Held): Promise<void> => {
  line.socket.ping();
  await once(line.socket, "pong", { signal: AbortSignal.timeout(60_000) });
};
const isOnline = async ({ site }: Held) => (await world.stateOf(site.id)).online;
const heartbeat = (steps: number) => ({
  type: "heartbeat",
  running: null,
  drift: { steps, hash: "a".repeat(64) },
});

test("sockets stay open, messages that must not be lost are queued, and presence is correct afterwards", async () => {
  const all: Held[] = [];
  for (let at = 0; at < 6; at += 1) all.push(await held());
  const [speaker, ...others] = all as [Held, ...Held[]];
  const leavers = others.splice(0, 2);
  for (const one of all) await ponged(one);

  await wire.cut();
  for (const { line } of others) {
    line.send(heartbeat(2));
    line.send({ type: "measures", links: [] });
    line.send({ type: "transition", links: [{ id: 1, up: false }] });
  }
  const tunnelKey = Buffer.alloc(32, 7).toString("base64");
  speaker.line.send(
    speaker.edge.report({ tunnelKeys: [{ id: "k2", publicKey: tunnelKey }], version: "later" }),
  );
  for (const { line } of leavers) line.socket.close();
  await Promise.all(leavers.map(({ line }) => line.closed));
  for (const one of others) await ponged(one);
  // A new device is asked to connect later.
  const late = others[0]?.edge.open() as Line;
  const { nonce } = await late.next("challenge");
  late.send((others[0] as Held).edge.hello(nonce, "x".repeat(32)));
  expect((await late.next("refused")).reason).toBe("busy");
  expect(all.filter(({ isClosed }) => isClosed)).toEqual(leavers);

  await wire.mend();
  await eventually(async () => gateway.ready(), "the gateway sees its database");
  await ponged(speaker);
  expect((await world.stateOf(speaker.site.id)).version).toBe("later");
  for (const leaver of leavers) await eventually(async () => !(await isOnline(leaver)), "gone");
  for (const one of [speaker, ...others]) {
    expect(await isOnline(one)).toBe(true);
    expect(one.isClosed).toBe(false);
    one.line.send(heartbeat(3));
    await ponged(one);
    expect((await world.stateOf(one.site.id)).driftSteps).toBe(3);
  }
});
