import { join } from "node:path";
import { mustExec } from "./enter.ts";
import { diskOf, type Lab } from "./lab.ts";
import { LabError } from "./lab-error.ts";
import type { DhcpSpec, NetworkSpec } from "./spec.ts";

const fileOf = (lab: Lab, at: string, name: string, suffix: string): string =>
  join(diskOf(lab, at), `${name}.${suffix}`);

/**
 * Starts the DHCP server of a network in the machine that holds it (dnsmasq(8), without its DNS).
 * It is ready on return, and ends with the machine. Leases and a log lie on the machine's disk.
 */
export async function startDhcpServer(
  lab: Lab,
  { name, at }: NetworkSpec,
  { from, to, gateway, dns, leaseSeconds, renewSeconds }: DhcpSpec,
): Promise<void> {
  const ports = lab.spec.nodes.flatMap(({ ports }) => ports);
  const kept = ports.flatMap(({ network, mac, lease }) =>
    network === name && lease !== undefined ? [`--dhcp-host=${mac},${lease}`] : [],
  );
  const file = (suffix: string) => fileOf(lab, at, name, suffix);
  const renewal = renewSeconds === undefined ? [] : [`--dhcp-option=option:T1,${renewSeconds}`];
  await mustExec(lab, at, [
    "dnsmasq",
    "--conf-file=/dev/null",
    "--user=root",
    "--port=0",
    `--interface=${name}`,
    "--bind-dynamic",
    "--dhcp-authoritative",
    // It would otherwise ping an address for three seconds before it offers it.
    "--no-ping",
    `--dhcp-range=${from},${to},${leaseSeconds}`,
    `--dhcp-option=option:router,${gateway}`,
    `--dhcp-option=option:dns-server,${dns}`,
    ...renewal,
    ...kept,
    `--dhcp-leasefile=${file("leases")}`,
    `--pid-file=${file("pid")}`,
    "--log-dhcp",
    `--log-facility=${file("dhcp.log")}`,
  ]);
}

/** What a provider gives its lines instead of what they have. */
export interface NewNumbers {
  /** Prefix that is added to the network's bridge; the old one stays for those that have it by hand. */
  readonly bridgeAddress: string;
  readonly dhcp: DhcpSpec;
  /** Hardware address of a port, and the address that the new server keeps for it. */
  readonly leases: Readonly<Record<string, string>>;
}

/**
 * Renumbers a network: its DHCP server forgets all leases and gives others from now on. A client that
 * asks for its old address is refused (DHCPNAK), and asks again for any.
 *
 * @throws LabError when the lab has no such network
 */
export async function renumber(lab: Lab, name: string, numbers: NewNumbers): Promise<void> {
  const network = lab.spec.networks.find((networkSpec) => networkSpec.name === name);
  if (!network) throw new LabError(`no network ${name}`);
  const { at } = network;
  const pid = (await mustExec(lab, at, ["cat", fileOf(lab, at, name, "pid")])).trim();
  // The new one could not have its socket while the old one holds it.
  const end = `kill ${pid}; while kill -0 ${pid} 2>/dev/null; do sleep 0.01; done`;
  await mustExec(lab, at, ["sh", "-c", end]);
  await mustExec(lab, at, ["rm", fileOf(lab, at, name, "leases")]);
  await mustExec(lab, at, ["ip", "addr", "add", numbers.bridgeAddress, "dev", name]);
  const nodes = lab.spec.nodes.map((node) => ({
    ...node,
    ports: node.ports.map(({ lease: _, ...port }) => {
      const lease = numbers.leases[port.mac];
      return lease === undefined ? port : { ...port, lease };
    }),
  }));
  await startDhcpServer({ ...lab, spec: { ...lab.spec, nodes } }, network, numbers.dhcp);
}
