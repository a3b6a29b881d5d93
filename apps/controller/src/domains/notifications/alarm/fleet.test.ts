/** Ten thousand nodes under one policy, on the real database, all of which go offline together. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { type Alarms, createAlarms } from "./evaluate.ts";
import { slice } from "./slice.ts";

const nodeCount = 10_000;
const popCount = 10;
/** Maximum number of nodes of one check. */
const most = slice.transitions + slice.due + slice.swept;

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await fleetOf(nodeCount);
}, 120_000);
afterAll(() => api.close());

const owner = <Row>(query: ReturnType<typeof sql<Row>>) =>
  query.execute(api.database.pools.owner.db).then(({ rows }) => rows);

/** CPEs with a line and a link each to one of a few POPs, all online, under one policy. */
async function fleetOf(nodes: number): Promise<void> {
  const lines = JSON.stringify([{ interfaceName: "wan1", addressing: "dhcp", up: true }]);
  await owner(sql`insert into weft.node (enterprise_id, kind, name, sn)
    select 1, case when i <= ${popCount} then 'pop' else 'cpe' end, 'n-' || i, 'N-' || i
    from generate_series(1, ${nodes}::int) i`);
  await owner(sql`insert into weft.line (enterprise_id, node_id, slot, name, interface_name,
    addressing, mtu) select 1, id, 1, 'line', 'wan1', 'dhcp', 1400 from weft.node`);
  await owner(sql`with space as (
      insert into weft.net_space (enterprise_id, name, topology)
      values (1, 'all', 0) returning id)
    insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
      b_node_id, b_slot, b_port, b_key)
    select 1, space.id, c.at, c.id, 1, 40000, 'a' || c.id, p.id, 1, 10000 + c.at, 'b' || c.id
    from space, (select id, row_number() over (order by id) as at from weft.node
        where kind = 'cpe') c
      join (select id, row_number() over (order by id) as at from weft.node where kind = 'pop') p
        on p.at = 1 + c.at % ${popCount}::int`);
  await owner(sql`insert into weft.link_status (link_id, enterprise_id, up, rtt_ms, loss_percent)
    select id, 1, true, 20, 0 from weft.link`);
  await owner(sql`insert into weft.node_status (node_id, enterprise_id, online, last_seen, lines)
    select id, 1, true, now(), ${lines}::jsonb from weft.node`);
  await owner(sql`with made as (
      insert into weft.alarm_strategy (enterprise_id, name, enabled) values (1, 'all', true)
      returning id)
    insert into weft.alarm_rule (enterprise_id, strategy_id, metric, compare_type, threshold,
      hysteresis, duration_s, recovery_s, level, enabled)
    select 1, made.id, m.metric, m.compare, m.threshold, 0, 0, 0, 1, true
    from made, (values ('node', null::smallint, null::float8), ('line', null, null),
      ('link', null, null), ('loss', 1, 5)) m (metric, compare, threshold)`);
  // The work after the first connection of all nodes has ended.
  await owner(sql`delete from weft.alarm_due`);
  await owner(sql`delete from weft.transition`);
  await owner(sql`analyze`);
}

const newAlarms = (times = { windowMs: 0, gapMs: 0, graceMs: 0 }): Alarms =>
  createAlarms({
    pools: api.database.pools,
    times,
    report: (error) => expect(error).toBeNull(),
  });

const open = async (metric: string) =>
  (
    await owner(sql<{ n: number; below: number }>`
      select count(*) as n, count(parent_id) as below from weft.alarm_event
      where metric = ${metric} and cleared_at is null`)
  )[0];

/** Rows that the database touched for the worker, and statements. */
async function costOf(run: () => Promise<unknown>): Promise<{ rows: number; statements: number }> {
  const { pools } = api.database;
  const touched = async (): Promise<number> => {
    // Counters of a connection are published on request, or some time later.
    for (const { pg } of [pools.worker, pools.owner]) {
      await pg.query("select pg_stat_force_next_flush()");
      await pg.query("select 1");
    }
    const [found] = await owner(sql<{ n: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as n
      from pg_stat_user_tables where schemaname = 'weft' and relname in ('node', 'node_status',
        'line', 'link', 'link_status', 'transition', 'alarm_due', 'alarm_watch', 'alarm_event')`);
    return found?.n ?? 0;
  };
  let statements = 0;
  const before = await touched();
  const stop = pools.onQuery(({ role, kind }) => {
    if (role === "worker" && kind === "query") statements += 1;
  });
  await run();
  stop();
  return { rows: (await touched()) - before, statements };
}

/**
 * Rows of one node that a slice may touch: the node, its status, line, link, the other end, rule progress, and the
 * places that its alarm belongs to.
 */
const rowsOfNode = 100;
const maxStatements = 30;

test("a slice costs as much as the nodes in it, not as much as there are nodes", async () => {
  const quiet = await costOf(() => newAlarms().run());
  expect(quiet.rows).toBeGreaterThan(slice.swept);
  expect(quiet.rows).toBeLessThan(slice.swept * rowsOfNode);
  expect(quiet.statements).toBeLessThan(maxStatements);
});

test("all go offline together: each alarm is raised, in slices of one size, and users log in at the same time", async () => {
  const alarms = newAlarms();
  await owner(sql`update weft.node_status set online = false`);
  const costs: { rows: number; statements: number }[] = [];
  let [runs, wait] = [0, 0 as number | undefined];
  const evaluate = async (): Promise<void> => {
    wait = await alarms.run();
    runs += 1;
  };
  while (wait === 0) {
    // Refused with 503 while another transaction holds the lock of logins for 5 s.
    if (runs < 10) await Promise.all([evaluate(), api.logIn("admin")]);
    else if (runs % 20 === 10) costs.push(await costOf(evaluate));
    else await evaluate();
  }
  expect(await open("node")).toEqual({ n: nodeCount, below: 0 });
  expect(runs).toBeGreaterThanOrEqual(nodeCount / slice.transitions);
  expect(runs).toBeLessThan((nodeCount / slice.transitions) * 1.5);
  // Notifications of new events read all of them, once a second: not in the cheaper half of the runs.
  const rows = costs.map((cost) => cost.rows).sort((a, b) => a - b);
  expect(rows[Math.floor(rows.length / 2)]).toBeLessThan(most * rowsOfNode);
  expect(Math.max(...costs.map(({ statements }) => statements))).toBeLessThan(maxStatements);
}, 240_000);
