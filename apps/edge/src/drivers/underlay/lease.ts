/** The DHCP client of a line: dhcpcd, which configures nothing and reports to a program of ours (ADR 0038). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import type { DaemonRecord } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import { type Argv, hasTool } from "#drivers/exec.ts";
import { replaceFile } from "#drivers/replace-file.ts";
import { type LeaseReport, leaseOf, parseReport, renewalOf, reportOf } from "./lease-report.ts";
import type { Lease } from "./render.ts";

const client = "dhcpcd";
/** Ms after which a client that found no server is started again: its own pauses grow to a minute. */
const impatientMs = 30_000;
/** Seconds after which a renewal counts as not answered: the client has asked twice. */
const unansweredSeconds = 8;

const daemonOf = (interfaceName: string): string => `dhcp-${interfaceName}`;
const dirOf = (device: Device): string => join(device.dataDir, "dhcp");
/** A reboot empties its folder, as it does the interface. */
const reportFile = (device: Device, interfaceName: string): string =>
  join(device.runDir, "dhcp", `${interfaceName}.json`);

/**
 * What dhcpcd runs on each event (dhcpcd-run-hooks(8)). It only writes down what the server gave; lease-report.ts judges
 * it. Node itself is the interpreter, so that no shell reads text that came from a network. Without a carrier the client
 * takes its lease for expired and verifies it when the cable is back; when it really ends, the report says itself.
 */
export const eventProgram = (folder: string): string => `#!${process.execPath}
const { renameSync, rmSync, writeFileSync } = require("node:fs");
const { reason, interface: name, ...given } = process.env;
const file = ${JSON.stringify(folder)} + "/" + name + ".json";
if (["BOUND", "RENEW", "REBIND", "REBOOT"].includes(reason)) {
  const options = ["ip_address", "subnet_mask", "routers", "classless_static_routes", "domain_name_servers", "dhcp_lease_time", "dhcp_renewal_time"];
  const report = Object.fromEntries(options.map((option) => [option, given["new_" + option]]));
  writeFileSync(file + ".new", JSON.stringify({ at: require("node:os").uptime(), ...report }));
  renameSync(file + ".new", file);
} else if (reason === "NAK") {
  rmSync(file, { force: true });
}
`;

/**
 * Addresses, routes and names are the edge's. No probe of a new address by ARP, which takes five seconds. The vendor class would
 * name the kernel's version to the provider.
 */
const settings = `noconfigure
ipv4only
noipv4ll
noarp
nodelay
nodev
timeout 0
vendorclassid
option classless_static_routes, domain_name_servers
`;

const clientArgv = (dir: string, interfaceName: string, former: string | null): Argv => [
  client,
  "-4",
  "-B",
  "--noconfigure",
  "-f",
  join(dir, "dhcpcd.conf"),
  "-c",
  join(dir, "dhcpcd-event.cjs"),
  ...(former === null ? [] : ["-r", former]),
  interfaceName,
];

/** Of an edge before this one: ISC dhclient, which noted its lease itself. */
const isEarlier = (record: DaemonRecord | null): boolean => record?.argv[0] === "dhclient";

const readEarlier = (device: Device, interfaceName: string): Lease | null => {
  try {
    const text = readFileSync(join(dirOf(device), `${interfaceName}.json`), "utf8");
    return JSON.parse(text) as Lease;
  } catch {
    return null;
  }
};

/** What it has on the disk; what all of them use goes with the last. */
const removeEarlier = (device: Device, interfaceName: string): void => {
  for (const end of ["json", "leases", "pid"])
    rmSync(join(dirOf(device), `${interfaceName}.${end}`), { force: true });
  if (clientsOf(device).some((name) => isEarlier(device.daemons.record(daemonOf(name))))) return;
  for (const name of ["event.cjs", "dhclient.conf"])
    rmSync(join(dirOf(device), name), { force: true });
};

const readReport = (device: Device, interfaceName: string): LeaseReport | null => {
  try {
    return parseReport(readFileSync(reportFile(device, interfaceName), "utf8"));
  } catch {
    return null;
  }
};

const writeReport = (device: Device, interfaceName: string, lease: Lease): void => {
  replaceFile(reportFile(device, interfaceName), JSON.stringify(reportOf(lease, uptime())));
};

/**
 * Ends the client of an edge before this one; its lease is used on, and asked for.
 * @returns the address; null: it had none
 */
