/** The DHCP client of a line: ISC dhclient, told to run a program of ours instead of a shell script. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Device } from "#drivers/device.ts";
import type { Argv } from "#drivers/exec.ts";
import type { Lease } from "./render.ts";

const daemonOf = (interfaceName: string): string => `dhcp-${interfaceName}`;
const dirOf = (device: Device): string => join(device.dataDir, "dhcp");
const leaseFile = (device: Device, interfaceName: string): string =>
  join(dirOf(device), `${interfaceName}.json`);

/**
 * What dhclient runs on each event (dhclient-script(8)). It only writes down what the server gave:
 * addresses and routes are the driver's, and /etc/resolv.conf is the owner's. Node itself is the
 * interpreter, so that no shell reads text that came from a network.
 */
const script = (): string => `#!${process.execPath}
const { renameSync, rmSync, writeFileSync } = require("node:fs");
const { reason, interface: name, new_ip_address, new_subnet_mask, new_routers, new_domain_name_servers } = process.env;
const file = __dirname + "/" + name + ".json";
if (["BOUND", "RENEW", "REBIND", "REBOOT"].includes(reason)) {
  const bits = (new_subnet_mask || "255.255.255.255").split(".")
    .map((part) => Number(part).toString(2).replace(/0/g, "").length)
    .reduce((sum, part) => sum + part, 0);
  const gateway = (new_routers || "").split(" ")[0] || null;
  const dns = (new_domain_name_servers || "").split(" ").filter((one) => one !== "").slice(0, 4);
  const address = new_ip_address + "/" + bits;
  writeFileSync(file + ".new", JSON.stringify({ address, gateway, ...(dns.length > 0 && { dns }) }));
  renameSync(file + ".new", file);
} else if (["EXPIRE", "FAIL", "RELEASE", "STOP"].includes(reason)) {
  rmSync(file, { force: true });
} else if (reason === "TIMEOUT") {
  process.exitCode = 1;
}
`;

const settings = `timeout 30;
retry 5;
initial-interval 1;
backoff-cutoff 10;
request subnet-mask, routers, domain-name-servers;
`;

/** Its paths are those that packaging/sbin.dhclient lets it use. */
export const clientArgv = (dir: string, interfaceName: string): Argv => [
  "dhclient",
  "-4",
  "-d",
  "-sf",
  join(dir, "event.cjs"),
  "-cf",
  join(dir, "dhclient.conf"),
  "-lf",
  join(dir, `${interfaceName}.leases`),
  "-pf",
  join(dir, `${interfaceName}.pid`),
  interfaceName,
];

export const startClient = async (device: Device, interfaceName: string): Promise<void> => {
  const dir = dirOf(device);
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const program = join(dir, "event.cjs");
  writeFileSync(program, script(), { mode: 0o755 });
  writeFileSync(join(dir, "dhclient.conf"), settings);
  rmSync(leaseFile(device, interfaceName), { force: true });
  device.daemons.start(daemonOf(interfaceName), clientArgv(dir, interfaceName), interfaceName);
};

export const stopClient = async (device: Device, interfaceName: string): Promise<void> => {
  await device.daemons.stop(daemonOf(interfaceName));
  rmSync(leaseFile(device, interfaceName), { force: true });
};

/**
 * Asks for the lease again that the interface has (RFC 2131 section 3.7, INIT-REBOOT): a client begins so when its
 * file has one that lasts, and asks for any after a refusal. Until then the lease is used.
 */
export const verifyLease = async (device: Device, interfaceName: string): Promise<void> => {
  // Not asked to end: it would give the lease back.
  await device.daemons.stop(daemonOf(interfaceName), 0);
  device.daemons.start(
    daemonOf(interfaceName),
    clientArgv(dirOf(device), interfaceName),
    interfaceName,
  );
};

/** Interfaces that have a client, dead or alive. */
export const clientsOf = (device: Device): string[] =>
  device.daemons.names("dhcp-").map((name) => name.slice("dhcp-".length));

export const isClientAlive = (device: Device, interfaceName: string): boolean =>
  device.daemons.isAlive(daemonOf(interfaceName));

/** The leases that clients hold now, by interface. */
export const readLeases = (device: Device): Record<string, Lease> =>
  Object.fromEntries(
    clientsOf(device).flatMap((name) => {
      const lease = readLease(device, name);
      return lease ? [[name, lease]] : [];
    }),
  );

/** The lease that a line has now; null: none. */
export const readLease = (device: Device, interfaceName: string): Lease | null => {
  try {
    return JSON.parse(readFileSync(leaseFile(device, interfaceName), "utf8")) as Lease;
  } catch {
    return null;
  }
};
