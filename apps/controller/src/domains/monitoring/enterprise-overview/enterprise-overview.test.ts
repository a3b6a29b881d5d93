import { allResources } from "@weft/contract/all-endpoints.ts";
import { enterpriseOverview } from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { wireTime } from "../../../../test/measures.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

type Overview = OutputOf<typeof enterpriseOverview>;

const addEnterprise = async (name: string, fields: object = {}) => {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name, ...fields });
  return newIdOf(await api.post("/customer/enterprise/add", draft, admin));
};
const addSite = async (groupid: number, alias: string, fields: object = {}) => {
  const ids = { groupid, cpeId: 0, popId: 0 };
  const draft = wireDraft("cpe", "valid", ids, { alias, sn: `serial-${alias}`, ...fields });
  return newIdOf(await api.post(allResources.cpe.ops.add.path, draft, admin));
};
/** As the health of a site is kept. */
const setHealth = (site: number, state: string, rank: number, tone: string) =>
  sql`insert into weft.node_health (node_id, enterprise_id, state, rank, tone, since)
    select id, enterprise_id, ${state}, ${rank}, ${tone}, now() - interval '1 hour'
    from weft.node where id = ${site}
    on conflict (node_id) do update set state = excluded.state, rank = excluded.rank,
      tone = excluded.tone, since = excluded.since`.execute(api.database.pools.owner.db);
const ask = (groupid: number, token = admin) =>
  api.get(enterpriseOverview.path, { groupid }, token);
const read = async (groupid: number, token = admin) => {
  const answer = await ask(groupid, token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Overview;
};

test("an agent sees its subtree, a customer itself, and no one what is another's or absent", async () => {
  const agent = await addEnterprise("概览代理", { isAgent: 1 });
  const customer = await addEnterprise("概览客户", { parentId: agent });
  const stranger = await addEnterprise("概览外人");
  const [own, below] = [await addSite(agent, "own-site"), await addSite(customer, "below-site")];
  await addSite(stranger, "strange-site");
  await setHealth(own, "online", 17, "ok");
  await setHealth(below, "offline", 0, "bad");
  const tokenOf = (enterpriseId: number, dataScope: number) =>
    api.userToken({ enterpriseId, dataScope, roleType: 1 });
  const ofAgent = await tokenOf(agent, 3);
  const seen = await read(agent, ofAgent);
  expect(seen).toMatchObject({
    name: "概览代理",
    customers: 1,
    has: { cpe: 1, netSpace: 0 },
    tones: { ok: 1, bad: 0 },
    customerTones: { ok: 0, bad: 1 },
    health: {
      tone: "bad",
      reason: "bad",
      state: "offline",
      count: 1,
      of: 2,
      site: { id: below, name: "below-site" },
    },
    sites: [{ id: below, groupid: customer, health: "offline" }],
    causeCount: 1,
    causes: [{ kind: "node", named: [{ id: below }] }],
  });
  expect(await read(customer, await tokenOf(customer, 3))).toMatchObject({
    customers: 0,
    health: { of: 1, reason: "bad" },
    tones: { bad: 1 },
  });
  const absent = await ask(987_654_321, ofAgent);
  expect(absent).toMatchObject({ code: 404 });
  for (const [groupid, token] of [
    [stranger, ofAgent],
    [agent, await tokenOf(customer, 3)],
  ] as const) {
    const { code, msg, data } = await ask(groupid, token);
    expect({ code, msg, data }).toEqual({
      code: absent.code,
      msg: absent.msg,
      data: absent.data,
    });
  }
  // Trouble of one enterprise is no cause on the page of another.
  expect(await read(stranger)).toMatchObject({ causes: [], sites: [], health: { reason: "idle" } });
});

test("what has ended or ends soon is named, the first to end first", async () => {
  const groupid = await addEnterprise("概览期限");
  const inDays = (days: number) => wireTime(Date.now() + days * 86_400_000);
  await addSite(groupid, "ends-soon", { expireTime: inDays(3) });
  await addSite(groupid, "ends-late", { expireTime: inDays(900) });
  await addEnterprise("概览期限下级", { parentId: groupid, endTime: inDays(2) });
  const { expiring } = await read(groupid);
  expect(expiring.map(({ kind, name }) => [kind, name])).toEqual([
    ["enterprise", "概览期限下级"],
    ["cpe", "ends-soon"],
  ]);
});
