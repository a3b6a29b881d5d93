/** PostgreSQL takes connections and answers nothing: the real one, behind a wire that falls silent. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAway } from "#kernel/database-errors.ts";
import { createApp } from "#start/app.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { eventually } from "../../test/loop-world.ts";
import { Wire } from "../../test/wire.ts";
import { inScope, openPools, type Pools, scopedRead } from "./pool.ts";
import type { Database } from "./schema.ts";

let api: TestApi;
let wire: Wire;
let pools: Pools<Database>;
let app: FastifyInstance;
let token: string;

beforeAll(async () => {
  api = await testApi();
  token = await api.logIn("admin");
  wire = new Wire(new URL(api.database.url));
  await wire.mend();
  pools = await openPools<Database>(wire.url.href, {
    max: 2,
    statementTimeoutMs: 1_000,
    silenceMs: 400,
  });
  app = await createApp({ pools, logger: pino({ level: "silent" }), consoleDir: undefined });
}, 60_000);
afterAll(async () => {
  wire.speak();
  await app.close();
  await pools.end();
  await wire.cut();
  await api.close();
});

const list = async () => {
  const query = { token, page: "1", limit: "10" };
  const reply = await app.inject({ method: "GET", url: cpe.ops.list.path, query });
  return reply.json<{ code: number }>().code;
};
const one = sql<{ one: number }>`select 1 as one`;
const everything = { kind: "all" } as const;
/** Why it failed; a call that hangs fails the test by its time. */
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

test("calls fail as unavailable in bounded time, and go on once it answers", async () => {
  expect(await list()).toBe(0);
  wire.silence();
  // More than there are connections: some wait for one, some wait for an answer on one.
  expect(await Promise.all(Array.from({ length: 8 }, list))).toEqual(Array(8).fill(503));
  wire.speak();
  await eventually(async () => (await list()) === 0, "calls are answered");
});

test('every database operation ends with "server unavailable"', async () => {
  await one.execute(pools.gateway.db);
  const started = inScope(pools.apiAll, everything, async (trx) => {
    await one.execute(trx);
    wire.silence();
    await one.execute(trx);
  });
  expect(isAway(await failure(started))).toBe(true);
  const ways = [
    one.execute(pools.gateway.db),
    inScope(pools.apiAll, everything, (trx) => one.execute(trx)),
    scopedRead(pools.apiAll, everything, (trx) => one.execute(trx)),
    pools.gateway.pg.query("select 1"),
  ];
  expect((await Promise.all(ways.map(failure))).map(isAway)).toEqual(ways.map(() => true));
  wire.speak();
  // Connections that are given up end one by one.
  const answers = () =>
    one.execute(pools.gateway.db).then(
      ({ rows }) => rows.length,
      () => 0,
    );
  await eventually(async () => (await answers()) === 1, "the database answers");
});

test("a statement that takes too long is ended by the server, and its connection stays", async () => {
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const [before] = (await pid.execute(pools.gateway.db)).rows;
  const slow = failure(sql`select pg_sleep(30)`.execute(pools.gateway.db));
  expect(await slow).toMatchObject({ code: "57014" });
  expect((await pid.execute(pools.gateway.db)).rows).toEqual([before]);
});
