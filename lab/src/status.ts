import { mustExec } from "./enter.ts";
import { hasFault } from "./faults.ts";
import { isMachineUp, type Lab, machineOf } from "./lab.ts";
import { membersOf } from "./process-identity.ts";

export interface PortStatus {
  readonly name: string;
  /** Cable plugged in and both ends up. */
  readonly carrier: boolean;
  /** A cut or impaired line. */
  readonly fault: boolean;
  readonly addresses: readonly string[];
}

export interface NodeStatus {
  readonly node: string;
  readonly up: boolean;
  /** How many processes live in it, the one that holds it not counted. */
  readonly processes: number;
  readonly ports: readonly PortStatus[];
}

interface IpAddress {
  ifname: string;
  flags: string[];
  addr_info: { local?: string; prefixlen?: number; scope: string }[];
}

/** How a lab is, node by node. */
export const status = (lab: Lab): Promise<NodeStatus[]> =>
  Promise.all(lab.spec.nodes.map(({ name }) => statusOf(lab, name)));

async function statusOf(lab: Lab, node: string): Promise<NodeStatus> {
  if (!isMachineUp(lab, node)) return { node, up: false, processes: 0, ports: [] };
  const processes = membersOf(machineOf(lab, node).pid).length - 1;
  const listing = JSON.parse(await mustExec(lab, node, ["ip", "-j", "addr"])) as IpAddress[];
  const cables = lab.spec.nodes.find(({ name }) => name === node)?.ports ?? [];
  const isCable = (port: string) => cables.some(({ name }) => name === port);
  const shown = listing.filter(({ ifname }) => ifname !== "lo");
  const ports = shown.map(async ({ ifname, flags, addr_info }) => ({
    name: ifname,
    carrier: flags.includes("LOWER_UP"),
    fault: isCable(ifname) && (await hasFault(lab, node, ifname)),
    addresses: addr_info.flatMap(({ local, prefixlen, scope }) =>
      scope === "global" ? [`${local}/${prefixlen}`] : [],
    ),
  }));
  return { node, up: true, processes, ports: await Promise.all(ports) };
}
