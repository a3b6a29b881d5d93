/** Acceleration over the real stores: whose states groups are part of, and what keeps them from acting. */
import { dnsCapabilities, dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { resources as devices } from "@weft/contract/domains/devices/domain.ts";
import { resources as overlay } from "@weft/contract/domains/overlay/domain.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import { xwanSpeed, xwanSpeedDefine } from "@weft/contract/domains/policies/xwan-speed.ts";
import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { acceleratedSites, compile, readView } from "#domains/delivery/compile/public.ts";
import { reconcileLinks } from "#domains/delivery/links/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { accelerationFindings } from "./public.ts";

let api: TestApi;
let [home, other]: Tenant[] = [];
const ids: Record<string, number> = {};
const tenantOf = (tenant: Tenant | undefined): Tenant => {
  if (!tenant) throw new Error("there are two tenants");
  return tenant;
};

const add = async (
  name: Parameters<typeof wireDraft>[0],
  path: string,
  replaced: object,
  tenant = tenantOf(home),
) => newIdOf(await api.post(path, wireDraft(name, "valid", tenant.ids, replaced), tenant.token));

const asOwner = (run: (trx: Transaction<Database>) => Promise<void>): Promise<void> =>
  inScope(api.database.pools.owner, { kind: "all" }, run);

/** Nodes that the changes since the last call name. */
const named = async (): Promise<number[]> => {
  let nodes: number[] = [];
  await asOwner(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select distinct unnest(node_ids) as id from weft.change where not done`.execute(trx);
    await sql`update weft.change set done = true`.execute(trx);
    nodes = rows.map(({ id }) => id).sort((a, b) => a - b);
  });
  return nodes;
};

const capabilities = JSON.stringify(
  ["acceleration", dnsCapabilities.names, dnsRouteCapability].map((name) => ({
    name,
    can: true,
    reason: null,
  })),
);

const addPop = async (name: string, at: number): Promise<number> => {
  const pop = await add("pop", devices.pop.ops.add.path, { name, sn: `sn-${name}` });
  await add("line", devices.line.ops.add.path, {
    nodeId: pop,
    slot: 1,
    isp: "",
    interfaceName: "wan1",
    ip: `198.51.100.${at}/24`,
    gateway: "198.51.100.9",
  });
  return pop;
};

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  ids.pop = await addPop("p1", 1);
  ids.far = await addPop("p2", 2);
  ids.cpe = await add("cpe", devices.cpe.ops.add.path, { alias: "a", sn: "sn-a" });
  const line = { nodeId: ids.cpe, slot: 1, ip: "203.0.113.1/24", gateway: "203.0.113.9" };
  await add("line", devices.line.ops.add.path, line);
  await add("lansection", devices.lansection.ops.add.path, {
    nCpeID: ids.cpe,
    network: "10.90.1.1/24",
    network6: "",
    vlan: "",
    enableForward: 1,
    enableDirect: 1,
    enableCentral: 0,
  });
  const space = { topology: 0, popIds: `${ids.pop}`, cpeIds: `${ids.cpe}` };
  ids.space = await add("netSpace", overlay.netSpace.ops.add.path, space);
  await asOwner(async (trx) => {
    for (const node of [ids.pop, ids.cpe]) {
      const key = Buffer.from(`k${node}`.padEnd(32, ".")).toString("base64");
      await sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key, capabilities)
        select id, enterprise_id, ${key}, ${capabilities}::jsonb from weft.node where id = ${node}
        on conflict (node_id) do update
          set tunnel_key = excluded.tunnel_key, capabilities = excluded.capabilities`.execute(trx);
    }
    await reconcileLinks(trx, ids.space ?? 0);
  });
  await named();
}, 120_000);
afterAll(() => api.close());

const viewed = async <Value>(
  node: number | undefined,
  use: (view: NonNullable<Awaited<ReturnType<typeof readView>>>) => Value,
): Promise<Value> => {
  let value: Value | undefined;
  await asOwner(async (trx) => {
    const view = await readView(trx, node ?? 0);
    if (!view) throw new Error("no such node");
    value = use(view);
  });
  return value as Value;
};
const sectionOf = (node: number | undefined) =>
  viewed(node, (view) => compile(view).accelerations?.[0]);
const reasonsAt = (node: number | undefined) =>
  viewed(node, (view) =>
    acceleratedSites(view)
      .flatMap((site) => accelerationFindings(site, { capabilities: view.capabilities ?? null }))
      .map(({ family, reason }) => `${family} ${reason}`)
      .sort(),
  );

