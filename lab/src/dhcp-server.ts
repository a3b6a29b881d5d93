import { join } from "node:path";
import { mustExec } from "./enter.ts";
import { diskOf, type Lab } from "./lab.ts";
import type { DhcpSpec, NetworkSpec } from "./spec.ts";

/**
 * Starts the DHCP server of a network in the machine that holds it (dnsmasq(8), without its DNS).
 * It is ready on return, and ends with the machine. Leases and a log lie on the machine's disk.
 */
export async function startDhcpServer(
  lab: Lab,
  { name, at }: NetworkSpec,
  { from, to, gateway, dns, leaseSeconds }: DhcpSpec,
): Promise<void> {
  const ports = lab.spec.nodes.flatMap(({ ports }) => ports);
  const kept = ports.flatMap(({ network, mac, lease }) =>
    network === name && lease !== undefined ? [`--dhcp-host=${mac},${lease}`] : [],
  );
  const file = (suffix: string) => join(diskOf(lab, at), `${name}.${suffix}`);
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
    ...kept,
    `--dhcp-leasefile=${file("leases")}`,
    `--pid-file=${file("pid")}`,
    "--log-dhcp",
    `--log-facility=${file("dhcp.log")}`,
  ]);
}
