/** Several gateways on one database: activation codes contain the addresses of all running ones. */
import { randomUUID } from "node:crypto";
import { decodeClaim } from "@weft/contract/device/v1/claim.ts";
import fastify from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { startGateway } from "./start.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
}, 60_000);
afterAll(() => world.close());

const own = () => `wss://127.0.0.1:${world.gateway.port}`;
const second = ["wss://second.example:8443", "wss://shared.example"];

async function start(edgeAddresses: readonly string[]) {
  const app = fastify();
  app.decorate("weft", world.api.app.weft);
  return startGateway({
    app,
    pools: world.pools,
    dataDir: world.dataDir,
    logger: pino({ level: "silent" }),
    settings: { edgePort: 0, edgeAddresses },
    times: world.times,
  });
}

async function claimed(): Promise<readonly string[] | undefined> {
  const site = await world.addSite();
  return decodeClaim(await world.claim(site.id))?.addresses;
}

test("activation codes contain the addresses of all running gateways, each once, and no others", async () => {
  expect(await claimed()).toEqual([own()]);
  const other = await start(second);
  try {
    expect(await claimed()).toEqual([own(), ...second]);
    const third = await start(["wss://shared.example", "wss://third.example"]);
    expect(await claimed()).toEqual([own(), ...second, "wss://third.example"]);
    await third.close();
    expect(await claimed()).toEqual([own(), ...second]);
  } finally {
    await other.close();
  }
  expect(await claimed()).toEqual([own()]);
});

test("a gateway that was killed counts for 90 s, and is deleted after a day", async () => {
  const { db } = world.pools.owner;
  for (const [address, age] of [
    ["wss://late.example", "80 seconds"],
    ["wss://gone.example", "100 seconds"],
    ["wss://forgotten.example", "25 hours"],
  ]) {
    await sql`insert into weft.gateway_process (id, addresses, started_at, seen_at)
      values (gen_random_uuid(), array[${address}::text], now(), now() - ${age}::interval)`.execute(
      db,
    );
  }
  const other = await start(["wss://new.example"]);
  try {
    expect(await claimed()).toEqual([own(), "wss://late.example", "wss://new.example"]);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from weft.gateway_process
      where addresses && array['wss://gone.example', 'wss://forgotten.example']`.execute(db);
    expect(rows).toEqual([{ n: 1 }]);
  } finally {
    await other.close();
  }
});

test("a gateway that could not say for 90 s that it runs counts as started again", async () => {
  const { owner, gateway } = world.pools;
  const id = randomUUID();
  const note = () => sql`select weft.note_gateway(${id}, '{}'::text[])`.execute(gateway.db);
  const startedAgo = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from now() - started_at) / 3600)::int as hours
      from weft.gateway_process where id = ${id}`.execute(owner.db);
    return rows[0]?.hours;
  };
  for (const [seconds, hours] of [
    [80, 5],
    [100, 0],
  ]) {
    await note();
    await sql`update weft.gateway_process set started_at = now() - interval '5 hours',
      seen_at = now() - ${seconds} * interval '1 second' where id = ${id}`.execute(owner.db);
    await note();
    expect(await startedAgo()).toBe(hours);
  }
});
