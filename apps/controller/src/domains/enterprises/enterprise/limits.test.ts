/** How many CPEs and accounts an enterprise may have, with those below it. */
import { dataScope } from "@weft/contract/domains/access/enums.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminPassword, type TestApi, testApi } from "../../../../test/api.ts";
import { imported } from "../../../../test/sheet-files.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 120_000);
afterAll(() => api.close());

let made = 0;
const draftOf = (fields: object) =>
  wireDraft("enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }, fields);
const add = (fields: object) => api.post("/customer/enterprise/add", draftOf(fields), admin);
const edit = (groupid: number, fields: object, token = admin) =>
  api.post("/customer/enterprise/edit", { ...draftOf(fields), groupid }, token);
const cpe = (groupid: number, token = admin) => {
  made += 1;
  const ids = { groupid, cpeId: 0, popId: 0 };
  const draft = wireDraft("cpe", "valid", ids, { sn: `LIMIT-${made}`, alias: `limit-${made}` });
  return api.post("/customer/cpe/insertNew", draft, token);
};
const account = (groupid: number) => {
  made += 1;
  const ids = { groupid, cpeId: 0, popId: 1 };
  const draft = wireDraft("account", "valid", ids, { loginName: `limit${made}@`, popId: "" });
  return api.post("/customer/account/add", draft, admin);
};
const rowOf = async (groupid: number) =>
  (await api.get("/customer/enterprise/getByGroupId", { groupid }, admin)).data as Record<
    string,
    unknown
  >;

/** An agent that may have two CPEs and two accounts, and a customer of it. */
let agent: { id: number; name: string };
let customer: { id: number; name: string };
beforeEach(async () => {
  made += 1;
  const names = [`代理-${made}`, `客户-${made}`] as const;
  const id = newIdOf(await add({ name: names[0], parentId: 1, cpeLimit: 2, accountLimit: 2 }));
  agent = { id, name: names[0] };
  customer = { id: newIdOf(await add({ name: names[1], parentId: id })), name: names[1] };
});

const broken = (path: string, rule: string, params: object) => ({
  code: 400,
  issues: [{ path, rule, params: expect.objectContaining(params) }],
});

describe("what is added over the limit is refused, naming limit and count:", () => {
  test("a CPE, of the enterprise itself and of one below it", async () => {
    newIdOf(await cpe(agent.id));
    newIdOf(await cpe(customer.id));
    const full = { name: agent.name, limit: 2, count: 3 };
    for (const groupid of [agent.id, customer.id])
      expect(await cpe(groupid)).toMatchObject(broken("groupid", "cpeLimit", full));
    expect((await cpe(customer.id)).msg).toContain("最多可有 2 台 CPE，加上本次为 3 台");
    expect(await rowOf(agent.id)).toMatchObject({
      cpeLimit: 2,
      cpeUse: 2,
      cpeCount: 1,
      accountUse: 0,
    });
    expect(await rowOf(customer.id)).toMatchObject({ cpeLimit: null, cpeUse: null });
  });

  test("an account", async () => {
    newIdOf(await account(customer.id));
    newIdOf(await account(agent.id));
    expect(await account(customer.id)).toMatchObject(
      broken("groupid", "accountLimit", { name: agent.name, limit: 2, count: 3 }),
    );
  });

  test("rows of a file", async () => {
    newIdOf(await cpe(customer.id));
    const rows = [1, 2].map((at) => `${customer.name},file-${made}-${at},FILE-${made}-${at},X86,0`);
    const file = `groupid,alias,sn,type,xMode\r\n${rows.join("\r\n")}\r\n`;
    const answer = await imported(api, { resource: "cpe", token: admin }, file, { check: 1 });
    expect(answer.rows.map(({ state }) => state)).toEqual(["new", "bad"]);
    expect(JSON.stringify(answer.rows)).toContain("最多可有 2 台 CPE");
  });

  test("a CPE that moves in, and an enterprise with its CPEs; what moves inside stays counted", async () => {
    const elsewhere = newIdOf(await add({ name: `别处-${made}`, parentId: 1 }));
    for (const _ of [1, 2, 3]) newIdOf(await cpe(elsewhere));
    expect(await edit(elsewhere, { name: `别处-${made}`, parentId: agent.id })).toMatchObject(
      broken("parentId", "cpeLimit", { name: agent.name, limit: 2, count: 3 }),
    );
    for (const _ of [1, 2]) newIdOf(await cpe(agent.id));
    const { rows } = await sql<{ id: number }>`
      select id from weft.node where enterprise_id = ${agent.id} order by id limit 1`.execute(
      api.database.pools.owner.db,
    );
    const move = (id: number | undefined, groupid: number) =>
      sql`update weft.node set enterprise_id = ${groupid} where id = ${id}`.execute(
        api.database.pools.owner.db,
      );
    await move(rows[0]?.id, customer.id);
    const other = newIdOf(await cpe(elsewhere));
    await expect(move(other, customer.id)).rejects.toMatchObject({ constraint: "broken_rule" });
  });
});

test("of two that are added at once where one is left, one is", async () => {
  newIdOf(await cpe(agent.id));
  const answers = await Promise.all([cpe(customer.id), cpe(agent.id), cpe(customer.id)]);
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 400, 400]);
});

