import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line as lineResource } from "@weft/contract/domains/devices/line.ts";
import { clientConfigEdit, clientConfigGet } from "@weft/contract/domains/mobile/client-config.ts";
import {
  accountBatchExpire,
  accountClient,
  accountEditEnable,
  accountEditKey,
  accountGetById,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile, readView } from "#domains/delivery/compile/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { endAccounts } from "../../../jobs/housekeeping.ts";

let api: TestApi;
let admin: string;
let home: Tenant;
let other: Tenant;
let space: number;
let made = 0;

const post = (path: string, fields: object, who = home) => api.post(path, fields, who.token);
const key = (character: string): string => `${character.repeat(42)}A=`;
const day = 86_400_000;

const spaceOf = async (who: Tenant): Promise<number> => {
  const { groupid, popId, cpeId } = who.ids;
  const draft = { name: "production", groupid, topology: 0, popIds: popId, cpeIds: cpeId };
  return newIdOf(await api.post(netSpace.ops.add.path, { ...draft, remark: "" }, admin));
};
const config = (more: object = {}) => ({
  groupid: home.ids.groupid,
  enable: 1,
  netSpaceId: space,
  popId: home.ids.popId,
  ipPool: "10.250.0.0/29",
  serverHost: "",
  dns: "10.1.5.53",
  routes: "",
  defaultTxbps: 20_000_000,
  defaultRxbps: "",
  allowTerminalTypes: "",
  ...more,
});
const setConfig = (more: object = {}, who = home) => post(clientConfigEdit.path, config(more), who);
const add = async (replaced: object = {}, who = home): Promise<number> => {
  made += 1;
  const draft = { loginName: `c${made}`, popId: "", txbps: "", expire: 1, ...replaced };
  return newIdOf(
    await post(mobileAccount.ops.add.path, wireDraft("account", "valid", who.ids, draft), who),
  );
};
const setKey = (id: number, publicKey: string, who = home) =>
  post(accountEditKey.path, { id, publicKey }, who);
const addressOf = async (id: number) =>
  ((await api.get(accountGetById.path, { id }, home.token)).data as { address: string | null })
    .address;
