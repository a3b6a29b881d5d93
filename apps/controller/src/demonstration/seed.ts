import { claimAdd } from "@weft/contract/calls/enrolment.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { cpe } from "@weft/contract/resources/cpe.ts";
import { enterprise } from "@weft/contract/resources/enterprise.ts";
import { lanSection } from "@weft/contract/resources/lan-section.ts";
import { line } from "@weft/contract/resources/line.ts";
import { netSpace } from "@weft/contract/resources/net-space.ts";
import { pop } from "@weft/contract/resources/pop.ts";
import * as fleet from "./fleet.ts";

/** A simulated box: what `weft-edge simulate --fleet` reads. */
export interface SimulatedBox {
  readonly claim: string;
  readonly serialNumber: string;
}

type Ids = ReadonlyMap<string, number>;

const idOf = (ids: Ids, name: string): number => {
  const found = ids.get(name);
  if (found === undefined) throw new Error(`the demonstration names an unknown ${name}`);
  return found;
};

async function addEnterprises(call: Caller, root: number): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const one of fleet.enterprises) {
    const { data } = await call(enterprise.ops.add, {
      name: one.name,
      enterpriseType: 0,
      parentId: one.parent === null ? root : idOf(ids, one.parent),
      isAgent: one.isAgent,
      provice: one.provice,
      city: one.city,
      region: "",
      contact: "",
      phone: null,
      email: null,
      remark: "",
    });
    ids.set(one.name, data.id);
  }
  return ids;
}

/** Two lines: the first static on one carrier, the second by DHCP on another. */
async function addLines(call: Caller, nodeId: number, node: fleet.DemoNode): Promise<void> {
  const reachable = node.lan === undefined;
  const shared = { nodeId, lineQuality: 0, mtu: 1420, remark: "", reachable } as const;
  await call(line.ops.add, {
    ...shared,
    slot: 1,
    name: "电信",
    interfaceName: "wan1",
    addressing: "static",
    ip: `198.51.100.${node.host}/24`,
    gateway: "198.51.100.1",
    isp: "telecom",
    upBandwidth: 50_000,
    downBandwidth: 200_000,
  });
  const second = { slot: 2, name: "联通", interfaceName: "wan2", isp: "unicom" } as const;
  await call(line.ops.add, {
    ...shared,
    ...second,
    ...(reachable
      ? { addressing: "static", ip: `203.0.113.${node.host}/24`, gateway: "203.0.113.1" }
      : { addressing: "dhcp", ip: null, gateway: null }),
    upBandwidth: 30_000,
    downBandwidth: 100_000,
  });
}

const addPop = async (call: Caller, root: number, node: fleet.DemoNode): Promise<number> => {
  const { data } = await call(pop.ops.add, {
    name: node.name,
    groupid: root,
    sn: node.sn,
    regions: node.regions ?? "",
    longitude: node.longitude,
    latitude: node.latitude,
    bandwidth: 1_000_000,
    expireTime: null,
    remark: "",
  });
  return data.id;
};

const addCpe = async (call: Caller, groupid: number, node: fleet.DemoNode): Promise<number> => {
  const { data } = await call(cpe.ops.add, {
    alias: node.name,
    groupid,
    sn: node.sn,
    enable: true,
    xMode: 0,
    longitude: node.longitude,
    latitude: node.latitude,
    expireTime: null,
    remark: "",
  });
  await call(lanSection.ops.add, {
    nCpeID: data.id,
    interfaceName: "lan1",
    network: `10.${node.lan}.1.1/24`,
    network6: `fd00:${node.lan}:1::1/64`,
    vlan: null,
    enableForward: true,
    enableDirect: true,
    remark: "",
  });
  return data.id;
};

/**
 * Makes the demonstration through the API, as an operator would, and gives the claims of the boxes
 * that take part. Nothing is made when there are POPs already.
 * @param root id of the operator's own enterprise.
 */
export async function seedDemonstration(call: Caller, root: number): Promise<SimulatedBox[]> {
  const anyPop = { name: null, groupid: null, linkStatus: null, orderByColumn: null, isAsc: null };
  const { count } = await call(pop.ops.list, { ...anyPop, page: 1, limit: 1 });
  if (count !== 0) return [];
  const groups = await addEnterprises(call, root);
  const nodes = new Map<string, number>();
  const boxes: SimulatedBox[] = [];
  for (const node of [...fleet.pops, ...fleet.cpes]) {
    const id = node.enterprise
      ? await addCpe(call, idOf(groups, node.enterprise), node)
      : await addPop(call, root, node);
    nodes.set(node.name, id);
    await addLines(call, id, node);
    if (node.state === "absent") continue;
    const preApproved = node.state === "connected";
    const { data } = await call(claimAdd, { nodeId: id, preApproved });
    boxes.push({ claim: data.claim, serialNumber: node.sn });
  }
  for (const space of fleet.spaces) {
    await call(netSpace.ops.add, {
      name: space.name,
      groupid: idOf(groups, space.enterprise),
      topology: space.topology,
      popIds: space.pops.map((name) => idOf(nodes, name)),
      cpeIds: space.cpes.map((name) => idOf(nodes, name)),
      remark: "",
    });
  }
  return boxes;
}
