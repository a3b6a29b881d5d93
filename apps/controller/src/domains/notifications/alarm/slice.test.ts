/** Which nodes are due, and how often one is. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { takeSlice } from "./slice.ts";

let api: TestApi;
let node = 0;
beforeAll(async () => {
  api = await testApi();
  const [row] = await owner(sql<{ id: number }>`
    insert into weft.node (enterprise_id, kind, name, sn) values (1, 'cpe', 'a', 'A-1') returning id`);
  node = row?.id ?? 0;
  await owner(sql`insert into weft.node_status (node_id, enterprise_id) values (${node}, 1)`);
}, 60_000);
afterAll(() => api.close());

const owner = <Row>(query: ReturnType<typeof sql<Row>>) =>
  query.execute(api.database.pools.owner.db).then(({ rows }) => rows);
const clear = () => owner(sql`delete from weft.alarm_due`);
const rows = async () =>
  (await owner(sql<{ n: number }>`select count(*)::int as n from weft.alarm_due`))[0]?.n;
/** As a check takes them that is no node's turn. */
const take = () =>
  inScope(
    api.database.pools.worker,
    { kind: "enterprises", ids: [], userId: null, ownOnly: false },
    (trx) => takeSlice(trx, null),
  );
const outcome = (name: string, serial: number) =>
  owner(
    sql`update weft.node_state set outcome = ${name} where node_id = ${node} and serial = ${serial}`,
  );
const deliver = async (serial: number, ...steps: readonly string[]) => {
  await owner(sql`insert into weft.node_state
      (node_id, epoch, serial, enterprise_id, sections, digest, cause, created_by)
    values (${node}, 1, ${serial}, 1, '{}', '', 'test', 1)`);
  for (const step of steps) await outcome(step, serial);
};

test("a delivery is due once for all its steps, and some seconds after them", async () => {
  await clear();
  await deliver(1, "delivered", "applied", "confirmed");
  // That it began, and what it came to.
  expect(await rows()).toBe(2);
  expect((await take()).nodes).toEqual([]);
  expect(await rows()).toBe(2);
  await owner(sql`update weft.alarm_due set due_at = now() - interval '1 second'`);
  expect(await take()).toMatchObject({ nodes: [node], more: false });
  expect(await rows()).toBe(0);
});

test("states that change in one statement are a transition each, and make their node due once", async () => {
  await deliver(5, "delivered");
  await deliver(6);
  await clear();
  const since = await owner(sql<{ n: number }>`
    select coalesce(max(sequence), 0)::int as n from weft.transition`);
  // As a confirmation ends the states before it, in a part of the same statement.
  await owner(sql`
    with gone as (
      update weft.node_state set outcome = 'superseded' where node_id = ${node} and serial = 5)
    update weft.node_state set outcome = 'confirmed' where node_id = ${node} and serial = 6`);
  const noted = await owner(sql<{ name: string }>`
    select name from weft.transition
    where sequence > ${since[0]?.n} and kind = 'state' and node_id = ${node} order by sequence`);
  expect(noted).toEqual([{ name: "superseded" }, { name: "confirmed" }]);
  expect(await rows()).toBe(1);
  // Nothing that counts changed.
  await clear();
  await owner(sql`update weft.node_state set reason = 'again' where node_id = ${node}`);
  expect(await rows()).toBe(0);
});

test.each([
  [10, "refused"],
  [11, "failed"],
  [12, "reverted"],
  [13, "held"],
])("state %i that is %s is news", async (serial, end) => {
  await deliver(serial, "delivered");
  await clear();
  await outcome(end, serial);
  expect(await rows()).toBe(1);
});

test("a node that goes up or down is due immediately, whatever else waits", async () => {
  await clear();
  await deliver(20, "delivered", "confirmed");
  await owner(sql`update weft.node_status set online = not online where node_id = ${node}`);
  expect((await take()).nodes).toEqual([node]);
  // What waits stays until its time.
  expect(await rows()).toBe(2);
});

test("an evaluation reads the repairs of its nodes, and none of what else happened to them", async () => {
  await owner(sql`insert into weft.transition (enterprise_id, kind, node_id, name)
    select 1, 'state', ${node}, 'waiting' from generate_series(1, 2000)`);
  await owner(sql`insert into weft.transition (enterprise_id, kind, node_id, name)
    select 1, 'repair', ${node}, 'routing bgpd' from generate_series(1, 3)`);
  const read = await api.database.pools.owner.db.transaction().execute(async (trx) => {
    // What this connection did in transactions before is among them until it is flushed.
    const rowsRead = async (): Promise<number> => {
      const { rows: stats } = await sql<{ n: number }>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
        where relid = 'weft.transition'::regclass`.execute(trx);
      return stats[0]?.n ?? 0;
    };
    // As an evaluation has it.
    await sql`set local enable_seqscan = off`.execute(trx);
    const before = await rowsRead();
    const { rows: states } = await sql`
      select item, up from weft.alarm_states(array[${node}]::bigint[], '{repair}')`.execute(trx);
    expect(states).toEqual([{ item: "routing bgpd", up: false }]);
    return (await rowsRead()) - before;
  });
  expect(read).toBeLessThanOrEqual(3);
  await owner(sql`delete from weft.transition where name in ('waiting', 'routing bgpd')`);
});