test("an add waits for one of another writer that is not done, and for a limit that is being lowered", async () => {
  newIdOf(await cpe(agent.id));
  let answer: Promise<object> | undefined;
  const { db } = api.database.pools.owner;
  const beside = (write: ReturnType<typeof sql>) =>
    db.transaction().execute(async (trx) => {
      await write.execute(trx);
      answer = cpe(agent.id);
      const waiting = async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(trx);
        return rows.length;
      };
      await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0);
    });
  await beside(sql`insert into weft.node (enterprise_id, kind, name, sn)
    values (${customer.id}, 'cpe', ${`beside-${made}`}, ${`BESIDE-${made}`})`);
  expect(await answer).toMatchObject(broken("groupid", "cpeLimit", { limit: 2, count: 3 }));
  await edit(agent.id, { name: agent.name, parentId: 1, cpeLimit: 3, accountLimit: 2 });
  await beside(sql`update weft.enterprise set cpe_limit = 2 where id = ${agent.id}`);
  expect(await answer).toMatchObject(broken("groupid", "cpeLimit", { limit: 2, count: 3 }));
});

describe("a limit", () => {
  test("is not above that of an enterprise over it", async () => {
    const over = { name: agent.name, limit: 2 };
    const child = { name: customer.name, parentId: agent.id };
    expect(await edit(customer.id, { ...child, cpeLimit: 3 })).toMatchObject(
      broken("cpeLimit", "limitOverParent", over),
    );
    expect(await add({ name: "新", parentId: customer.id, accountLimit: 3 })).toMatchObject(
      broken("accountLimit", "limitOverParent", over),
    );
    expect(await edit(customer.id, { ...child, cpeLimit: 2 })).toMatchObject({ code: 0 });
    const own = { name: agent.name, parentId: 1, accountLimit: 2 };
    expect(await edit(agent.id, { ...own, cpeLimit: 1 })).toMatchObject(
      broken("cpeLimit", "limitUnderChild", { name: customer.name, limit: 2 }),
    );
  });

  test("is not lowered below what there is, and other edits of one that has too much are taken", async () => {
    for (const _ of [1, 2]) newIdOf(await cpe(customer.id));
    const own = { name: agent.name, parentId: 1, accountLimit: 2 };
    expect(await edit(agent.id, { ...own, cpeLimit: 1 })).toMatchObject(
      broken("cpeLimit", "limitBelowUse", { name: agent.name, count: 2 }),
    );
    const { db } = api.database.pools.owner;
    // As rows of before this rule are.
    await db.transaction().execute(async (trx) => {
      await sql`alter table weft.enterprise disable trigger limits_update`.execute(trx);
      await sql`update weft.enterprise set cpe_limit = 1 where id = ${agent.id}`.execute(trx);
      await sql`alter table weft.enterprise enable trigger limits_update`.execute(trx);
    });
    expect(await edit(agent.id, { ...own, cpeLimit: 1, remark: "多" })).toMatchObject({ code: 0 });
    expect(await cpe(customer.id)).toMatchObject(
      broken("groupid", "cpeLimit", { limit: 1, count: 3 }),
    );
  });

  test("of an enterprise that the caller does not see is not shown to him", async () => {
    for (const _ of [1, 2]) newIdOf(await cpe(agent.id));
    const token = await api.userToken({ enterpriseId: customer.id, dataScope: 3, roleType: 1 });
    const answer = await cpe(customer.id, token);
    expect(answer).toMatchObject({
      code: 400,
      issues: [{ path: "groupid", rule: "cpeLimitAbove", params: {} }],
    });
    expect(JSON.stringify(answer)).not.toContain(agent.name);
  });

  test("below the enterprise is named only to who sees that one", async () => {
    await edit(customer.id, { name: customer.name, parentId: agent.id, accountLimit: 2 });
    const some = {
      enterpriseId: 1,
      dataScope: dataScope.custom,
      roleType: 0,
      selected: [1, agent.id],
    } as const;
    const token = await api.userToken(some);
    const own = { name: agent.name, parentId: 1, cpeLimit: 2, oldPsw: adminPassword };
    const answer = await edit(agent.id, { ...own, accountLimit: 1 }, token);
    expect(answer).toMatchObject({
      code: 400,
      issues: [{ path: "accountLimit", rule: "limitUnderUnseenChild", params: {} }],
    });
    expect(JSON.stringify(answer)).not.toContain(customer.name);
    expect(answer.msg).toContain("下级企业的上限高于此数");
    expect(await edit(agent.id, { ...own, accountLimit: 1 })).toMatchObject(
      broken("accountLimit", "limitUnderChild", { name: customer.name, limit: 2 }),
    );
  });
});
