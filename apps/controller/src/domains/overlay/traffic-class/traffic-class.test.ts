import { line } from "@weft/contract/domains/devices/line.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import {
  defaultClasses,
  trafficClassEdit,
  trafficClassGet,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readView } from "#domains/delivery/compile/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
let home: Tenant;
let other: Tenant;
let space: number;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  const { groupid, popId, cpeId } = home.ids;
  const draft = { name: "production", groupid, topology: 0, popIds: popId, cpeIds: cpeId };
  space = newIdOf(await api.post(netSpace.ops.add.path, { ...draft, remark: "" }, admin));
  const wan = wireDraft("line", "valid", home.ids, {
    nodeId: popId,
    addressing: "static",
    ip: "192.0.2.9/24",
    gateway: "192.0.2.1",
  });
  newIdOf(await api.post(line.ops.add.path, wan, admin));
}, 60_000);
afterAll(() => api.close());

const wire = (change: object = {}) => ({
  ...Object.fromEntries(
    Object.entries(defaultClasses).map(([name, value]) => [name, value === null ? "" : value]),
  ),
  groupid: home.ids.groupid,
  enable: 1,
  ...change,
});
const set = (change: object = {}, who = home) =>
  api.post(trafficClassEdit.path, wire(change), who.token);
const get = async () =>
  (await api.get(trafficClassGet.path, { groupid: home.ids.groupid }, home.token)).data as Record<
    string,
    unknown
  >;
const classesOf = async (nodeId: number) => {
  const view = await api.database.pools.worker.db
    .transaction()
    .execute((trx) => readView(trx, nodeId));
  return view?.classes?.get(space);
};

test("endpoints:trafficClass.get are the defaults at first, and of no effect", async () => {
  expect(await get()).toMatchObject({
    enable: 0,
    realtimeLoss: 1,
    realtimeDelay: 300,
    bulkDelay: null,
    defaultLoss: 2,
    realtimeDscp: "EF, CS5, AF41, AF42, AF43",
    devices: 2,
  });
  expect(await classesOf(home.ids.cpeId)).toBeUndefined();
});

test("endpoints:trafficClass.edit are part of the states of all members of the spaces", async () => {
  expect(await set({ realtimeLoss: 0.5, bulkDscp: "CS1, 11" })).toMatchObject({ code: 0 });
  expect(await get()).toMatchObject({ enable: 1, realtimeLoss: 0.5, bulkDscp: "CS1, 11" });
  for (const node of [home.ids.cpeId, home.ids.popId])
    expect(await classesOf(node)).toMatchObject({ realtimeLoss: 0.5, transactionalJitter: null });
  const { rows } = await sql<{ spaces: number[] }>`select space_ids::int[] as spaces
    from weft.change order by seq desc limit 1`.execute(api.database.pools.owner.db);
  expect(rows[0]?.spaces).toEqual([space]);
});

test.each([
  ["a limit of nothing", { realtimeLoss: 0 }, "realtimeLoss", "outOfRange"],
  ["a delay that is none", { bulkDelay: -1 }, "bulkDelay", "outOfRange"],
  ["what is no code point", { realtimeDscp: "EF, voice" }, "realtimeDscp", "dscp"],
  ["a code point of two classes", { bulkDscp: "CS1, AF41" }, "bulkDscp", "dscpTwice"],
  ["one by its number", { transactionalDscp: "46" }, "transactionalDscp", "dscpTwice"],
])("refuses %s and changes nothing", async (_, change, path, rule) => {
  const before = await get();
  expect(await set(change)).toMatchObject({ code: 400, issues: [{ path, rule }] });
  expect(await get()).toEqual(before);
});

test("another enterprise neither reads nor writes them", async () => {
  expect(await set({}, other)).toMatchObject({ issues: [{ path: "groupid", rule: "unknown" }] });
  const { data } = await api.get(trafficClassGet.path, { groupid: home.ids.groupid }, other.token);
  expect(data ?? null).toBeNull();
});

test("devices that do not choose by class are named with the reason", async () => {
  const report = (nodeId: number, capabilities: object[]) =>
    sql`insert into weft.node_status (node_id, enterprise_id, capabilities)
      select id, enterprise_id, ${JSON.stringify(capabilities)}::jsonb from weft.node where id = ${nodeId}
      on conflict (node_id) do update set capabilities = excluded.capabilities`.execute(
      api.database.pools.owner.db,
    );
  const lacking = async () => (await get()).lacking as { nodeId: number; reason: string }[];
  for (const node of [home.ids.cpeId, home.ids.popId]) await report(node, []);
  expect((await lacking()).map(({ reason }) => reason)).toEqual(["unreported", "unreported"]);
  await report(home.ids.cpeId, [{ name: "path.quality", can: true, reason: null }]);
  await report(home.ids.popId, [{ name: "path.classes", can: false, reason: "no nft" }]);
  expect(await lacking()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ nodeId: home.ids.cpeId, reason: "edge" }),
      expect.objectContaining({ nodeId: home.ids.popId, reason: "kernel", detail: "no nft" }),
    ]),
  );
  await report(home.ids.cpeId, [{ name: "path.classes", can: true, reason: null }]);
  expect((await lacking()).map(({ nodeId }) => nodeId)).toEqual([home.ids.popId]);
});
