/** Closed user groups from the calls that save them to the states of their members. */
import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeEditCugConfig, cpeSaveCugEnable } from "@weft/contract/domains/devices/cpe-actions.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { compile, readView } from "./public.ts";

let api: TestApi;
let admin: string;
let home: Tenant;
/** Sites of one space, and the group of the first two. */
const sites: number[] = [];
let groupId: number;

type Drafted = Parameters<typeof wireDraft>[0];
const add = async (name: Drafted, path: string, replaced: object, token = home.token) =>
  newIdOf(await api.post(path, wireDraft(name, "valid", home.ids, replaced), token));
const edit = async (replaced: object): Promise<void> => {
  const draft = wireDraft("cug", "valid", home.ids, {
    cpeIds: `${sites[0]},${sites[1]}`,
    ...replaced,
  });
  expect(await api.post(cug.ops.edit.path, { id: groupId, ...draft }, home.token)).toMatchObject({
    code: 0,
  });
};

const worker = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
/** As the worker compiles it. */
const groupsOf = (id: number | undefined) =>
  inScope(api.database.pools.worker, worker, async (trx) => {
    const view = await readView(trx, id ?? 0);
    if (!view) throw new Error(`no node ${id}`);
    return compile(view).groups ?? null;
  });
const lastChange = () =>
  inScope(api.database.pools.owner, { kind: "all" }, async (trx) => {
    const { rows } = await sql<{ node_ids: number[]; space_ids: number[] }>`
      select node_ids, space_ids from weft.change order by seq desc limit 1`.execute(trx);
    return rows[0] ?? { node_ids: [], space_ids: [] };
  });

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  for (const at of [1, 2, 3]) {
    const id = await add("cpe", cpe.ops.add.path, { alias: `site-${at}`, sn: `sn-${at}` });
    const lan = { nCpeID: id, network: `10.${at}.0.1/24`, network6: `fd57:${at}::1/64`, vlan: "" };
    await add("lansection", lanSection.ops.add.path, { ...lan, interfaceName: "lan0" });
    sites.push(id);
  }
  await add("netSpace", netSpace.ops.add.path, { popIds: "", cpeIds: sites.join() });
  groupId = await add("cug", cug.ops.add.path, { cpeIds: `${sites[0]},${sites[1]}` });
}, 120_000);
afterAll(() => api.close());

const ofSecond = { networks: ["10.2.0.0/24", "fd57:2::/64"] };

test("members have the networks of each other, and the third site has no group", async () => {
  expect(await groupsOf(sites[0])).toMatchObject({
    rate: null,
    groups: [{ id: groupId, ...ofSecond }],
  });
  expect(await groupsOf(sites[1])).toMatchObject({
    groups: [{ networks: ["10.1.0.0/24", "fd57:1::/64"] }],
  });
  expect(await groupsOf(sites[2])).toBe(null);
});

test("an edit marks the members that there were and those that there are", async () => {
  await edit({ cpeIds: `${sites[0]},${sites[2]}` });
  expect((await lastChange()).node_ids.sort()).toEqual([...sites].sort());
  expect(await groupsOf(sites[0])).toMatchObject({
    groups: [{ networks: ["10.3.0.0/24", "fd57:3::/64"] }],
  });
  expect(await groupsOf(sites[1])).toBe(null);
  await edit({ enable: 0 });
  expect(await groupsOf(sites[0])).toBe(null);
  await edit({});
});

test("a CPE that takes no part is reached by no member, which stays closed", async () => {
  const [, second] = sites;
  const enable = async (value: number): Promise<void> => {
    const asked = { id: second, enable: value, hostid: "" };
    expect(await api.post(cpeSaveCugEnable.path, asked, home.token)).toMatchObject({ code: 0 });
  };
  await enable(0);
  expect((await lastChange()).space_ids).toHaveLength(1);
  expect(await groupsOf(second)).toBe(null);
  expect(await groupsOf(sites[0])).toMatchObject({ groups: [{ id: groupId, networks: [] }] });
  await enable(1);
  const rate = { cpeId: second, bandwidth: 9_000_000 };
  expect(await api.post(cpeEditCugConfig.path, rate, home.token)).toMatchObject({ code: 0 });
  expect(await groupsOf(second)).toMatchObject({ rate: 9_000_000 });
});

test("a group of another enterprise that manages the CPEs closes them as well", async () => {
  const agent = await makeTenant(api, admin, "agent");
  await inScope(api.database.pools.owner, { kind: "all" }, async (trx) => {
    await sql`update weft.cug set enterprise_id = ${agent.ids.groupid} where id = ${groupId}`.execute(
      trx,
    );
  });
  expect(await groupsOf(sites[0])).toMatchObject({ groups: [{ id: groupId, ...ofSecond }] });
});

test("a device that reported that it cannot keep groups apart is sent none", async () => {
  const reports = (can: boolean) =>
    inScope(api.database.pools.owner, { kind: "all" }, async (trx) => {
      const all = JSON.stringify([{ name: groupsCapability, can, reason: null }]);
      await sql`insert into weft.node_status (node_id, enterprise_id, capabilities)
        select id, enterprise_id, ${all}::jsonb from weft.node where id = ${sites[0]}
        on conflict (node_id) do update set capabilities = excluded.capabilities`.execute(trx);
    });
  await reports(false);
  expect(await groupsOf(sites[0])).toBe(null);
  await reports(true);
  expect(await groupsOf(sites[0])).toMatchObject({ groups: [{ id: groupId, ...ofSecond }] });
});

test("a removal marks the members", async () => {
  const gone = await api.post(cug.ops.remove.path, { ids: String(groupId) }, admin);
  expect(gone).toMatchObject({ code: 0 });
  expect((await lastChange()).node_ids.toSorted()).toEqual(sites.slice(0, 2).toSorted());
  expect(await groupsOf(sites[0])).toBe(null);
});
