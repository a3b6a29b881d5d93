import { apiKey } from "@weft/contract/domains/access/api-key.ts";
import { role } from "@weft/contract/domains/access/role.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { enterpriseCharge } from "@weft/contract/domains/enterprises/ledger.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { toBitsPerSecond } from "@weft/contract/rules/conversions.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { addAccounts, type DemoAccount } from "./accounts.ts";
import { addAlarms } from "./alarms.ts";
import { addBusiness } from "./business.ts";
import { addChoices } from "./choices.ts";
import * as fleet from "./fleet.ts";
import type { FlowSite } from "./flows.ts";
import { addHosts } from "./hosts.ts";
import { addPolicies } from "./policies.ts";

const yearMs = 365 * 86_400_000;

/**
 * What an operator sets up for systems beside the console: a key that may only read, and a value.
 * @param password of the caller: a key is a way in
 */
async function addSystem(call: Caller, root: number, password: string): Promise<void> {
  const shared = { groupid: root, remark: "月报和大屏" };
  const { data } = await call(role.ops.add, {
    ...shared,
    roleCode: "report",
    name: "报表只读",
    roleType: 0,
    dataScope: 3,
    groupids: [],
    authorities: ["screenView"],
    demandFactor: false,
  });
  await call(apiKey.ops.add, {
    ...shared,
    name: "月报脚本",
    roleId: data.id,
    expireTime: new Date(Date.now() + yearMs),
    oldPsw: password,
  });
  const item = { configKey: "portal.title", configValue: "示例运营商门户" };
  await call(configItem.ops.add, { ...item, groupid: root, remark: "客户门户读取" });
}

/** A simulated device: what `weft-edge simulate --fleet` reads. */
interface SimulatedDevice {
  readonly claim: string;
  readonly serialNumber: string;
  readonly character: fleet.DemoCharacter;
}

export interface Seeded {
  readonly devices: readonly SimulatedDevice[];
  /** Ids of POPs and CPEs by name. */
  readonly nodes: ReadonlyMap<string, number>;
  /** Sites and people that have been there before. */
  readonly sites: readonly FlowSite[];
  readonly accounts: readonly DemoAccount[];
}

type Ids = ReadonlyMap<string, number>;

