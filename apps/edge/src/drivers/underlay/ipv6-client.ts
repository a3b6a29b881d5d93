/** The client of a line for router advertisements and DHCPv6: a dhcpcd of its own, which configures nothing (ADR 0042). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, uptime } from "node:os";
import { join } from "node:path";
import type { Device } from "#drivers/device.ts";
import {
  type Ipv6Lease,
  type Ipv6Reports,
  ipv6LeaseOf,
  parseIpv6Report,
  refusedOf,
} from "./ipv6-report.ts";
import type { Ipv6Leases, Ipv6State } from "./ipv6-state.ts";
import { isPlugged, type Waiting } from "./lease.ts";

/** Ms after which a client that found nothing is started again: its own pauses grow to an hour (RFC 8415, 7.6). */
const impatientMs = 30_000;

const daemonOf = (interfaceName: string): string => `dhcp6-${interfaceName}`;
const dirOf = (device: Device): string => join(device.dataDir, "dhcp6");
/** A reboot empties its folder, as it does the interface. */
const reportFile = (device: Device, interfaceName: string, of: "ra" | "dhcp"): string =>
  join(device.runDir, "dhcp6", `${interfaceName}.${of}.json`);

/**
 * What dhcpcd runs on each event (dhcpcd-run-hooks(8)), as for IPv4: Node is the interpreter and no shell reads what came
 * from a network. It writes down what came; ipv6-report.ts validates it. A client that ends or loses its carrier says
 * nothing of what it has: how long that lasts is the edge's decision. dhcpcd takes all for expired whenever the carrier goes,
 * but hosts have their addresses for hours, and go on with them by the other lines; it asks again when the cable is back.
 */
export const ipv6EventProgram = (folder: string): string => `#!${process.execPath}
const { renameSync, rmSync, writeFileSync } = require("node:fs");
const { networkInterfaces, uptime } = require("node:os");
const { reason, interface: name, ...given } = process.env;
const file = (of) => ${JSON.stringify(folder)} + "/" + name + "." + of + ".json";
const write = (of, pattern) => {
  const own = (networkInterfaces()[name] ?? []).find(({ address }) => /^fe80:/.test(address));
  const options = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => pattern.test(key) && value.length <= 200).slice(0, 300),
  );
  writeFileSync(file(of) + ".new", JSON.stringify({ at: uptime(), linkLocal: own?.address ?? null, options }));
  renameSync(file(of) + ".new", file(of));
};
if (reason === "ROUTERADVERT") {
  if (given.nd1_from !== undefined) write("ra", /^nd\\d_/);
} else if (["BOUND6", "RENEW6", "REBIND6", "REBOOT6"].includes(reason)) {
  write("dhcp", /^new_dhcp6_ia_/);
} else if (reason === "EXPIRE6" && given.ifcarrier !== "down") {
  rmSync(file("dhcp"), { force: true });
}
`;

const read = (device: Device, interfaceName: string, of: "ra" | "dhcp") => {
  try {
    return parseIpv6Report(readFileSync(reportFile(device, interfaceName, of), "utf8"));
  } catch {
    return null;
  }
};

const reportsOf = (device: Device, interfaceName: string): Ipv6Reports => ({
  ra: read(device, interfaceName, "ra"),
  dhcp: read(device, interfaceName, "dhcp"),
});

/** What a line has of IPv6 now; null: nothing. */
export const readIpv6Lease = (device: Device, interfaceName: string): Ipv6Lease | null =>
  ipv6LeaseOf(reportsOf(device, interfaceName), uptime());

/** Interfaces that have a client, dead or alive. */
export const ipv6ClientsOf = (device: Device): string[] =>
  device.daemons.names("dhcp6-").map((name) => name.slice("dhcp6-".length));

export const isIpv6ClientAlive = (device: Device, interfaceName: string): boolean =>
  device.daemons.isAlive(daemonOf(interfaceName));

/** Settings that the client of an interface was started with; null: there is none. */
export const ipv6SettingsOf = (device: Device, interfaceName: string): string | null => {
  const want = device.daemons.record(daemonOf(interfaceName))?.want;
  return typeof want === "string" ? want : null;
};

/** How the kernel makes link-local addresses of an interface; `none` is dhcpcd's own way. */
const modeFile = (interfaceName: string): string =>
  `/proc/sys/net/ipv6/conf/${interfaceName}/addr_gen_mode`;
const none = "1";
const byHardware = "0";