const { ops } = saasGroups.ip;
const groupOf = (change: object, tenant = tenantOf(home)) =>
  wireDraft("saasGroup.ip", "valid", tenant.ids, { name: "cloud", popId: ids.pop, ...change });

test("a group concerns the CPEs of its enterprise and the POPs of their spaces, with every write", async () => {
  const { token } = tenantOf(home);
  const both = [ids.pop, ids.cpe].sort((a, b) => Number(a) - Number(b));
  const id = newIdOf(await api.post(ops.add.path, groupOf({}), token));
  expect(await named()).toEqual(both);
  expect(await sectionOf(ids.cpe)).toMatchObject({
    sources: ["10.90.1.0/24"],
    groups: [
      { object: "saasGroup", id, members: ["203.0.113.0/24", "198.51.100.10-198.51.100.20"] },
    ],
    exit: null,
  });
  expect(await sectionOf(ids.pop)).toMatchObject({ sources: ["10.90.1.0/24"], groups: [] });
  expect(await reasonsAt(ids.cpe)).toEqual([]);

  // To a POP that the site has no link to: it leaves as before, and the group says so.
  expect(
    await api.post(ops.edit.path, { ...groupOf({ popId: ids.far }), id }, token),
  ).toMatchObject({ code: 0 });
  expect(await named()).toEqual(both);
  expect(await sectionOf(ids.cpe)).toBeUndefined();
  expect(await sectionOf(ids.pop)).toBeUndefined();
  expect(await reasonsAt(ids.cpe)).toEqual(["saasGroup.ip noExitPop"]);

  expect(await api.post(ops.edit.path, { ...groupOf({ popId: "" }), id }, token)).toMatchObject({
    code: 0,
  });
  expect(await sectionOf(ids.cpe)).toBeDefined();
  await named();
  expect(await api.post(ops.remove.path, { ids: id }, token)).toMatchObject({ code: 0 });
  expect(await named()).toEqual(both);
  expect(await sectionOf(ids.cpe)).toBeUndefined();
  expect(await sectionOf(ids.pop)).toBeUndefined();
});

test("a group whose POP is removed is disabled, and does not leave at any POP from then on", async () => {
  const { token } = tenantOf(home);
  const gone = await addPop("gone", 3);
  const id = newIdOf(await api.post(ops.add.path, groupOf({ name: "gone", popId: gone }), token));
  // One that is off already stays as it is, and one that named no POP acts.
  const off = { name: "off", popId: gone, enable: 0, values: "203.0.114.0/24" };
  const idle = newIdOf(await api.post(ops.add.path, groupOf(off), token));
  const free = { name: "free", popId: "", values: "203.0.115.0/24" };
  const any = newIdOf(await api.post(ops.add.path, groupOf(free), token));
  const before = await sectionOf(ids.cpe);
  expect(before?.groups).toMatchObject([{ id: any }]);
  expect(await reasonsAt(ids.cpe)).toEqual(["saasGroup.ip noExitPop"]);
  await named();
  const removed = await api.post(devices.pop.ops.remove.path, { ids: gone }, token);
  expect(removed).toMatchObject({ code: 0 });
  const { data } = await api.get(ops.list.path, { limit: 100 }, token);
  for (const one of [id, idle]) {
    expect(data).toContainEqual(expect.objectContaining({ id: one, popId: null, enable: 0 }));
  }
  expect(await sectionOf(ids.cpe)).toEqual(before);
  expect(await reasonsAt(ids.cpe)).toEqual([]);
  expect(await named()).toContain(ids.cpe);
  await asOwner(async (trx) => {
    const { rows } =
      await sql<object>`select action, new_value ->> 'enable' as enable from weft.audit
      where resource = 'saasGroup.ip' and row_id = ${id} order by id desc limit 1`.execute(trx);
    expect(rows).toEqual([{ action: "pop.remove", enable: "false" }]);
  });
  // Taking a POP out by hand is a choice.
  const edited = groupOf({ name: "gone", popId: ids.far, enable: 1 });
  expect(await api.post(ops.edit.path, { ...edited, id }, token)).toMatchObject({ code: 0 });
  expect(await api.post(ops.edit.path, { ...edited, id, popId: "" }, token)).toMatchObject({
    code: 0,
  });
  expect((await sectionOf(ids.cpe))?.groups).toHaveLength(2);
  for (const one of [id, idle, any]) {
    expect(await api.post(ops.remove.path, { ids: one }, token)).toMatchObject({ code: 0 });
  }
  await named();
});

