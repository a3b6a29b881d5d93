/** What the compiler does when a node has no state that could be sent. */

import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createCompiler } from "./compile-marked.ts";
import { createChangeReader } from "./read-changes.ts";

const logger = pino({ level: "silent" });
let api: TestApi;
let admin: string;
let nodes: [number, number];

const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) => (await query.execute(trx)).rows,
  );
const run = async (query: ReturnType<typeof sql>): Promise<void> => {
  await rows(query);
};
const change = (ids: number[]) =>
  run(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (1, ${ids}::bigint[], 'test', 1)`);
/** All that a worker would do now; gives the nodes that got a new state. */
async function work(): Promise<number[]> {
  const published: number[] = [];
  const changes = createChangeReader(api.database.pools, logger);
  while ((await changes.run()) > 0);
  const compiler = createCompiler(api.database.pools, logger, (node) => published.push(node));
  while ((await compiler.run()) === 0);
  return published;
}
const owner = (text: string) => withClient(api.database.url, (client) => client.query(text));
const statesOf = (node: number) =>
  rows(sql<{ serial: number; outcome: string }>`
    select serial, outcome from node_state where node_id = ${node} order by serial`);
const marks = () => rows(sql<{ node_id: number }>`select node_id from compile_mark`);

async function addCpe(alias: string): Promise<number> {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("cpe", "valid", ids, { alias, sn: `sn-${alias}`, groupid: 1 });
  return newIdOf(await api.post(cpe.ops.add.path, draft, admin));
}

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  nodes = [await addCpe("a"), await addCpe("b")];
  await work();
}, 60_000);
afterAll(() => api.close());

describe("a compile", () => {
  test("makes no state while rules that are there cannot be read", async () => {
    const [one] = nodes;
    await run(sql`insert into acl_rule (enterprise_id, node_id, section, name, action, protocol,
        src_ip, created_by)
      select 1::bigint, ${one}::bigint, 0, 'r' || n, 0, 'any', '10.1.' || n || '.0/24', 1
      from generate_series(1, 30) n`);
    await change([one]);
    expect(await work()).toEqual([one]);
    const before = await statesOf(one);
    await owner("alter policy compiled on weft.acl_rule using (false)");
    await run(sql`update node set name = name || ' 2' where id = ${one}`);
    await change([one]);
    expect(await work()).toEqual([]);
    expect(await statesOf(one)).toEqual(before);
    expect((await marks()).map(({ node_id }) => node_id)).toEqual([one]);
    await owner(`alter policy compiled on weft.acl_rule
      using (enterprise_id = any ((select weft.scope_enterprises())::bigint[]))`);
    await change([one]);
    expect(await work()).toEqual([one]);
  });

  test("that makes more rules than a device takes fails with its reason, until some go", async () => {
    const [, one] = nodes;
    const shown = async () =>
      (await api.get(nodeState.path, { id: one }, admin)).data as Record<string, unknown>;
    // As in a database from before the limit was checked when rows are written.
    await owner("alter table weft.acl_rule disable trigger acl_room_insert");
    await run(sql`insert into acl_rule (enterprise_id, node_id, section, name, action, protocol,
        src_ip, created_by)
      select 1::bigint, ${one}::bigint, 0, 'r', 0, 'any', '10.1.0.0/24', 1
      from generate_series(1, 10001) n`);
    await owner("alter table weft.acl_rule enable trigger acl_room_insert");
    await change([one]);
    expect(await work()).toEqual([]);
    const detail = expect.stringContaining("acl");
    expect(await shown()).toMatchObject({ uncompiled: { code: "tooLarge", detail } });
    await run(sql`delete from acl_rule where node_id = ${one}`);
    await change([one]);
    await work();
    expect(await shown()).toMatchObject({ uncompiled: null, compiling: false });
  });
});