const idOf = (ids: Ids, name: string): number => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the demonstration names an unknown ${name}`);
  return id;
};

// Fields that a row of the fleet lacks are those of the contract's samples.
const sampleIds = { groupid: 1, cpeId: 1, popId: 1 };

async function addEnterprises(call: Caller, root: number, password: string): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const demoEnterprise of fleet.enterprises) {
    const { name, parent, isAgent, provice, city, credit, from } = demoEnterprise;
    const idIn = (of: string | null): number => (of === null ? root : idOf(ids, of));
    const place = { provice, city, region: "", regions: [provice, city] };
    const draft = {
      ...samples.enterprise.valid(sampleIds),
      name,
      isAgent,
      ...place,
      contact: "",
      phone: null,
      email: null,
    };
    const { data } = await call(enterprise.ops.add, { ...draft, parentId: idIn(from ?? parent) });
    ids.set(name, data.id);
    await call(enterpriseCharge, {
      groupid: data.id,
      credit,
      remark: "首次充值",
      requestKey: `demonstration-${data.id}`,
    });
    if (from === undefined) continue;
    const moved = { ...draft, groupid: data.id, parentId: idIn(parent) };
    await call(enterprise.ops.edit, { ...moved, oldPsw: password });
  }
  return ids;
}

const ipv6Of = (site: string, slot: 1 | 2) => {
  const one = fleet.ipv6[site];
  return one?.slot === slot ? one.fields : {};
};

/** Two lines: the first static on one carrier, the second on another, by DHCP at a site. */
async function addLines(call: Caller, nodeId: number, node: fleet.DemoNode): Promise<void> {
  const isPop = node.lan === undefined;
  const { site, upBandwidth } = fleet.incident;
  const shared = {
    ...samples.line.valid(sampleIds),
    nodeId,
    reachable: isPop,
    ...(node.name === site && { upBandwidth }),
  };
  await call(line.ops.add, {
    ...shared,
    slot: 1,
    name: "电信",
    interfaceName: "wan1",
    isp: "中国电信",
    ip: `198.51.100.${node.host}/24`,
    gateway: "198.51.100.1",
    ...ipv6Of(node.name, 1),
  });
  await call(line.ops.add, {
    ...shared,
    slot: 2,
    name: "联通",
    ...(node.name === fleet.specialLine && { lineQuality: 1 as const }),
    interfaceName: "wan2",
    isp: "中国联通",
    ...(isPop
      ? { ip: `203.0.113.${node.host}/24`, gateway: "203.0.113.1" }
      : { addressing: "dhcp", ip: null, gateway: null }),
    ...ipv6Of(node.name, 2),
  });
}

const addPop = async (call: Caller, groupid: number, node: fleet.DemoNode): Promise<number> => {
  const { name, sn, longitude, latitude, regions = "" } = node;
  const own = { name, groupid, sn, regions, longitude, latitude };
  return (await call(pop.ops.add, { ...samples.pop.valid(sampleIds), ...own })).data.id;
};

const addCpe = async (call: Caller, groupid: number, node: fleet.DemoNode): Promise<number> => {
  const { name, sn, longitude, latitude, lan } = node;
  const own = { alias: name, groupid, sn, longitude, latitude };
  const { data } = await call(cpe.ops.add, { ...samples.cpe.valid(sampleIds), ...own });
  await call(lanSection.ops.add, {
    ...samples.lansection.valid(sampleIds),
    nCpeID: data.id,
    interfaceName: "lan1",
    network: `10.${lan}.1.1/24`,
    network6: `fd00:${lan}:1::1/64`,
    ...fleet.ipv6[name]?.lan,
  });
  return data.id;
};

/** A node with its lines, and its device if it takes part. */
async function addNode(
  call: Caller,
  groupid: number,
  node: fleet.DemoNode,
): Promise<{ id: number; device: SimulatedDevice | null }> {
  const id = await (node.enterprise ? addCpe : addPop)(call, groupid, node);
  await addLines(call, id, node);
  if (node.state === "absent") return { id, device: null };
  const preApproved = node.state === "connected";
  const { data } = await call(claimAdd, { nodeId: id, preApproved, sn: null });
  const { sn: serialNumber, longitude, latitude } = node;
  const character = { ...node.character, place: [longitude, latitude] as const };
  return { id, device: { claim: data.claim, serialNumber, character } };
}

const dayMs = 86_400_000;

/** Circuits and closed user groups. */
async function addSold(
  call: Caller,
  { groups, nodes }: { readonly groups: Ids; readonly nodes: Ids },
): Promise<void> {
  for (const { name, enterprise: owner, ends, maximum, guaranteed, days } of fleet.circuits) {
    await call(circuit.ops.add, {
      name,
      groupid: idOf(groups, owner),
      lineQuality: owner === fleet.classedEnterprise ? 1 : 0,
      enable: true,
      remark: "",
      sourceId: idOf(nodes, ends[0]),
      targetId: idOf(nodes, ends[1]),
      bandwidth: maximum * 1_000,
      guaranteed: guaranteed && guaranteed * 1_000,
      expireTime: days === null ? null : new Date(Date.now() + days * dayMs),
    });
  }
  for (const { name, enterprise: owner, sites, bandwidth } of fleet.cugs) {
    await call(cug.ops.add, {
      name,
      groupid: idOf(groups, owner),
      enable: true,
      remark: "",
      bandwidth: toBitsPerSecond(bandwidth),
      cpeIds: sites.map((site) => idOf(nodes, site)),
    });
  }
}

/**
 * Makes the demonstration through the API, as an operator would, and gives the claims of the devices
 * that take part. Nothing is made when there are POPs already.
 * @param root id of the operator's own enterprise.
 * @param password of the caller
 */
export async function seedDemonstration(
  call: Caller,
  root: number,
  password: string,
): Promise<Seeded> {
  const anyPop = {
    name: null,
    key: null,
    groupid: null,
    linkStatus: null,
    tone: null,
    orderByColumn: null,
    isAsc: null,
  };
  const { count } = await call(pop.ops.list, { ...anyPop, page: 1, limit: 1 });
  const nodes = new Map<string, number>();
  const devices: SimulatedDevice[] = [];
  const sites: FlowSite[] = [];
  if (count !== 0) return { devices, nodes, sites, accounts: [] };
  const groups = await addEnterprises(call, root, password);
  for (const node of [...fleet.pops, ...fleet.cpes]) {
    const groupid = node.enterprise === null ? root : idOf(groups, node.enterprise);
    const { id, device } = await addNode(call, groupid, node);
    nodes.set(node.name, id);
    if (device) devices.push(device);
    const { lan, state } = node;
    if (lan !== undefined && state === "connected") sites.push({ id, groupid, lan });
  }
  const spaces = new Map<string, number>();
  for (const { name, enterprise: owner, topology, pops } of fleet.spaces) {
    const members = fleet.cpes.filter((demoNode) => demoNode.enterprise === owner);
    const { data } = await call(netSpace.ops.add, {
      name,
      topology,
      remark: "",
      groupid: idOf(groups, owner),
      popIds: pops.map((one) => idOf(nodes, one)),
      cpeIds: members.map((member) => idOf(nodes, member.name)),
    });
    spaces.set(name, data.id);
  }
  const accounts = await addAccounts(call, {
    groups: (name) => idOf(groups, name),
    nodes: (name) => idOf(nodes, name),
    spaces: (name) => idOf(spaces, name),
  });
  await addSold(call, { groups, nodes });
  await addBusiness(call, (name) => idOf(new Map([...groups, ...nodes]), name));
  await addChoices(call, root, (name) => idOf(new Map([...groups, ...nodes]), name));
  await addHosts(call, (name) => idOf(nodes, name));
  await addPolicies(call, root, (name) => idOf(new Map([...groups, ...nodes]), name));
  await addAlarms(call, root);
  await addSystem(call, root, password);
  return { devices, nodes, sites, accounts };
}
