// A compile may read rows before their change is processed: its state is weighed again with that
// change.
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createCompiler } from "./compile-marked.ts";
import { createChangeReader } from "./read-changes.ts";

const logger = pino({ level: "silent" });
let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) => (await query.execute(trx)).rows,
  );
const take = async (): Promise<void> => {
  const reader = createChangeReader(api.database.pools, logger);
  while ((await reader.run()) > 0);
};
const compile = async (): Promise<void> => {
  const compiler = createCompiler(api.database.pools, logger, () => undefined);
  while ((await compiler.run()) === 0);
};
/** A change that does not mention the removed rows. */
const silentChange = (node: number) =>
  rows(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (1, array[${node}]::bigint[], 'edge: report', 0)`);
const post = async (path: string, fields: object): Promise<number> => {
  const answer = await api.post(path, fields, admin);
  expect(answer).toMatchObject({ code: 0 });
  return newIdOf(answer);
};
/** A node with these LANs in its newest state, which is not pending approval. */
async function nodeWithLans(alias: string, count: number) {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("cpe", "valid", ids, { alias, sn: `sn-${alias}`, groupid: 1 });
  const node = await post(cpe.ops.add.path, draft);
  for (let third = 1; third <= count; third += 1) {
    await post(lanSection.ops.add.path, {
      nCpeID: node,
      interfaceName: `lan${third}`,
      network: `10.50.${third}.1/24`,
      network6: "",
      vlan: "",
      enableForward: 1,
      enableDirect: 1,
      remark: "",
    });
  }
  await take();
  await compile();
  const lans = await rows(sql<{ id: number }>`select id from lan_section where node_id = ${node}`);
  return { node, lans: lans.map(({ id }) => id) };
}
const remove = (lans: readonly number[]) =>
  api.post(lanSection.ops.remove.path, { ids: lans.join(",") }, admin);
const newest = async (node: number) =>
  (
    await rows(sql<{ outcome: string; open: number }>`
      select outcome, (select count(*)::int from task t where t.node_id = s.node_id
        and t.status in (0, 4)) as open
      from node_state s where node_id = ${node} order by serial desc limit 1`)
  )[0];

test("a pending state is sent once the call that removed the rows is known", async () => {
  const { node, lans } = await nodeWithLans("one", 12);
  await silentChange(node);
  await take();
  await remove(lans);
  await compile();
  expect((await newest(node))?.outcome).toBe("held");
  await take();
  await compile();
  expect(await newest(node)).toEqual({ outcome: "waiting", open: 1 });
});

test("several calls that arrive one after the other account for it together", async () => {
  const { node, lans } = await nodeWithLans("two", 24);
  await silentChange(node);
  await take();
  // A row accounts for an address of each family: two of these calls for all, one does not.
  for (const at of [0, 8, 16]) await remove(lans.slice(at, at + 8));
  await compile();
  const waiting = await rows(sql<{ seq: number }>`
    update change set done = true where not done returning seq`);
  const outcomes: unknown[] = [];
  for (const { seq } of waiting.toSorted((a, b) => a.seq - b.seq)) {
    await rows(sql`update change set done = false where seq = ${seq}`);
    await take();
    await compile();
    outcomes.push((await newest(node))?.outcome);
  }
  expect(outcomes).toEqual(["held", "waiting", "waiting"]);
});

test("so is that of a member of the space, which no tunnel links with the node", async () => {
  const { node, lans } = await nodeWithLans("four", 12);
  const { node: member } = await nodeWithLans("five", 0);
  const ids = { groupid: 1, cpeId: node, popId: 0 };
  const popId = await post(pop.ops.add.path, wireDraft("pop", "valid", ids));
  const members = { popIds: popId, cpeIds: `${node},${member}` };
  const space = wireDraft("netSpace", "valid", { ...ids, popId }, members);
  await post(netSpace.ops.add.path, space);
  await take();
  await compile();
  await rows(sql`insert into change (enterprise_id, node_ids, cause, created_by, request_id)
    values (1, array[${node}]::bigint[], 'admin: cpe.edit', 1, 'another-call')`);
  await remove(lans);
  // The removal is processed in a turn after that in which the networks of the node were compared.
  const [removal] = await rows(sql<{ seq: number }>`
    update change set done = true where not done and cause like '%lansection.remove' returning seq`);
  await take();
  await compile();
  expect((await newest(member))?.outcome).toBe("held");
  await rows(sql`update change set done = false where seq = ${removal?.seq}`);
  await take();
  await compile();
  expect(await newest(member)).toEqual({ outcome: "waiting", open: 1 });
});

test("it stays pending approval when no call removed them", async () => {
  const { node } = await nodeWithLans("three", 12);
  await rows(sql`delete from lan_section where node_id = ${node}`);
  for (let turn = 0; turn < 2; turn += 1) {
    await silentChange(node);
    await take();
    await compile();
    expect((await newest(node))?.outcome).toBe("held");
  }
});
