import { allResources } from "@weft/contract/all-endpoints.ts";
import { healthRank } from "@weft/contract/domains/devices/health.ts";
import type { FoundRow } from "@weft/contract/domains/monitoring/search.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
let first = 0;
let site = 0;
let other = 0;
let ours = "";
let theirs = "";

const find = async (text: string, token = ours): Promise<FoundRow[]> => {
  const { data, code } = await api.get("/customer/search/find", { text }, token);
  expect(code).toBe(0);
  return data as FoundRow[];
};
const names = async (text: string, token = ours) =>
  (await find(text, token)).map(({ kind, name }) => `${kind} ${name}`);
const add = async (
  kind: "enterprise" | "cpe",
  groupid: number,
  fields: object,
): Promise<number> => {
  const draft = wireDraft(kind, "valid", { groupid, cpeId: 0, popId: 0 }, fields);
  return newIdOf(await api.post(allResources[kind].ops.add.path, draft, admin));
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  first = await add("enterprise", 1, { name: "温州鞋业" });
  const second = await add("enterprise", 1, { name: "温州电器" });
  ours = await api.userToken({ enterpriseId: first, dataScope: 3, roleType: 2 });
  theirs = await api.userToken({ enterpriseId: second, dataScope: 3, roleType: 2 });
  site = await add("cpe", first, { alias: "温州门店-01", sn: "SEARCH-1" });
  other = await add("cpe", second, { alias: "温州门店-09", sn: "SEARCH-9" });
  const owner = api.database.pools.owner.db;
  await sql`insert into weft.router_template (enterprise_id, name)
    values (${first}, '门店模板')`.execute(owner);
  await sql`insert into weft.net_space (enterprise_id, name, topology)
    values (${first}, '温州门店网', 0)`.execute(owner);
  for (const [node, enterprise] of [
    [site, first],
    [other, second],
  ] as const) {
    await sql`insert into weft.lan_section (enterprise_id, node_id, interface_name, network)
      values (${enterprise}, ${node}, 'lan0', '10.116.1.0/24')`.execute(owner);
    const leases = [
      { address: "10.116.1.30", mac: "02:00:5e:10:00:01", name: "till", until: 4e12 },
    ];
    const lines = [{ interfaceName: "wan1", addressing: "dhcp", address: "203.0.113.7/24" }];
    await sql`insert into weft.node_status (node_id, enterprise_id, leases, lines, last_seen)
      values (${node}, ${enterprise}, ${JSON.stringify(leases)}, ${JSON.stringify(lines)}, now())
      on conflict (node_id) do update set leases = excluded.leases, lines = excluded.lines`.execute(
      owner,
    );
  }
  await sql`insert into weft.node_health (node_id, enterprise_id, state, rank, tone, since)
    values (${site}, ${first}, 'degraded', ${healthRank("degraded")}, 'warn', now())
    on conflict (node_id) do update set state = excluded.state, rank = excluded.rank,
      tone = excluded.tone`.execute(owner);
}, 60_000);
afterAll(() => api.close());

test("a part of a name finds rows of every kind that the caller sees, and none of others", async () => {
  expect(await names("门店")).toEqual([
    "cpe 温州门店-01",
    "netSpace 温州门店网",
    "template 门店模板",
  ]);
  expect(await names("门店", theirs)).toEqual(["cpe 温州门店-09"]);
  expect(await names("温州", admin)).toEqual(
    expect.arrayContaining(["cpe 温州门店-01", "cpe 温州门店-09", "enterprise 温州鞋业"]),
  );
});

test("a row has the matched field, the enterprise and the health", async () => {
  expect(await find("search-1")).toMatchObject([
    {
      kind: "cpe",
      id: site,
      name: "温州门店-01",
      enterpriseName: "温州鞋业",
      by: "serial",
      value: "SEARCH-1",
      health: "degraded",
      level: null,
    },
  ]);
});

test("initials find a name, and the text itself comes first", async () => {
  expect(await names("wzmd")).toEqual(["cpe 温州门店-01", "netSpace 温州门店网"]);
  expect(await names("WZMD", theirs)).toEqual(["cpe 温州门店-09"]);
});

test.each([
  ["10.116.1.30", "host", "10.116.1.30 02:00:5e:10:00:01 till"],
  ["10.116.1.77", "lan", "10.116.1.0/24"],
  ["203.0.113.7", "line", "203.0.113.7"],
  ["0200.5E10.0001", "host", "10.116.1.30 02:00:5e:10:00:01 till"],
])("%s is found where it is: %s", async (text, by, value) => {
  expect(await find(text)).toMatchObject([{ kind: "cpe", id: site, by, value }]);
  // Another enterprise has the same networks and hosts.
  expect(await find(text, theirs)).toMatchObject([{ kind: "cpe", id: other, by, value }]);
});

test("the search does not match leases, LANs or lines that the caller may not read", async () => {
  const menus = ["/sdwan-system/cpe"] as const;
  const few = { enterpriseId: first, dataScope: 3, roleType: 2, menus } as const;
  const found = async (permissions: readonly Permission[], text: string) =>
    (await find(text, await api.userToken({ ...few, permissions }))).map(({ by }) => by);
  for (const text of ["10.116.1.30", "0200.5E10.0001"]) {
    expect(await found([], text)).toEqual([]);
    expect(await found(["configLan"], text)).toEqual(["host"]);
  }
  expect(await found([], "10.116.1.77")).toEqual([]);
  expect(await found(["configLansectionList"], "10.116.1.77")).toEqual(["lan"]);
  expect(await found([], "203.0.113.7")).toEqual(["line"]);
  expect(await found([], "SEARCH-1")).toEqual(["serial"]);
});

test("who sees only what they made finds nothing of others by an address either", async () => {
  const token = await api.userToken({ enterpriseId: first, dataScope: 2 });
  for (const text of ["门店", "10.116.1.30", "203.0.113.7", "SEARCH-1"])
    expect(await names(text, token)).toEqual([]);
});

test("characters that mean something to the database are only text", async () => {
  for (const text of ["%", "_", "\\", "'", "[a", "(", "a)|(b", "$1"])
    expect(await names(text)).toEqual([]);
  expect(await find("   ")).toEqual([]);
});

test("an alarm is found by what it is about, while it is open, with its sentence", async () => {
  const finding = { kind: "lan", object: "lan0", reason: "noInterface", section: "x", params: {} };
  const raise = (metric: string, item: string, cleared: boolean) =>
    sql`
    insert into weft.alarm_event (enterprise_id, strategy_name, metric, level, node_id, node_kind,
      node_name, item, item_name, opened_at, last_at, cleared_at)
    values (${first}, '断网', ${metric}, 2, ${site}, 'cpe', '温州门店-01', ${item}, ${item}, now(), now(),
      ${cleared ? sql`now()` : null})`.execute(api.database.pools.owner.db);
  await raise("line", "电信专线", false);
  await raise("line", "移动宽带", true);
  await raise("finding", JSON.stringify(finding), false);
  const [alarm, ...more] = await find("电信专线");
  expect(more).toEqual([]);
  expect(alarm).toMatchObject({ kind: "alarm", name: "温州门店-01", by: null, level: 2 });
  expect(alarm?.value).toMatch(/^CPE 温州门店-01 · 电信专线 /);
  expect(await find("移动宽带")).toEqual([]);
  expect(await find("noInterface")).toEqual([]);
  expect(await find("电信专线", theirs)).toEqual([]);
  const alarms = (await find("断网")).map(({ value }) => value);
  expect(alarms).toHaveLength(2);
  for (const sentence of alarms) expect(sentence).not.toContain("{");
});
