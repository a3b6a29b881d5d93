// What acts on every field that operators save (packages/contract/src/effects.ts), compared with what
// devices get: of a space of real rows one value is changed, links are reconciled and every state is
// compiled again. A field that is part of a state changes one, a field that is not changes none.
import { accelerationCapability } from "@weft/contract/device/v1/acceleration.ts";
import {
  byteRecordsCapability,
  rankedSitesCapability,
} from "@weft/contract/device/v1/additions.ts";
import { dnsCapabilities, dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { flowRecordsCapability } from "@weft/contract/device/v1/flow-records.ts";
import {
  lanPrefixCapability,
  vlanCapability,
  wanIpv6Capability,
} from "@weft/contract/device/v1/underlay.ts";
import { cpeItemNames } from "@weft/contract/domains/devices/cpe-config.ts";
import { resources as devices } from "@weft/contract/domains/devices/domain.ts";
import { enterpriseEditStrategy } from "@weft/contract/domains/enterprises/enterprise.ts";
import { resources as overlay } from "@weft/contract/domains/overlay/domain.ts";
import { defaultClasses, trafficClassEdit } from "@weft/contract/domains/overlay/traffic-class.ts";
import { resources as policies } from "@weft/contract/domains/policies/domain.ts";
import {
  type PolicyFamilyName,
  policyFamily,
} from "@weft/contract/domains/policies/policy-families.ts";
import { effectOf } from "@weft/contract/effects.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { compile, readView } from "#domains/delivery/compile/public.ts";
import { reconcileLinks } from "#domains/delivery/links/public.ts";
import { type TestApi, testApi } from "./api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

let api: TestApi;
let home: Tenant;
/** Rows of the space by name. */
const ids: Record<string, number> = {};

const add = async (name: Parameters<typeof wireDraft>[0], path: string, replaced: object) =>
  newIdOf(await api.post(path, wireDraft(name, "valid", home.ids, replaced), home.token));

async function addNodes(): Promise<void> {
  ids.pop = await add("pop", devices.pop.ops.add.path, { name: "P", sn: "sn-pop" });
  ids.pop2 = await add("pop", devices.pop.ops.add.path, { name: "P2", sn: "sn-pop2" });
  await add("line", devices.line.ops.add.path, {
    nodeId: ids.pop2,
    slot: 1,
    isp: "isp-c",
    interfaceName: "wan1",
    ip: "198.51.100.3/24",
    gateway: "198.51.100.9",
  });
  for (const [slot, isp] of [
    [1, "isp-b"],
    [2, "isp-a"],
  ]) {
    const at = { slot, isp, interfaceName: `wan${slot}`, ip: `198.51.100.${slot}/24` };
    await add("line", devices.line.ops.add.path, {
      nodeId: ids.pop,
      ...at,
      gateway: "198.51.100.9",
    });
  }
  for (const alias of ["a", "b"]) {
    const node = await add("cpe", devices.cpe.ops.add.path, { alias, sn: `sn-${alias}` });
    ids[alias] = node;
    const ip = alias === "a" ? "203.0.113.1/24" : "203.0.113.2/24";
    const reachable = alias === "a" ? 1 : 0;
    ids[`line-${alias}`] = await add("line", devices.line.ops.add.path, {
      nodeId: node,
      slot: 4,
      ip,
      reachable,
      gateway: "203.0.113.9",
      ipv6Mode: "static",
      ip6: alias === "a" ? "2001:db8:77::2/64" : "2001:db8:77::4/64",
      gateway6: "fe80::1",
    });
  }
}

async function addSettings(): Promise<void> {
  const nCpeID = ids.a;
  ids.lan = await add("lansection", devices.lansection.ops.add.path, {
    nCpeID,
    ipv6Slot: 4,
    ipv6Subnet: 1,
  });
  ids.route = await add("staticroute", devices.staticroute.ops.add.path, {
    nCpeID,
    destination: "10.60.0.0/16",
    nextHop: "10.77.1.9",
    announce: 1,
  });
  ids.branch = await add("branch", devices.branch.ops.add.path, { cpeIds: String(ids.a) });
  ids.notice = await add("routeNotice", overlay.routeNotice.ops.add.path, { cpeId: ids.a });
  for (const sort of [1, 0]) {
    const rule = { nCpeID, sort, name: `rule-${sort}`, dstPort: `${80 + sort}`, srcPort: "1024" };
    ids.rule = await add("xaclrules", policies.xaclrules.ops.add.path, rule);
  }
  ids.entry = await add("blacklist", policies.blacklist.ops.add.path, { cpeIds: String(ids.a) });
  ids.group = await add("cug", overlay.cug.ops.add.path, { cpeIds: `${ids.a},${ids.b}` });
  const ends = { sourceId: ids.a, targetId: ids.pop, bandwidth: 5_000, guaranteed: "" };
  ids.circuit = await add("xwanCircuit", overlay.xwanCircuit.ops.add.path, ends);
  for (const kind of ["ip", "domain", "app"] as const)
    ids[`exit-${kind}`] = await add(
      `saasGroup.${kind}`,
      policies[`saasGroup.${kind}`].ops.add.path,
      { popId: ids.pop },
    );
  ids.profile = await add("xwanSpeed", policies.xwanSpeed.ops.add.path, {});
  ids.idle = await add("xwanSpeed", policies.xwanSpeed.ops.add.path, { name: "idle", enable: 0 });
  ids.definition = await add("xwanSpeedDefine", policies.xwanSpeedDefine.ops.add.path, {
    speedId: ids.profile,
    kind: "ip",
    value: "192.0.2.98",
  });
  ids.space = await add("netSpace", overlay.netSpace.ops.add.path, {
    topology: 1,
    popIds: `${ids.pop},${ids.pop2}`,
    cpeIds: `${ids.a},${ids.b}`,
  });
}

/** Two POPs of which a strategy names one and its group the other. */
async function addStrategy(): Promise<void> {
  for (const name of ["first", "second"]) {
    const popIds = name === "first" ? String(ids.pop2) : "";
    ids[name] = await add("popStrategy", overlay.popStrategy.ops.add.path, { name, popIds });
  }
  const group = { strategyId: ids.first, popIds: String(ids.pop) };
  ids.group = await add("popGroup", overlay.popGroup.ops.add.path, group);
  const choice = { groupid: home.ids.groupid, strategyType: 1, popStrategyId: ids.first };
  const answer = await api.post(
    enterpriseEditStrategy.path,
    { ...choice, checkServerData: "" },
    home.token,
  );
  if (answer.code !== 0) throw new Error(answer.msg);
}

/** A policy object of a CPE's own. */
const post = async (family: PolicyFamilyName, given: object): Promise<number> => {
  const path = policyFamily(family).manage.resource.ops.add?.path ?? "";
  return newIdOf(await api.post(path, { cpeId: ids.a, remark: "", ...given }, home.token));
};

/** Rules with groups that have no entries: they take the members of the enterprise's groups of these names. */
async function addEnterpriseGroups(): Promise<void> {
  const ipgroupId = await post("routerIpgroup", { name: "offices" });
  const urlgroupId = await post("routerUrlgroup", { name: "games" });
  await post("routerConnlimit", {
    name: "per-office",
    enable: 1,
    ipgroupId,
    maxConnections: 9,
    maxNewPerSecond: "",
  });
  await post("routerUrlrule", {
    name: "no-games",
    enable: 1,
    sort: 1,
    urlgroupId,
    ipgroupId: "",
    timeId: "",
    action: 0,
    redirectUrl: "",
  });
  await add("urlgroup", policies.urlgroup.ops.add.path, { name: "games" });
  // Of the enterprise above, so that sharing decides.
  await inScope(api.database.pools.owner, { kind: "all" }, (trx) =>
    sql`insert into weft.enterprise_ipgroup (enterprise_id, name, share, members)
      select parent_id, 'offices', true, '{10.1.0.0/16}' from weft.enterprise
      where id = ${home.ids.groupid}`.execute(trx),
  );
}

/** A rule in a time of the day, which is one of the site's clock. */
async function addTimedRoute(): Promise<void> {
  const times = { weekdays: "1", startTime: "08:00", endTime: "12:00" };
  const timeId = await post("routerTimenode", { name: "morning", ...times });
  await post("routerPolicyroute", {
    name: "timed",
    enable: 1,
    sort: 1,
    timeId,
    lineGroup: 8,
    natType: 1,
    nextHop: "",
    srcIpgroupId: "",
    dstIpgroupId: "",
    appgroupId: "",
    ttlIncrement: 0,
    natLbextra: 0,
  });
}
const capabilities = [
  "policy.routerTimenode",
  "policy.routerPolicyroute",
  "policy.routerIpgroup",
  "policy.routerIpgroupdefine",
  "policy.routerConnlimit",
  "policy.routerUrlgroup",
  "policy.routerUrl",
  "policy.routerUrlrule",
  "shaping",
  "cug",
  "circuits",
  accelerationCapability,
  dnsCapabilities.names,
  dnsRouteCapability,
  "path.quality",
  "path.classes",
  "path.lines",
  rankedSitesCapability,
  vlanCapability,
  wanIpv6Capability,
  byteRecordsCapability,
  flowRecordsCapability,
  lanPrefixCapability,
].map((name) => ({ name, can: true, reason: null }));

/** Real-time traffic looks at the lines of links. */
async function addClasses(): Promise<void> {
  const values = Object.entries(defaultClasses).map(([name, value]) => [name, value ?? ""]);
  const draft = { ...Object.fromEntries(values), groupid: home.ids.groupid, enable: 1 };
  const answer = await api.post(trafficClassEdit.path, draft, home.token);
  if (answer.code !== 0) throw new Error(answer.msg);
}

beforeAll(async () => {
  api = await testApi();
  home = await makeTenant(api, await api.logIn("admin"), "home");
  await addNodes();
  await addSettings();
  await addStrategy();
  await addTimedRoute();
  await addEnterpriseGroups();
  await addClasses();
  await inScope(api.database.pools.owner, { kind: "all" }, async (trx) => {
    for (const node of [ids.pop, ids.pop2, ids.a, ids.b]) {
      const key = Buffer.from(`k${node}`.padEnd(32, ".")).toString("base64");
      await sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key)
        select id, enterprise_id, ${key} from weft.node where id = ${node}
        on conflict (node_id) do update set tunnel_key = ${key}`.execute(trx);
    }
    await sql`update weft.node_status set capabilities = ${JSON.stringify(capabilities)}::jsonb
      where node_id in (${ids.a}, ${ids.pop})`.execute(trx);
    await sql`insert into weft.node_config (node_id, enterprise_id, items)
      select id, enterprise_id, '{}' from weft.node where id = ${ids.a}
      on conflict do nothing`.execute(trx);
  });
}, 120_000);
afterAll(() => api.close());

class Undo extends Error {}

/** The states of all nodes as they are after a change, which is undone. */
async function statesAfter(change: string): Promise<string> {
  let states = "";
  const undone = inScope(api.database.pools.owner, { kind: "all" }, async (trx) => {
    await sql.raw(change).execute(trx);
    states = await statesNow(trx);
    throw new Undo();
  });
  await expect(undone).rejects.toThrow(Undo);
  return states;
}

async function statesNow(trx: Transaction<Database>): Promise<string> {
  await reconcileLinks(trx, ids.space ?? 0);
  const states: unknown[] = [];
  for (const node of [ids.pop, ids.a, ids.b]) {
    const view = await readView(trx, node ?? 0);
    if (!view) throw new Error(`no node ${node}`);
    // Numbers of links are given out at each reconciliation.
    const links = view.links.map((link, at) => ({ ...link, id: at + 1 }));
    states.push(compile({ ...view, links }));
  }
  return JSON.stringify(states);
}

const node = (set: string) => `update weft.node set ${set} where id = ${ids.a}`;
const pop = (set: string) => `update weft.node set ${set} where id = ${ids.pop}`;
const line = (set: string) => `update weft.line set ${set} where id = ${ids["line-a"]}`;
const lan = (set: string) => `update weft.lan_section set ${set} where id = ${ids.lan}`;
const route = (set: string) => `update weft.static_route set ${set} where id = ${ids.route}`;
const branch = (set: string) => `update weft.branch set ${set} where id = ${ids.branch}`;
const space = (set: string) => `update weft.net_space set ${set} where id = ${ids.space}`;
const notice = (set: string) => `update weft.route_notice set ${set} where id = ${ids.notice}`;
const rule = (set: string) => `update weft.acl_rule set ${set} where id = ${ids.rule}`;
const circuit = (set: string) => `update weft.circuit set ${set} where id = ${ids.circuit}`;
const ipGroup = (set: string) => `update weft.enterprise_ipgroup set ${set}`;
const urlGroup = (set: string) => `update weft.enterprise_urlgroup set ${set}`;
const group = (set: string) => `update weft.cug set ${set} where id = ${ids.group}`;
const exits = (kind: "ip" | "domain" | "app", members: string) => {
  const of = (set: string) => () =>
    `update weft.saas_group set ${set} where id = ${ids[`exit-${kind}`]}`;
  return {
    [`saasGroup.${kind}.name`]: of("name = 'q'"),
    [`saasGroup.${kind}.values`]: of(`members = '${members}'`),
    [`saasGroup.${kind}.popId`]: of("pop_id = null"),
    [`saasGroup.${kind}.enable`]: of("enabled = not enabled"),
    [`saasGroup.${kind}.remark`]: of(remark),
  };
};
const profile = (set: string) => `update weft.xwan_speed set ${set} where id = ${ids.profile}`;
const definition = (set: string) =>
  `update weft.xwan_speed_define set ${set} where id = ${ids.definition}`;
const entry = (set: string) => `update weft.blacklist set ${set} where id = ${ids.entry}`;
const leave = (member: string) =>
  `delete from weft.space_member where space_id = ${ids.space} and node_id = ${ids[member]}`;
const config = (set: string) => `update weft.node_config set ${set} where node_id = ${ids.a}`;
const item = (value: object) =>
  `update weft.node_config set items = items || '${JSON.stringify(value)}' where node_id = ${ids.a}`;
const strategy = (set: string) => `update weft.pop_strategy set ${set} where id = ${ids.first}`;
const remark = "remark = 'changed'";

/** Another value of every field that the controller does not act with itself. */
const changes: Readonly<Record<string, () => string>> = {
  "pop.name": () => pop("name = 'Q'"),
  "pop.regions": () => pop("regions = 'Q'"),
  "pop.longitude": () => pop("longitude = 9"),
  "pop.latitude": () => pop("latitude = 9"),
  "pop.bandwidth": () => pop("bandwidth_kbps = 9000"),
  "pop.remark": () => pop(remark),
  "cpe.alias": () => node("name = 'q'"),
  "cpe.enable": () => node("enabled = not enabled"),
  "cpe.xMode": () => node("x_mode = 1 - x_mode"),
  "cpe.longitude": () => node("longitude = 9"),
  "cpe.latitude": () => node("latitude = 9"),
  "cpe.expireTime": () => node("expire_at = now() - interval '1 hour'"),
  "cpe.areaId": () =>
    `with area as (insert into weft.cpe_area (enterprise_id, name)
      values (${home.ids.groupid}, 'q') returning id)
     update weft.node set area_id = (select id from area) where id = ${ids.a}`,
  "cpe.timezone": () => node("time_zone = 'Asia/Kathmandu'"),
  "cpe.remark": () => node(remark),
  "branch.name": () => branch("name = 'q'"),
  "branch.regions": () => branch("regions = '{q}'"),
  "branch.address": () => branch("address = 'q'"),
  "branch.cpeIds": () => `delete from weft.branch_node where owner_id = ${ids.branch}`,
  "branch.remark": () => branch(remark),
  "line.nodeId": () => line(`node_id = ${ids.b}, slot = 3, interface_name = 'wan9'`),
  "line.slot": () => line("slot = 3"),
  "line.name": () => line("name = 'q'"),
  "line.interfaceName": () => line("interface_name = 'wan9'"),
  "line.addressing": () => line("addressing = 'dhcp', ip = null, gateway = null"),
  "line.ip": () => line("ip = '203.0.113.5/24'"),
  "line.gateway": () => line("gateway = '203.0.113.8'"),
  "line.ipv6Mode": () => line("ipv6_mode = 'auto'"),
  "line.prefixLength": () => line("ipv6_mode = 'delegated', prefix_length = 60"),
  "line.ip6": () => line("ip6 = '2001:db8:77::3/64'"),
  "line.gateway6": () => line("gateway6 = 'fe80::2'"),
  "line.publicIp": () => line("public_ip = '203.0.113.77'"),
  "line.publicPort": () => line("public_ip = '203.0.113.77', public_port = 40000"),
  "line.isp": () => line("isp = 'isp-b'"),
  "line.lineQuality": () => line("line_quality = 1"),
  "line.reachable": () => line("reachable = false"),
  "line.mtu": () => line("mtu = 1300"),
  "line.upBandwidth": () => line("up_kbps = 9000"),
  "line.downBandwidth": () => line("down_kbps = 9000"),
  "line.remark": () => line(remark),
  "lansection.nCpeID": () => lan(`node_id = ${ids.b}`),
  "lansection.interfaceName": () => lan("interface_name = 'lan8'"),
  "lansection.network": () => lan("network = '10.77.1.2/24'"),
  "lansection.network6": () => lan("network6 = null"),
  "lansection.vlan": () => lan("vlan = 7"),
  "lansection.enableForward": () => lan("enable_forward = false"),
  "lansection.enableDirect": () => lan("enable_direct = false"),
  "lansection.enableCentral": () => lan("enable_central = true"),
  "lansection.ownAddress": () => lan("own_address = '10.77.1.3'"),
  "lansection.dhcpStart": () => lan("dhcp_start = '10.77.1.50', dhcp_end = '10.77.1.60'"),
  "lansection.dhcpEnd": () => lan("dhcp_start = '10.77.1.50', dhcp_end = '10.77.1.61'"),
  "lansection.ipv6Slot": () => lan("ipv6_slot = 3"),
  "lansection.ipv6Subnet": () => lan("ipv6_subnet = 9"),
  "lansection.remark": () => lan(remark),
  "staticroute.nCpeID": () => route(`node_id = ${ids.b}`),
  "staticroute.nEnable": () => route("enabled = not enabled"),
  "staticroute.destination": () => route("destination = '10.61.0.0/16'"),
  "staticroute.nextHop": () => route("next_hop = '10.77.1.8'"),
  "staticroute.metric": () => route("metric = 9"),
  "staticroute.announce": () => route("announce = not announce"),
  "staticroute.remark": () => route(remark),
  "netSpace.name": () => space("name = 'q'"),
  "netSpace.topology": () => space("topology = 0"),
  "netSpace.popIds": () => leave("pop"),
  "netSpace.cpeIds": () => leave("b"),
  "netSpace.remark": () => space(remark),
  "popStrategy.name": () => strategy("name = 'q'"),
  "popStrategy.popIds": () =>
    `delete from weft.pop_strategy_node where owner_id = ${ids.first} and node_id = ${ids.pop2}`,
  "popStrategy.remark": () => strategy(remark),
  "popGroup.name": () => `update weft.pop_group set name = 'q' where id = ${ids.group}`,
  "popGroup.strategyId": () =>
    `update weft.pop_group set strategy_id = ${ids.second} where id = ${ids.group}`,
  "popGroup.popIds": () => `delete from weft.pop_group_node where owner_id = ${ids.group}`,
  "routeNotice.cpeId": () => notice(`node_id = ${ids.b}`),
  "routeNotice.network": () => notice("network = '10.98.0.0/16'"),
  "routeNotice.enable": () => notice("enabled = not enabled"),
  "routeNotice.preference": () => notice("preference = 3"),
  "routeNotice.remark": () => notice(remark),
  "xwanCircuit.name": () => circuit("name = 'q'"),
  "xwanCircuit.sourceId": () => circuit(`source_id = ${ids.b}`),
  "xwanCircuit.targetId": () => circuit(`target_id = ${ids.b}`),
  "xwanCircuit.bandwidth": () => circuit("bandwidth_kbps = 9000"),
  "xwanCircuit.guaranteed": () => circuit("guaranteed_kbps = 900"),
  "xwanCircuit.lineQuality": () => circuit("line_quality = 1 - line_quality"),
  "xwanCircuit.enable": () => circuit("enabled = not enabled"),
  "xwanCircuit.expireTime": () => circuit("expire_at = '2098-01-01'"),
  "xwanCircuit.remark": () => circuit(remark),
  ...exits("ip", "{203.0.113.0/25}"),
  ...exits("domain", "{mail.example.com}"),
  ...exits("app", "{1002}"),
  "xwanSpeed.name": () => profile("name = 'q'"),
  "xwanSpeed.type": () => profile("type = 2"),
  "xwanSpeed.enable": () => profile("enabled = not enabled"),
  "xwanSpeed.remark": () => profile(remark),
  "xwanSpeedDefine.speedId": () => definition(`speed_id = ${ids.idle}`),
  "xwanSpeedDefine.kind": () => definition("kind = 'domain', value = 'q.example.com'"),
  "xwanSpeedDefine.value": () => definition("value = '192.0.2.99'"),
  "xwanSpeedDefine.remark": () => definition(remark),
  "cug.name": () => group("name = 'q'"),
  "cug.bandwidth": () => group("bandwidth_bps = 9000000"),
  "cug.cpeIds": () => `delete from weft.cug_node where owner_id = ${ids.group}`,
  "cug.enable": () => group("enabled = not enabled"),
  "cug.remark": () => group(remark),
  "ipgroup.name": () => ipGroup("name = 'q'"),
  "ipgroup.members": () => ipGroup("members = '{10.2.0.0/16}'"),
  "ipgroup.share": () => ipGroup("share = false"),
  "ipgroup.remark": () => ipGroup(remark),
  "urlgroup.name": () => urlGroup("name = 'q'"),
  "urlgroup.members": () => urlGroup("members = '{q.example.com}'"),
  "urlgroup.remark": () => urlGroup(remark),
  "xaclrules.nCpeID": () => rule(`node_id = ${ids.b}`),
  "xaclrules.nEnable": () => rule("enabled = not enabled"),
  "xaclrules.nSection": () => rule("section = 30"),
  "xaclrules.sort": () => rule("sort = 30"),
  "xaclrules.name": () => rule("name = 'q'"),
  "xaclrules.action": () => rule("action = 1 - action"),
  "xaclrules.protocol": () => rule("protocol = 'udp'"),
  "xaclrules.srcIp": () => rule("src_ip = '10.9.0.0/16'"),
  "xaclrules.dstIp": () => rule("dst_ip = '10.9.0.0/16'"),
  "xaclrules.srcPort": () => rule("src_port = '9'"),
  "xaclrules.dstPort": () => rule("dst_port = '9'"),
  "xaclrules.remark": () => rule(remark),
  "blacklist.type": () => entry("type = 'domain', value = 'q.example.com'"),
  "blacklist.value": () => entry("value = '203.0.113.0/25'"),
  "blacklist.cpeIds": () => `delete from weft.blacklist_node where owner_id = ${ids.entry}`,
  "blacklist.enable": () => entry("enabled = not enabled"),
  "blacklist.remark": () => entry(remark),
  "cpeConfig.nDynamicdhcp": () => item({ nDynamicdhcp: "1" }),
  "cpeConfig.nXACLEnabled": () => item({ nXACLEnabled: "0" }),
  "cpeConfig.nWanWebAlloc": () => item({ nWanWebAlloc: "1" }),
  "cpeConfig.nHidden": () => item({ nHidden: "1" }),
  "cpeConfig.nHidden5G": () => item({ nHidden5G: "1" }),
  "cpeConfig.szCrontab": () => item({ szCrontab: "30 4 * * *" }),
  "cpeConfig.byteLog": () => item({ byteLog: "0" }),
  "cpeConfig.auditLog": () => item({ auditLog: "1" }),
  "cpeConfig.bandwidth": () => item({ bandwidth: 9000 }),
  "cpeConfig.mtu": () => item({ mtu: 1290 }),
  "cpeConfig.xMode": () => node("x_mode = 1 - x_mode"),
  "cpeConfig.ssid": () => item({ ssid: "q" }),
  "cpeConfig.ssid5G": () => item({ ssid5G: "q" }),
  "cpeConfig.nodeLifetime": () => item({ nodeLifetime: 99 }),
  "cpe.hotStandbyGroup": () =>
    node("hot_standby_group = 1, hot_standby_role = 'active', hot_standby_priority = 1"),
  "cpe.cugEnable": () => config("cug_enabled = not cug_enabled"),
  "cpe.cugBandwidth": () => config("cug_bps = 9000000"),
  "cpe.isPush": () => node("is_push = not is_push"),
};

const known: Readonly<Record<string, AnyResource>> = { ...devices, ...overlay, ...policies };
const fields = Object.entries(known).flatMap(([name, resource]) =>
  effectOf(name) === null
    ? Object.keys((resource.draft as { shape: object }).shape).map((field) => `${name}.${field}`)
    : [],
);

test("every field that an operator saves has an effect, and is changed here unless the controller acts", () => {
  const subjects = [...fields, ...cpeItemNames.map((item) => `cpeConfig.${item}`)];
  expect(subjects.filter((subject) => effectOf(subject) === null)).toEqual([]);
  const missing = subjects.filter(
    (subject) => effectOf(subject) !== "controller" && !(subject in changes),
  );
  expect(missing).toEqual([]);
});

test("a field that is part of a state changes one, and no other does", async () => {
  const before = await statesAfter("select 1");
  const wrong: string[] = [];
  for (const [subject, change] of Object.entries(changes)) {
    const isChanged = (await statesAfter(change())) !== before;
    const effect = effectOf(subject);
    const isApplied = effect === "state" || capabilities.some(({ name }) => name === effect);
    if (isChanged !== isApplied) wrong.push(`${subject}: ${effect}, ${isChanged}`);
  }
  expect(wrong).toEqual([]);
}, 180_000);