const readText = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
};

const keptMode = (device: Device, interfaceName: string): string =>
  join(dirOf(device), `${interfaceName}.mode`);

/** Before dhcpcd turns it off, even where it is to configure nothing. */
const keepMode = (device: Device, interfaceName: string): void => {
  const mode = readText(modeFile(interfaceName));
  if (mode !== null && mode !== none) writeFileSync(keptMode(device, interfaceName), mode);
};

const giveModeBack = (device: Device, interfaceName: string): void => {
  if (readText(modeFile(interfaceName)) !== none) return;
  const mode = readText(keptMode(device, interfaceName));
  writeFileSync(modeFile(interfaceName), mode === null || mode === none ? byHardware : mode);
};

/** A link that was down has lost its link-local address: without one no router is heard. */
export const keepLinkLocal = (device: Device): void => {
  const all = networkInterfaces();
  for (const name of ipv6ClientsOf(device))
    if (!(all[name] ?? []).some(({ address }) => address.startsWith("fe80:")))
      giveModeBack(device, name);
};

/** Starts it; one with other settings is ended before, and what it had goes on. */
export const startIpv6Client = async (
  device: Device,
  interfaceName: string,
  settings: string,
): Promise<void> => {
  const dir = dirOf(device);
  const reports = join(device.runDir, "dhcp6");
  if (ipv6SettingsOf(device, interfaceName) !== settings)
    await device.daemons.stop(daemonOf(interfaceName), 0);
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  mkdirSync(reports, { recursive: true, mode: 0o755 });
  const [program, config] = [join(dir, "event.cjs"), join(dir, `${interfaceName}.conf`)];
  writeFileSync(program, ipv6EventProgram(reports), { mode: 0o755 });
  writeFileSync(config, settings);
  keepMode(device, interfaceName);
  device.daemons.start(
    daemonOf(interfaceName),
    ["dhcpcd", "-6", "-B", "--noconfigure", "-f", config, "-c", program, interfaceName],
    settings,
  );
};

/** Ends it, and gives back what a server gave. */
export const stopIpv6Client = async (device: Device, interfaceName: string): Promise<void> => {
  await device.daemons.stop(daemonOf(interfaceName), 2_000, "SIGALRM");
  for (const kind of ["ra", "dhcp"] as const)
    rmSync(reportFile(device, interfaceName, kind), { force: true });
  giveModeBack(device, interfaceName);
  rmSync(join(dirOf(device), `${interfaceName}.conf`), { force: true });
  rmSync(keptMode(device, interfaceName), { force: true });
  if (ipv6ClientsOf(device).length === 0) rmSync(dirOf(device), { recursive: true, force: true });
};

/** Starts clients again that have had nothing for a while. */
export const hurryIpv6Clients = async (device: Device, waiting: Waiting): Promise<void> => {
  const now = performance.now();
  for (const name of ipv6ClientsOf(device)) {
    const settings = ipv6SettingsOf(device, name);
    const lease = readIpv6Lease(device, name);
    const lacks = settings?.includes("ia_pd") ? lease?.prefix == null : lease?.address == null;
    const isWaiting = lacks && isPlugged(name);
    const since = waiting.get(name) ?? now;
    if (!isWaiting) waiting.delete(name);
    else waiting.set(name, since);
    if (!isWaiting || now - since < impatientMs || settings === null) continue;
    waiting.set(name, now);
    await device.daemons.stop(daemonOf(name), 0);
    await startIpv6Client(device, name, settings);
  }
};

/** What lines have of IPv6 now, by interface. */
export const readIpv6Leases = (device: Device): Ipv6Leases =>
  Object.fromEntries(
    ipv6ClientsOf(device).flatMap((name) => {
      const lease = readIpv6Lease(device, name);
      return lease ? [[name, lease]] : [];
    }),
  );

/** The same without times: what differs in it changes what is set. */
export const withoutTimes = (leases: Ipv6Leases): Record<string, (string | null)[]> =>
  Object.fromEntries(
    Object.entries(leases).map(([name, { address, gateway, prefix }]) => [
      name,
      [address?.value ?? null, gateway, prefix?.value ?? null],
    ]),
  );

export const readIpv6State = (device: Device): Ipv6State => ({
  leases: readIpv6Leases(device),
  refused: Object.fromEntries(
    ipv6ClientsOf(device).map((name) => [name, refusedOf(reportsOf(device, name), uptime())]),
  ),
});
