/** Limits of rules and keys hold for all writers, also for concurrent ones. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownWork } from "#db/one-connection.ts";
import { waitingSessions } from "#db/testing.ts";
import { type People, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
let count = 0;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

const run = (query: ReturnType<typeof sql>) => query.execute(all.api.database.pools.owner.db);
const ids = (cpeId: number) => ({ groupid: all.agent, cpeId: cpeId || 1, popId: 1 });
const post = (path: string, draft: object) => all.api.post(path, draft, all.admin);
async function site(): Promise<{ id: number; draft: object }> {
  count += 1;
  const named = { sn: `LISTS-${count}`, alias: `lists-${count}` };
  const draft = wireDraft("cpe", "valid", ids(0), named);
  return { id: newIdOf(await post("/customer/cpe/insertNew", draft)), draft };
}
const rules = (cpeId: number, n: number) =>
  run(sql`insert into weft.acl_rule (enterprise_id, node_id, section, name, action, protocol, src_ip)
    select ${all.agent}::bigint, ${cpeId}::bigint, 0, 'r' || n, 0, 'any', '10.1.0.0/24'
    from generate_series(1, ${n}::int) n`);
const full = { code: 422, msg: expect.stringContaining(String(stateLimits.aclRules)) };

test("of two concurrent rules one is refused if the device accepts only one more", async () => {
  const { id } = await site();
  await rules(id, stateLimits.aclRules - 1);
  const add = (name: string) =>
    post(aclRule.ops.add.path, wireDraft("xaclrules", "valid", ids(id), { nCpeID: id, name }));
  for (let n = 0; n < 8; n += 1) {
    const answers = await Promise.all(["one", "two", "three"].map(add));
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 422, 422]);
    expect(answers).toContainEqual(expect.objectContaining(full));
    await run(sql`delete from weft.acl_rule where node_id = ${id} and name !~ '^r'`);
  }
});

test("a CPE does not move to an enterprise that blocks more than it accepts", async () => {
  const { id, draft } = await site();
  // Its own rules would be in the way of the move themselves. In an enterprise without CPEs no entry is one too many.
  await run(sql`insert into weft.blacklist (enterprise_id, type, value, enabled)
    select ${all.sister}::bigint, 'ip', '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256, true
    from generate_series(1, ${stateLimits.aclRules + 1}::int) n`);
  const moved = { ...draft, id, groupid: all.sister };
  expect(await post(cpe.ops.edit.path, moved)).toMatchObject(full);
});

test("networks that a site announces at a past state count as networks of its rows", async () => {
  const { id } = await site();
  const pin = run(sql`insert into weft.node_pin (node_id, enterprise_id, epoch, serial, login_name,
      created_by, announced)
    select ${id}::bigint, ${all.agent}::bigint, 1, 1, 'x', 1,
      array(select '10.' || n / 256 || '.' || n % 256 || '.0/24'
        from generate_series(1, ${stateLimits.announced + 1}::int) n)`);
  await expect(pin).rejects.toMatchObject({ constraint: "room" });
});

test("an entry is removed with the last of its CPEs, also by concurrent removals", async () => {
  const { db } = all.api.database.pools.owner;
  const [one, other] = [await site(), await site()];
  await run(sql`with entry as (insert into weft.blacklist (enterprise_id, type, value, enabled)
      values (${all.agent}, 'ip', '192.0.2.99', true) returning id)
    insert into weft.blacklist_node (owner_id, enterprise_id, node_enterprise_id, node_id)
    select id, ${all.agent}, ${all.agent}, n from entry, unnest(array[${one.id}, ${other.id}]::bigint[]) n`);
  const remove = (id: number) => sql`delete from weft.node where id = ${id}`;
  let second: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await remove(one.id).execute(trx);
    let isOver = false;
    second = ownWork(() => run(remove(other.id))).finally(() => {
      isOver = true;
    });
    const waits = sql.raw<{ n: number }>(waitingSessions);
    await expect.poll(async () => isOver || (await waits.execute(trx)).rows[0]?.n === 1).toBe(true);
  });
  await second;
  const left = await sql`select from weft.blacklist where value = '192.0.2.99'`.execute(db);
  expect(left.rows).toHaveLength(0);
});
