import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { ipgroup, ipgroupUses } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import { isWithin } from "@weft/contract/rules/address.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { policyTables } from "#domains/policies/schema.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { cpes, enterprises } from "./fleet.ts";
import { addPolicies, ofSites } from "./policies.ts";
import { writePastRollouts } from "./rollouts.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 60_000);
afterAll(() => api.close());

test("the demonstration has templates in several states, and rows of every family on one of them", async () => {
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  const token = await api.logIn("admin");
  const call = callerOf(url, () => token);
  const ids = new Map<string, number>();
  const enterpriseIds = new Map<string, number>();
  for (const { name } of enterprises) {
    const draft = { ...samples.enterprise.valid({ groupid: 1, cpeId: 1, popId: 1 }), name };
    enterpriseIds.set(name, (await call(enterprise.ops.add, draft)).data.id);
  }
  for (const { name, sn, enterprise: owner } of cpes) {
    const groupid = owner === null ? undefined : enterpriseIds.get(owner);
    if (groupid === undefined) continue;
    const unsaid = samples.cpe.valid({ groupid, cpeId: 1, popId: 1 });
    ids.set(name, (await call(cpe.ops.add, { ...unsaid, alias: name, groupid, sn })).data.id);
  }
  const idIn = (name: string): number => {
    const id = ids.get(name) ?? enterpriseIds.get(name);
    if (id === undefined) throw new Error(`there is no ${name}`);
    return id;
  };
  await addPolicies(call, 1, idIn);

  const { db } = api.database.pools.owner;
  const { rows } = await sql<{ name: string; version: number; tasks: number }>`
    select t.name, t.version, (select count(*)::int from weft.task k
      where k.template_id = t.id) as tasks
    from weft.router_template t order by t.id`.execute(db);
  expect(rows.some(({ version, tasks }) => version > 0 && tasks > 2)).toBe(true);
  expect(rows.some(({ version }) => version === 0)).toBe(true);
  const empty: string[] = [];
  for (const { name } of policyFamilies) {
    const table = sql.table(`weft.${policyTables[name as keyof typeof policyTables]}`);
    const found = await sql`select from ${table} where template_id is not null limit 1`.execute(db);
    if (found.rows.length === 0) empty.push(name);
  }
  expect(empty).toEqual([]);
  await writePastRollouts(db);
  const { rows: rollouts } = await sql<{ state: string; following: number; bad: number }>`
    select r.state, r.is_bad::int as bad, (select count(*)::int from weft.router_template_node m
      where m.template_id = r.template_id and m.version = r.version) as following
    from weft.template_rollout r order by r.id`.execute(db);
  expect(rollouts).toEqual([
    { state: "waiting", following: 1, bad: 0 },
    { state: "halted", following: 1, bad: 1 },
    { state: "rolledBack", following: 0, bad: 1 },
  ]);
  const { rows: reached } = await sql<{ started: number; failed: number }>`
    select count(started_at)::int as started, count(failure)::int as failed
    from weft.template_rollout_node`.execute(db);
  expect(reached).toEqual([{ started: 6, failed: 2 }]);
  const noPage = {
    name: null,
    groupid: null,
    orderByColumn: null,
    isAsc: null,
    page: 1,
    limit: 40,
  };
  const groups = (await call(ipgroup.ops.list, noPage)).data;
  const uses = (await call(ipgroupUses, { ids: groups.map((group) => group.id) })).data;
  const used = uses.map(({ id, nodeCount, templateCount }) => {
    const group = groups.find((one) => one.id === id);
    return [group?.enterpriseName, group?.name, nodeCount, templateCount];
  });
  // One group of a template has at each site what the site's enterprise has; where there is none, what the operator shares.
  const root = groups.find(({ share }) => share)?.enterpriseName;
  expect(used).toEqual([
    [root, "威胁情报地址", 5, 1],
    ["蓝海零售", "办公网段", 5, 1],
    ["海通物流", "办公网段", 0, 0],
    ["北辰医疗", "Imaging-Servers", 0, 0],
  ]);
  const others = await sql<{ acl: number; blocked: number }>`
    select (select count(*)::int from weft.acl_rule) as acl,
      (select count(*)::int from weft.blacklist) as blocked`.execute(db);
  expect(others.rows).toEqual([{ acl: 2, blocked: 4 }]);
}, 60_000);

test("a host that a port mapping of one site leads to is in the LAN of that site", () => {
  const outside = Object.entries(ofSites).flatMap(([site, objects]) => {
    const lan = `10.${cpes.find(({ name }) => name === site)?.lan}.0.0/16`;
    return objects.filter(
      ([family, { internalIp }]) =>
        family === "routerPortmapping" && !isWithin(lan, String(internalIp)),
    );
  });
  expect(outside).toEqual([]);
});