/** Peers that the POP's state has now. */
const peers = async () => {
  const view = await api.database.pools.worker.db
    .transaction()
    .execute((trx) => readView(trx, home.ids.popId));
  return (view ? (compile(view).clients ?? []) : []).flatMap((one) => one.peers);
};
const changesOfPop = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from weft.change
    where ${home.ids.popId} = any (node_ids)`.execute(api.database.pools.owner.db);
  return rows[0]?.n ?? 0;
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  space = await spaceOf(home);
  const line = wireDraft("line", "valid", home.ids, {
    nodeId: home.ids.popId,
    addressing: "static",
    ip: "192.0.2.9/24",
    gateway: "192.0.2.1",
  });
  newIdOf(await api.post(lineResource.ops.add.path, line, admin));
}, 60_000);
afterAll(() => api.close());

test("clientConfig: nothing is set at first, and what is set is read back", async () => {
  const query = { groupid: home.ids.groupid };
  const first = await api.get(clientConfigGet.path, query, home.token);
  expect(first.data).toMatchObject({ enable: 0, ipPool: null, port: null, clients: 0 });
  expect(
    await setConfig({ routes: "10.1.0.0/16,10.2.0.0/16", allowTerminalTypes: "5,6" }),
  ).toMatchObject({ code: 0 });
  const now = await api.get(clientConfigGet.path, query, home.token);
  expect(now.data).toMatchObject({
    enable: 1,
    netSpaceId: space,
    ipPool: "10.250.0.0/29",
    port: 50_000,
    clients: 0,
    routes: "10.1.0.0/16,10.2.0.0/16",
    allowTerminalTypes: "5,6",
    dns: "10.1.5.53",
  });
  expect(await setConfig()).toMatchObject({ code: 0 });
});

test.each([
  ["no pool", { ipPool: "" }, "ipPool", "required"],
  ["a pool with host bits", { ipPool: "10.250.0.1/24" }, "ipPool", "clientPool"],
  ["a pool without room", { ipPool: "10.250.0.0/30" }, "ipPool", "clientPool"],
  ["a route that is none", { routes: "10.1.0.0/16,lan" }, "routes", "cidr"],
  ["no POP", { popId: "" }, "popId", "required"],
])("refuses %s and changes nothing", async (_, change, path, rule) => {
  expect(await setConfig(change)).toMatchObject({ code: 400, issues: [{ path, rule }] });
  const { data } = await api.get(clientConfigGet.path, { groupid: home.ids.groupid }, home.token);
  expect(data).toMatchObject({ ipPool: "10.250.0.0/29", popId: home.ids.popId });
});

test("refuses the space, POP and service of someone else", async () => {
  expect(await setConfig({ popId: other.ids.popId })).toMatchObject({
    issues: [{ path: "popId", rule: "unknown" }],
  });
  const foreign = await spaceOf(other);
  expect(await setConfig({ netSpaceId: foreign })).toMatchObject({
    issues: [{ path: "netSpaceId", rule: "unknown" }],
  });
  expect(await setConfig({}, other)).toMatchObject({
    issues: [{ path: "groupid", rule: "unknown" }],
  });
});

test("clients and sites never share addresses, whichever comes first", async () => {
  const section = wireDraft("lansection", "valid", home.ids, {
    interfaceName: "lan7",
    network: "10.77.0.1/24",
    network6: "",
    enableForward: 1,
  });
  expect(await post(lanSection.ops.add.path, section)).toMatchObject({ code: 0 });
  expect(await setConfig({ ipPool: "10.77.0.0/25" })).toMatchObject({
    issues: [{ path: "ipPool", rule: "overlap" }],
  });
  const late = { ...section, interfaceName: "lan8", network: "10.250.0.6/24" };
  expect(await post(lanSection.ops.add.path, late)).toMatchObject({
    issues: [{ path: "network", rule: "overlap" }],
  });
});

test("an account gets the lowest free address with its key, and gives it back", async () => {
  const [one, two, three] = [await add(), await add(), await add()];
  for (const [index, id] of [one, two, three].entries())
    expect(await setKey(id, key(String(index)))).toMatchObject({ code: 0 });
  const addresses = () => Promise.all([one, two, three].map(addressOf));
  expect(await addresses()).toEqual(["10.250.0.2", "10.250.0.3", "10.250.0.4"]);
  expect(await setKey(two, "")).toMatchObject({ code: 0 });
  expect(await setKey(await add(), key("d"))).toMatchObject({ code: 0 });
  expect(await setKey(two, key("e"))).toMatchObject({ code: 0 });
  expect(await addresses()).toEqual(["10.250.0.2", "10.250.0.5", "10.250.0.4"]);
  // Another key keeps the address; a key of another account is refused.
  expect(await setKey(one, key("f"))).toMatchObject({ code: 0 });
  expect(await addressOf(one)).toBe("10.250.0.2");
  expect(await setKey(one, key("e"))).toMatchObject({
    issues: [{ path: "publicKey", rule: "taken" }],
  });
  expect(await setKey(one, "no key")).toMatchObject({
    issues: [{ path: "publicKey", rule: "tunnelKey" }],
  });
  // Six addresses, one of them the POP's: with five accounts the pool is full.
  expect(await setKey(await add(), key("g"))).toMatchObject({ code: 0 });
  expect(await setKey(await add(), key("h"))).not.toMatchObject({ code: 0 });
  // Another pool gives all of them other addresses.
  expect(await setConfig({ ipPool: "10.251.0.0/24" })).toMatchObject({ code: 0 });
  expect(await addresses()).toEqual(["10.251.0.2", "10.251.0.3", "10.251.0.4"]);
});

test("the POP's state has who is enabled and unexpired, and the enterprise's default bandwidth", async () => {
  const own = await add({ txbps: 5_000_000 });
  await setKey(own, key("i"));
  const mine = async () => (await peers()).find(({ id }) => id === own);
  expect(await mine()).toMatchObject({ publicKey: key("i"), down: 5_000_000, until: null });
  const typical = (await peers()).find(({ id }) => id !== own);
  expect(typical).toMatchObject({ down: 20_000_000 });
  const before = await changesOfPop();
  await post(accountEditEnable.path, { ids: own, enable: 0 });
  expect(await mine()).toBeUndefined();
  await post(accountEditEnable.path, { ids: own, enable: 1 });
  const expire = Date.now() + day;
  await post(accountBatchExpire.path, { ids: own, expire });
  expect(await mine()).toMatchObject({ until: expire });
  await setConfig({ ipPool: "10.251.0.0/24", allowTerminalTypes: "5" });
  expect(await mine()).toBeUndefined();
  await setConfig({ ipPool: "10.251.0.0/24" });
  expect(await mine()).toBeDefined();
  await post(mobileAccount.ops.remove.path, { ids: own });
  expect(await mine()).toBeUndefined();
  expect(await changesOfPop()).toBe(before + 6);
});

test("another pool concerns every member of the space: sites keep it inside", async () => {
  await setConfig({ ipPool: "10.252.0.0/24" });
  const { rows } = await sql<{
    spaces: number[];
  }>`select space_ids::int[] as spaces from weft.change
    order by seq desc limit 1`.execute(api.database.pools.owner.db);
  expect(rows[0]?.spaces).toEqual([space]);
  await setConfig({ ipPool: "10.251.0.0/24" });
});

test("an expiry recompiles the POP, once", async () => {
  const own = await add();
  await setKey(own, key("j"));
  const owner = api.database.pools.owner.db;
  await sql`update weft.mobile_account set expire_at = now() - interval '1 second'
    where id = ${own}`.execute(owner);
  expect((await peers()).some(({ id }) => id === own)).toBe(false);
  const before = await changesOfPop();
  expect(await endAccounts(api.database.pools)).toBe(1);
  expect(await endAccounts(api.database.pools)).toBe(0);
  expect(await changesOfPop()).toBe(before + 1);
});

test("account.client lists what is missing and the values of the configuration", async () => {
  const own = await add();
  const client = async (id: number, who = home) =>
    (await api.get(accountClient.path, { id }, who.token)).data as Record<string, unknown> | null;
  // The tenant's POP has no device yet, and so no key.
  expect(await client(own)).toMatchObject({ obstacle: "popUnready", address: null });
  await sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key)
    select id, enterprise_id, ${key("p")} from weft.node where id = ${home.ids.popId}
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key`.execute(
    api.database.pools.owner.db,
  );
  await setConfig({ ipPool: "10.251.0.0/24", serverHost: "vpn.example" });
  expect(await client(own)).toMatchObject({ obstacle: "noKey" });
  await setKey(own, key("k"));
  expect(await client(own)).toMatchObject({
    obstacle: null,
    serverKey: key("p"),
    endpoint: "vpn.example:50000",
    dns: "10.1.5.53",
    routes: expect.arrayContaining(["10.77.0.0/24"]),
  });
  expect(await client(own, other)).toBeNull();
  await post(accountEditEnable.path, { ids: own, enable: 0 });
  expect(await client(own)).toMatchObject({ obstacle: "disabled" });
});

