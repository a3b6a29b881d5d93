/** What an operator does at the console, done through the API. */

import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { mustExec } from "./enter.ts";
import { edgeCommand, eventually, type World } from "./world.ts";

/** Enterprise of the operator itself. */
export const operatorId = 1;
const anyIds = { groupid: operatorId, cpeId: 1, popId: 1 };

export const serialOf = (device: string): string => `LAB-${device.toUpperCase()}`;

export async function addEnterprise(call: Caller, name: string): Promise<number> {
  const draft = { ...samples.enterprise.valid(anyIds), name, phone: null, email: null };
  return (await call(enterprise.ops.add, draft)).data.id;
}

/** wan1 static on carrier A; wan2 by DHCP on carrier B, but static on a POP, which is called. */
async function addLines(call: Caller, nodeId: number, octet: number, isPop: boolean) {
  const shared = {
    ...samples.line.valid(anyIds),
    nodeId,
    reachable: isPop,
    upBandwidth: null,
    downBandwidth: null,
  };
  await call(line.ops.add, {
    ...shared,
    slot: 1,
    name: "isp-a",
    interfaceName: "wan1",
    isp: "isp-a",
    addressing: "static",
    ip: `198.51.100.${octet}/24`,
    gateway: "198.51.100.1",
  });
  await call(line.ops.add, {
    ...shared,
    slot: 2,
    name: "isp-b",
    interfaceName: "wan2",
    isp: "isp-b",
    ...(isPop
      ? { addressing: "static", ip: `203.0.113.${octet}/24`, gateway: "203.0.113.1" }
      : { addressing: "dhcp", ip: null, gateway: null }),
  });
}

export async function addPop(call: Caller, device: string, octet: number): Promise<number> {
  const draft = { ...samples.pop.valid(anyIds), name: `POP-${device}`, sn: serialOf(device) };
  const { data } = await call(pop.ops.add, draft);
  await addLines(call, data.id, octet, true);
  return data.id;
}

export interface SiteFacts {
  readonly groupid: number;
  readonly device: string;
  readonly octet: number;
  /** Address of the device in its LAN. */
  readonly network: string;
  readonly network6: string;
}

export async function addSite(call: Caller, site: SiteFacts): Promise<number> {
  const { groupid, device, octet, network, network6 } = site;
  const draft = {
    ...samples.cpe.valid(anyIds),
    groupid,
    alias: `CPE-${device}`,
    sn: serialOf(device),
  };
  const { data } = await call(cpe.ops.add, draft);
  await addLines(call, data.id, octet, false);
  await call(lanSection.ops.add, {
    ...samples.lansection.valid(anyIds),
    nCpeID: data.id,
    interfaceName: "lan1",
    network,
    network6,
  });
  return data.id;
}

export async function addSpace(
  call: Caller,
  space: { name: string; groupid: number; topology: 0 | 1; popIds: number[]; cpeIds: number[] },
): Promise<number> {
  return (await call(netSpace.ops.add, { ...space, remark: "" })).data.id;
}

/** Claims a node, gives the claim to its device and starts the edge there. */
export async function enrol(world: World, device: string, nodeId: number): Promise<void> {
  const { data } = await world.call(claimAdd, { nodeId, preApproved: true, sn: null });
  const claim = ["enrol", "--claim", data.claim, "--serial", serialOf(device)];
  await mustExec(world.lab, device, edgeCommand(world.lab, device, ...claim), { timeout: 120_000 });
  await world.startEdge(device);
}

export const stateOf = async (call: Caller, id: number) => (await call(nodeState, { id })).data;

/** Waits until the newest state of a node is confirmed; gives its serial. */
export const confirmed = (call: Caller, id: number, timeout = 100_000): Promise<number> =>
  eventually(
    async () => {
      const state = await stateOf(call, id);
      const settled = !state.compiling && state.desired?.outcome === "confirmed";
      return settled && state.runningSerial === state.desired?.serial && state.desired.serial;
    },
    `node ${id} runs its newest state, confirmed`,
    timeout,
  );
