/** Bridges, cables and factory addresses. */
import { mustCommand } from "./command.ts";
import { exec, ipBatch } from "./enter.ts";
import { type Lab, machineOf } from "./lab.ts";
import { cableOf, type NodeSpec, type PortSpec } from "./spec.ts";

const isV6 = (address: string) => address.includes(":");

// No other host can have the address, and a test must not wait the second that the check takes.
const addAddress = (address: string, port: string) =>
  `addr add ${address} dev ${port}${isV6(address) ? " nodad" : ""}`;

/** Makes the networks that a machine holds. A network has no spanning tree: it forwards immediately. */
export async function makeBridges(lab: Lab, node: string): Promise<void> {
  const networks = lab.spec.networks.filter(({ at }) => at === node);
  if (networks.length === 0) return;
  const lines = networks.flatMap(({ name, addresses }) => [
    `link add ${name} type bridge`,
    ...addresses.map((address) => addAddress(address, name)),
    `link set ${name} up`,
  ]);
  await ipBatch(lab, node, lines);
}

/**
 * Lays the cables of the given nodes and plugs them in. A pair is born with its ends in the two
 * machines: no name of it is ever seen in the root namespace.
 */
export async function layCables(lab: Lab, nodes: readonly NodeSpec[]): Promise<void> {
  const pairs: string[] = [];
  const plugs = new Map<string, string[]>();
  for (const node of nodes) {
    const near = machineOf(lab, node.name).pid;
    for (const { name, mac, network } of node.ports) {
      const { at, far } = cableOf(lab.spec, node.name, name);
      const end = `peer name ${far} netns ${machineOf(lab, at).pid}`;
      pairs.push(`link add ${name} address ${mac} netns ${near} type veth ${end}`);
      const lines = [`link set ${far} master ${network}`, `link set ${far} up`];
      plugs.set(at, [...(plugs.get(at) ?? []), ...lines]);
    }
  }
  await mustCommand("root", ["ip", "-batch", "-"], { input: `${pairs.join("\n")}\n` });
  await Promise.all([...plugs].map(([at, lines]) => ipBatch(lab, at, lines)));
}

/**
 * Takes a dead machine's cables away. The kernel does so by itself, but some time later; until then
 * their names are taken.
 */
export async function removeCables(lab: Lab, node: NodeSpec): Promise<void> {
  const removals = node.ports.map(async ({ name }) => {
    const { at, far } = cableOf(lab.spec, node.name, name);
    await exec(lab, at, ["ip", "link", "del", far]);
  });
  await Promise.all(removals);
}

const configure = ({ name, addresses = [], gateways = [] }: PortSpec): string[] => {
  if (addresses.length === 0) return [];
  const route = (via: string) => `route add ${isV6(via) ? "::/0" : "0.0.0.0/0"} via ${via}`;
  return [
    ...addresses.map((address) => addAddress(address, name)),
    `link set ${name} up`,
    ...gateways.map((via) => `${route(via)} dev ${name}`),
  ];
};

/** What the machine has when it leaves the factory; ports without an address stay down. */
export const configurePorts = (lab: Lab, node: NodeSpec): Promise<void> =>
  ipBatch(lab, node.name, ["link set lo up", ...node.ports.flatMap(configure)]);