test("who moves to another enterprise begins without key and address", async () => {
  const own = await add();
  await setKey(own, key("m"));
  const draft = wireDraft("account", "valid", other.ids, { loginName: "moved", popId: "" });
  expect(await api.post(mobileAccount.ops.edit.path, { ...draft, id: own }, admin)).toMatchObject({
    code: 0,
  });
  const { data } = await api.get(accountGetById.path, { id: own }, admin);
  expect(data).toMatchObject({ groupid: other.ids.groupid, publicKey: null, address: null });
});

test("a CPE whose LAN meets the pool is not taken into the space", async () => {
  const draft = wireDraft("cpe", "valid", home.ids, { alias: "late", sn: "LATE-0001" });
  const id = newIdOf(await api.post(cpe.ops.add.path, draft, admin));
  const section = { nCpeID: id, interfaceName: "lan1", network: "10.251.0.1/24", network6: "" };
  const lan = wireDraft("lansection", "valid", home.ids, { ...section, enableForward: 1 });
  expect(await api.post(lanSection.ops.add.path, lan, admin)).toMatchObject({ code: 0 });
  const members = { popIds: home.ids.popId, cpeIds: `${home.ids.cpeId},${id}` };
  const wanted = { id: space, name: "production", groupid: home.ids.groupid, topology: 0 };
  expect(
    await api.post(netSpace.ops.edit.path, { ...wanted, ...members, remark: "" }, admin),
  ).toMatchObject({ issues: [{ path: "cpeIds", rule: "collision" }] });
});
