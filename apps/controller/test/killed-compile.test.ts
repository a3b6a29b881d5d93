/** A worker that is killed in the middle of a batch: another one makes one state of each mark. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { waitingSessions } from "#db/testing.ts";
import { createCompiler } from "#domains/delivery/publish/compile-marked.ts";
import { type TestApi, testApi } from "./api.ts";
import { inherited } from "./controller-process.ts";
import { eventually } from "./loop-world.ts";

let api: TestApi;
let nodes: readonly number[];
let child: ChildProcess | null = null;
const pools = () => api.database.pools;
const run = <Row>(statement: ReturnType<typeof sql<Row>>) =>
  inScope(pools().apiAll, { kind: "all" }, async (trx) => (await statement.execute(trx)).rows);

beforeAll(async () => {
  api = await testApi();
  const rows = await run(sql<{ id: number }>`
    insert into weft.node (enterprise_id, kind, name, sn)
    select 1, 'cpe', 'marked-' || n, 'marked-' || n from generate_series(1, 200) n returning id`);
  nodes = rows.map(({ id }) => id);
  await mark();
  await compile();
}, 120_000);
afterEach(() => child?.kill("SIGKILL"));
afterAll(() => api.close());

const mark = async (): Promise<void> => {
  await run(sql`update weft.node set name = name || '+' where id = any(${[...nodes]}::bigint[])`);
  await run(sql`insert into weft.compile_mark (node_id, enterprise_id, cause, created_by, causes)
    select id, enterprise_id, 'test', 1, '[]' from weft.node where id = any(${[...nodes]}::bigint[])`);
};
async function compile(): Promise<void> {
  const compiler = createCompiler(pools(), pino({ level: "silent" }), () => undefined);
  while ((await compiler.run()) !== undefined);
}
const serials = () =>
  run(sql<{ node: number; serial: number; states: number }>`
    select node_id as node, max(serial)::int as serial, count(*)::int as states
    from weft.node_state group by node_id order by node_id`);
const next = (before: Awaited<ReturnType<typeof serials>>) =>
  before.map(({ node, serial, states }) => ({ node, serial: serial + 1, states: states + 1 }));

/** Where the batch waits when its worker is killed. */
const places = {
  "before its states are written": "lock table weft.task in exclusive mode",
  "after its states are there, and before its marks end":
    "select from weft.compile_mark order by node_id limit 1 for update",
} as const;

test.each(Object.entries(places))("killed %s", { timeout: 180_000 }, async (_, lock) => {
  const before = await serials();
  await mark();
  const blocker = await pools().owner.pg.connect();
  await blocker.query(`begin; ${lock}`);
  try {
    const args = [join(import.meta.dirname, "compile-main.ts"), api.database.url];
    child = spawn(process.execPath, args, { env: inherited, stdio: "ignore" });
    await eventually(async () => {
      const { rows } = await blocker.query(waitingSessions);
      return rows[0]?.n > 0;
    }, "the batch waits");
    child.kill("SIGKILL");
    await once(child, "close");
  } finally {
    await blocker.query("commit");
    blocker.release();
  }
  await eventually(async () => {
    await compile();
    return (await run(sql`select from weft.compile_mark`)).length === 0;
  }, "all marks have ended");
  expect(await serials()).toEqual(next(before));
});