const takeOver = async (device: Device, interfaceName: string): Promise<string | null> => {
  const lease = readEarlier(device, interfaceName);
  // Before its end, so that the next edge has it if this one is killed here.
  if (lease !== null) writeReport(device, interfaceName, lease);
  // Not asked to end: it would give the lease back.
  await device.daemons.stop(daemonOf(interfaceName), 0);
  removeEarlier(device, interfaceName);
  return lease?.address.split("/")[0] ?? null;
};

/** Where it is not known, it is taken for plugged. */
export const isPlugged = (interfaceName: string): boolean => {
  try {
    return readFileSync(`/sys/class/net/${interfaceName}/carrier`, "utf8").trim() !== "0";
  } catch {
    return true;
  }
};

/** Starts it, unless it runs. A lease that is still used stays so: the client asks whether it holds (RFC 2131, 3.7). */
export const startClient = async (device: Device, interfaceName: string): Promise<void> => {
  const dir = dirOf(device);
  const reports = join(device.runDir, "dhcp");
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  mkdirSync(reports, { recursive: true, mode: 0o755 });
  writeFileSync(join(dir, "dhcpcd-event.cjs"), eventProgram(reports), { mode: 0o755 });
  writeFileSync(join(dir, "dhcpcd.conf"), settings);
  const former = isEarlier(device.daemons.record(daemonOf(interfaceName)))
    ? await takeOver(device, interfaceName)
    : null;
  const argv = clientArgv(dir, interfaceName, former);
  device.daemons.start(daemonOf(interfaceName), argv, interfaceName);
};

/** Ends it, and gives its lease back. */
export const stopClient = async (device: Device, interfaceName: string): Promise<void> => {
  await device.daemons.stop(daemonOf(interfaceName), 2_000, "SIGALRM");
  rmSync(reportFile(device, interfaceName), { force: true });
  removeEarlier(device, interfaceName);
};

/** Interfaces that have a client, dead or alive. */
export const clientsOf = (device: Device): string[] =>
  device.daemons.names("dhcp-").map((name) => name.slice("dhcp-".length));

/** What it printed last. */
export const clientOutput = (device: Device, interfaceName: string): string =>
  device.daemons.lastOutput(daemonOf(interfaceName));

/** One of an earlier edge lives on where there is nothing to take its place. */
export const isClientAlive = (device: Device, interfaceName: string): boolean =>
  device.daemons.isAlive(daemonOf(interfaceName)) &&
  !(isEarlier(device.daemons.record(daemonOf(interfaceName))) && hasTool(client));

/** Lines without a lease, and since when, ms on a clock that only goes forward. */
export type Waiting = Map<string, number>;

/**
 * Starts clients again that have found no server for a while: one may be there after an outage that no carrier shows. It
 * also brings one back whose helpers died.
 */
export const hurryClients = async (device: Device, waiting: Waiting): Promise<void> => {
  const now = performance.now();
  for (const name of clientsOf(device)) {
    const since = waiting.get(name) ?? now;
    const isOurs = !isEarlier(device.daemons.record(daemonOf(name)));
    const isWaiting = isOurs && readLease(device, name) === null && isPlugged(name);
    if (!isWaiting) waiting.delete(name);
    else waiting.set(name, since);
    if (!isWaiting || now - since < impatientMs || !isClientAlive(device, name)) continue;
    waiting.set(name, now);
    await device.daemons.stop(daemonOf(name), 0);
    await startClient(device, name);
  }
};

/** Lines whose lease every server was asked about, and the moment of the lease, in seconds since boot. */
export type Rebinding = Map<string, number>;

/**
 * Has clients ask every server where their own one does not answer a renewal. dhcpcd hears only what is sent to its address
 * then, and a server refuses by broadcast (RFC 2131, 4.1): a renumbered network would be noticed at T2, after seven eighths
 * of the lease.
 */
export const rebindUnanswered = (device: Device, rebinding: Rebinding): void => {
  for (const name of clientsOf(device)) {
    const record = device.daemons.record(daemonOf(name));
    const report = isEarlier(record) ? null : readReport(device, name);
    const renewal = report && renewalOf(report);
    if (report === null || renewal === null) {
      rebinding.delete(name);
      continue;
    }
    const isUnanswered = uptime() >= renewal + unansweredSeconds && isPlugged(name);
    if (!isUnanswered || rebinding.get(name) === report.at) continue;
    rebinding.set(name, report.at);
    device.log.info({ line: name }, "no answer to the renewal of a lease; every server is asked");
    device.daemons.signal(daemonOf(name), "SIGHUP");
  }
};

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
  if (isEarlier(device.daemons.record(daemonOf(interfaceName))))
    return readEarlier(device, interfaceName);
  const report = readReport(device, interfaceName);
  return report && leaseOf(report, uptime());
};
