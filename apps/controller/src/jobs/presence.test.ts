import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope, openPools, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { eventually } from "../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../test/tenants.ts";
import { Wire } from "../../test/wire.ts";
import { createPresenceWatch } from "./presence.ts";

let api: TestApi;
let wire: Wire;
let pools: Pools<Database>;
let silent: number;
let seen: number;

beforeAll(async () => {
  api = await testApi();
  wire = new Wire(new URL(api.database.url));
  await wire.mend();
  pools = await openPools<Database>(wire.url.href, { max: 2 });
  const admin = await api.logIn("admin");
  const add = async (alias: string): Promise<number> => {
    const row = { alias, sn: `SN-${alias}`, groupid: 1 };
    const draft = wireDraft("cpe", "valid", { groupid: 1, cpeId: 0, popId: 0 }, row);
    return newIdOf(await api.post(cpe.ops.add.path, draft, admin));
  };
  [silent, seen] = [await add("silent"), await add("seen")];
  await rows(sql`insert into node_status (node_id, enterprise_id)
    select id, enterprise_id from node where kind = 'cpe'`);
}, 60_000);
afterAll(async () => {
  await pools.end();
  await wire.cut();
  await api.close();
});

const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  inScope(api.database.pools.apiAll, { kind: "all" }, async (trx) => {
    return (await query.execute(trx)).rows;
  });
const online = async (): Promise<number[]> =>
  (
    await rows(sql<{ id: number }>`select node_id as id from node_status where online order by 1`)
  ).map(({ id }) => id);
/** Both are online; one was seen just now, the other an hour ago. */
const start = () =>
  rows(sql`update node_status set online = true, last_seen = now() - case node_id
    when ${silent} then interval '1 hour' else interval '0 s' end`);
/** The database's clock goes on by this. */
const pass = (ms: number) => rows(sql`select pg_sleep(${ms / 1_000})`);

const times = { silentMs: 2_000, gapMs: 1_000 };

test("a device is offline whose gateway was silent while the database was there", async () => {
  await start();
  const watch = createPresenceWatch(pools, { ...times, gapMs: 60_000 });
  for (let round = 0; round < 2; round += 1) await watch.run();
  expect(await online()).toEqual([silent, seen]);
  await pass(2_100);
  await rows(sql`update node_status set last_seen = now() where node_id = ${seen}`);
  await watch.run();
  expect(await online()).toEqual([seen]);
});

test("no device is offline because gateways could not write either", async () => {
  await start();
  const watch = createPresenceWatch(pools, times);
  await watch.run();
  await wire.cut();
  await expect(watch.run()).rejects.toThrow();
  await pass(2_100);
  await wire.mend();
  await watch.run();
  expect(await online()).toEqual([silent, seen]);
});

test("no device is offline because no gateway listens, nor before one has listened for that time", async () => {
  const own = api.database.pools.owner.db;
  await sql`update weft.gateway_process set seen_at = now() - interval '2 minutes'`.execute(own);
  await start();
  const watch = createPresenceWatch(pools, { ...times, gapMs: 60_000 });
  await watch.run();
  await pass(2_100);
  await watch.run();
  expect(await online()).toEqual([silent, seen]);
  await sql`update weft.gateway_process set started_at = now(), seen_at = 'infinity'`.execute(own);
  await watch.run();
  expect(await online()).toEqual([silent, seen]);
  await pass(2_100);
  await watch.run();
  expect(await online()).toEqual([]);
  await sql`update weft.gateway_process set started_at = now() - interval '1 hour'`.execute(own);
});

test("checks that hang in a server that was paused are no sign of it either", async () => {
  await start();
  const watch = createPresenceWatch(pools, times);
  for (let round = 0; round < 9; round += 1) {
    await rows(sql`update node_status set last_seen = now()`);
    await watch.run();
    await pass(300);
  }
  wire.silence();
  const late = watch.run();
  await pass(2_100);
  wire.speak();
  await late;
  expect(await online()).toEqual([silent, seen]);
  await eventually(
    async () => {
      await watch.run();
      return (await online()).length === 0;
    },
    "silent for longer than that, and the database is there",
    20_000,
  );
});