test("a group of another enterprise affects no other enterprise", async () => {
  const { token, ids: own } = tenantOf(other);
  newIdOf(await api.post(ops.add.path, groupOf({ popId: own.popId }, tenantOf(other)), token));
  const concerned = await named();
  for (const node of [ids.cpe, ids.pop]) expect(concerned).not.toContain(node);
  expect(await sectionOf(ids.cpe)).toBeUndefined();
  expect(await sectionOf(ids.pop)).toBeUndefined();
});

test("names of a group and of an application's catalogue make the resolver of the site learn", async () => {
  const dnsOf = () => viewed(ids.cpe, (view) => compile(view).dns);
  expect(await dnsOf()).toBeUndefined();
  const { token } = tenantOf(home);
  const groups = [
    ["domain", { name: "names", values: "*.office.com", popId: ids.pop }],
    ["app", { name: "apps", values: "1001", popId: "" }],
  ] as const;
  const made: [path: string, id: number][] = [];
  for (const [kind, change] of groups) {
    const { ops: of } = saasGroups[kind];
    made.push([of.remove.path, await add(`saasGroup.${kind}`, of.add.path, change)]);
  }
  const section = await sectionOf(ids.cpe);
  expect(section?.groups.map(({ names }) => names[0])).toEqual(["*.office.com", "microsoft.az"]);
  expect(await dnsOf()).toEqual({ answers: [], servers: [], denied: [], ranges: [] });
  // What a host asks others encrypted is not learned: it acts as well as it can.
  expect(await reasonsAt(ids.cpe)).toEqual([
    "saasGroup.app ownDnsOnly",
    "saasGroup.domain ownDnsOnly",
  ]);
  for (const [path, id] of made)
    expect(await api.post(path, { ids: id }, token)).toMatchObject({ code: 0 });
  expect(await dnsOf()).toBeUndefined();
});

test("a profile leads by its definitions, with every write of either", async () => {
  const { token } = tenantOf(home);
  const both = [ids.pop, ids.cpe].sort((a, b) => Number(a) - Number(b));
  const defines = xwanSpeedDefine.ops;
  await named();
  const speedId = await add("xwanSpeed", xwanSpeed.ops.add.path, {});
  expect(await named()).toEqual(both);
  expect(await sectionOf(ids.cpe)).toBeUndefined();
  const define = (kind: string, value: string) =>
    add("xwanSpeedDefine", defines.add.path, { speedId, kind, value });
  const id = await define("ip", "203.0.113.0/24");
  expect(await named()).toEqual(both);
  await define("domain", "zoom.us");
  await define("dpi", "102");
  expect((await sectionOf(ids.cpe))?.groups).toMatchObject([
    { object: "xwanSpeed", id: speedId, members: ["203.0.113.0/24"], names: ["zoom.us"] },
  ]);
  expect(await reasonsAt(ids.cpe)).toEqual(["xwanSpeed notCarriedOut"]);
  const edited = { ...wireDraft("xwanSpeed", "valid", tenantOf(home).ids, { enable: 0 }), speedId };
  await named();
  expect(await api.post(xwanSpeed.ops.edit.path, edited, token)).toMatchObject({ code: 0 });
  expect(await named()).toEqual(both);
  expect(await sectionOf(ids.cpe)).toBeUndefined();
  expect(await api.post(defines.remove.path, { ids: id }, token)).toMatchObject({ code: 0 });
  expect(await named()).toEqual(both);
  expect(await api.post(xwanSpeed.ops.remove.path, { ids: speedId }, token)).toMatchObject({
    code: 0,
  });
  expect(await named()).toEqual(both);
});

test("LANs that may not leave by themselves are a finding, and so is a kind that nothing carries out", async () => {
  const { token } = tenantOf(home);
  newIdOf(await api.post(ops.add.path, groupOf({ name: "again" }), token));
  await add("saasGroup.dpi", saasGroups.dpi.ops.add.path, { name: "calls", popId: ids.pop });
  expect(await reasonsAt(ids.cpe)).toEqual(["saasGroup.dpi notCarriedOut"]);
  await asOwner(async (trx) => {
    await sql`update weft.lan_section set enable_direct = false where node_id = ${ids.cpe}`.execute(
      trx,
    );
  });
  expect(await reasonsAt(ids.cpe)).toEqual([
    "saasGroup.dpi notCarriedOut",
    "saasGroup.ip noLeavingLan",
  ]);
  expect(await sectionOf(ids.pop)).toBeUndefined();
});
