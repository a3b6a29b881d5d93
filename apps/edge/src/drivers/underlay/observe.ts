import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { VlanInterface } from "@weft/contract/device/v1/underlay.ts";
import { isClassRule, isClassTable } from "#drivers/classes/render.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import { globalAddresses, type IpLink, ipJson, ipJsonOfAll } from "#drivers/ip-json.ts";
import { replaceFile } from "#drivers/replace-file.ts";
import { isSegmentRule } from "#drivers/segment/render.ts";
import { heldBy } from "#drivers/standby/held.ts";
import { ipv6ClientsOf, ipv6SettingsOf, isIpv6ClientAlive } from "./ipv6-client.ts";
import { clientsOf, isClientAlive } from "./lease.ts";
import type { FoundInterface, UnderlayFound, UnderlayPart } from "./plan.ts";
import { hostOf, type OwnRoute, type OwnRule, sysctlsOf } from "./render.ts";
import type { FoundVlans } from "./vlans.ts";

interface RouteRow {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev?: string;
  readonly table?: string;
  readonly metric?: number;
  readonly protocol?: string;
  /** Absent: unicast. */
  readonly type?: string;
}

interface RuleRow {
  readonly priority: number;
  readonly src: string;
  /** Absent: a single address. */
  readonly srclen?: number;
  readonly iif?: string;
  readonly dst?: string;
  readonly fwmark?: string;
  readonly fwmask?: string;
  readonly table?: string;
  readonly suppress_prefixlen?: number;
  readonly action?: string;
  readonly protocol?: string;
}

const families = [4, 6] as const;

const ownRoute = (family: 4 | 6, row: RouteRow): OwnRoute => ({
  family,
  table: row.table ?? "main",
  destination: row.dst,
  gateway: row.gateway ?? null,
  dev: row.dev ?? "",
  metric: row.metric ?? 0,
});

const ownRoutes = (family: 4 | 6, rows: readonly RouteRow[]): OwnRoute[] =>
  rows
    // Those without a way are the isolation driver's.
    .filter(({ type }) => type === undefined || type === "1")
    // Those of classes follow their choice of links.
    .filter(({ table }) => !isClassTable(table ?? ""))
    .map((row) => ownRoute(family, row));

/** Ours, and those that BGP and staticd made (zebra's numbers): none of them is the factory's. */
const notFactory = new Set([ownProtocol, "186", "196"]);

const foreignRoutes = (family: 4 | 6, rows: readonly RouteRow[]): OwnRoute[] =>
  rows
    .filter(({ protocol, dev }) => dev && !notFactory.has(protocol ?? ""))
    .map((row) => ownRoute(family, row));

const actions: Readonly<Record<string, string>> = { "7": "unreachable" };

const ruleOf = (family: 4 | 6, row: RuleRow): OwnRule => {
  const table = row.table === "254" ? "main" : row.table;
  const parts = [
    ...(row.src === "all"
      ? []
      : ["from", row.srclen === undefined ? row.src : `${row.src}/${row.srclen}`]),
    ...(row.dst ? ["to", row.dst] : []),
    ...(row.fwmark ? ["fwmark", `${row.fwmark}/${row.fwmask ?? "0xffffffff"}`] : []),
    ...(row.iif ? ["iif", row.iif] : []),
    ...(row.action ? [actions[row.action] ?? `action ${row.action}`] : ["lookup", table ?? ""]),
    ...(row.suppress_prefixlen === undefined
      ? []
      : ["suppress_prefixlength", `${row.suppress_prefixlen}`]),
  ];
  return { family, priority: row.priority, text: parts.join(" ") };
};

const ownRules = (family: 4 | 6, rows: readonly RuleRow[]): OwnRule[] =>
  rows
    .filter(
      ({ protocol, priority }) =>
        protocol === ownProtocol && !isSegmentRule(priority) && !isClassRule(priority),
    )
    .map((row) => ruleOf(family, row));

interface Ways {
  readonly routes: readonly OwnRoute[];
  /** Default routes of main that neither we nor our routing daemons made. */
  readonly foreign: readonly OwnRoute[];
  readonly rules: readonly OwnRule[];
}

const questions = [
  `route show table all proto ${ownProtocol}`,
  "route show default",
  "rule list",
] as const;

const readWaysOf = async (device: Device, family: 4 | 6): Promise<Ways> => {
  const answers = await ipJsonOfAll(device.run, ["-N", `-${family}`], questions);
  const [routes = [], defaults = [], rules = []] = answers;
  return {
    routes: ownRoutes(family, routes as RouteRow[]),
    foreign: foreignRoutes(family, defaults as RouteRow[]),
    rules: ownRules(family, rules as RuleRow[]),
  };
};

const readWays = async (device: Device): Promise<Ways> => {
  const [four, six] = await Promise.all(families.map((family) => readWaysOf(device, family)));
  const both = <Key extends keyof Ways>(key: Key) => [
    ...(four?.[key] ?? []),
    ...(six?.[key] ?? []),
  ];
  return {
    routes: both("routes") as OwnRoute[],
    foreign: both("foreign") as OwnRoute[],
    rules: both("rules") as OwnRule[],
  };
};

/** Default routes of main that neither we nor our routing daemons made. */
export const readForeign = async (device: Device): Promise<readonly OwnRoute[]> =>
  (await readWays(device)).foreign;

export const readInterfaces = async (device: Device): Promise<Record<string, FoundInterface>> => {
  const rows = await ipJson<IpLink>(device.run, ["addr"]);
  const isHeld = heldBy(device);
  return Object.fromEntries(
    rows.map((row) => {
      const addresses = globalAddresses(row).filter((text) => !isHeld(row.ifname, text));
      return [row.ifname, { up: row.flags.includes("UP"), mtu: row.mtu, addresses }];
    }),
  );
};

const readSysctls = async (keys: Iterable<string>): Promise<Map<string, string | null>> => {
  const found = new Map<string, string | null>();
  for (const key of keys) {
    const text = await readFile(join("/proc/sys/net", key), "utf8").catch(
      ({ code }: NodeJS.ErrnoException) => (code === "ENOENT" ? null : ""),
    );
    found.set(key, text === null ? null : text.trim());
  }
  return found;
};

type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>;

/** Ms after which names are looked up again: all have addresses, or one has none yet. */
const lookupAgainMs = { known: 300_000, unknown: 10_000 } as const;
/** Ms for which the first addresses of a name are waited for; a resolver without an answer takes half a minute. */
const firstMs = 2_000;

/**
 * Addresses of controllers: names are looked up again after a while, one at a time, as each takes a thread that files need as
 * well. An old answer is better than none, and one that is late is used from then on.
 */
export class Controllers {
  readonly #addresses = new Map<string, readonly string[]>();
  readonly #lookup: Lookup;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #resolving: Promise<void> | null = null;

  constructor(lookupAll: Lookup = (name) => lookup(name, { all: true })) {
    this.#lookup = lookupAll;
  }

  async addresses(hosts: readonly string[]): Promise<string[]> {
    const names = hosts.map(hostOf);
    const toResolve = names.filter((name) => isIP(name) === 0);
    const isKnown = toResolve.every((name) => this.#addresses.has(name));
    const dueMs = isKnown ? lookupAgainMs.known : lookupAgainMs.unknown;
    if (this.#resolving === null && performance.now() - this.#requestedAt > dueMs) {
      this.#requestedAt = performance.now();
      this.#resolving = this.#resolve(toResolve).finally(() => {
        this.#resolving = null;
      });
      if (!isKnown) await Promise.race([this.#resolving, sleep(firstMs)]);
    }
    return names.flatMap((name) => (isIP(name) ? [name] : (this.#addresses.get(name) ?? [])));
  }

  async #resolve(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const answers = await this.#lookup(name).catch(() => []);
      const found = answers.map(({ address }) => address).filter((a) => !/^(127\.|::1$)/.test(a));
      if (found.length > 0) this.#addresses.set(name, found.sort());
    }
  }
}

export const takenFile = (device: Device): string => join(device.dataDir, "interfaces.json");

export const readTaken = async (device: Device): Promise<UnderlayFound["taken"]> => {
  try {
    return JSON.parse(await readFile(takenFile(device), "utf8")) as UnderlayFound["taken"];
  } catch {
    return {};
  }
};

const vlansFile = ({ dataDir }: Pick<Device, "dataDir">): string => join(dataDir, "vlans.json");

/** A reboot takes the interfaces: whoever made one of such a name since, it was not this device. */
interface OwnVlans {
  /** Of the kernel that they were made in (random(4)). */
  readonly boot: string;
  readonly names: readonly string[];
}

const readBoot = async (): Promise<string> =>
  (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();

/** Names of interfaces of VLANs that this device made. */
export const readOwnVlans = async (device: Pick<Device, "dataDir">): Promise<readonly string[]> => {
  try {
    const { boot, names } = JSON.parse(await readFile(vlansFile(device), "utf8")) as OwnVlans;
    return boot === (await readBoot()) ? names : [];
  } catch {
    return [];
  }
};

export const writeOwnVlans = async (
  device: Pick<Device, "dataDir">,
  names: readonly string[],
): Promise<void> => {
  const own: OwnVlans = { boot: await readBoot(), names };
  replaceFile(vlansFile(device), JSON.stringify(own));
};

interface VlanRow {
  readonly ifname: string;
  /** Absent: in another namespace. */
  readonly link?: string;
  readonly linkinfo?: { readonly info_data?: { readonly id?: number } };
}

/** Only asked for where there may be one: most devices have no interface of a VLAN. */
const readVlans = async (device: Device, wanted: readonly VlanInterface[]): Promise<FoundVlans> => {
  const own = await readOwnVlans(device);
  if (wanted.length === 0 && own.length === 0) return { there: [], own };
  const rows = await ipJson<VlanRow>(device.run, ["-d", "link", "show", "type", "vlan"]);
  const there = rows.flatMap(({ ifname: interfaceName, link: parent = null, linkinfo }) => {
    const tag = linkinfo?.info_data?.id;
    return tag === undefined ? [] : [{ interfaceName, parent, tag }];
  });
  return { there, own };
};

export const mtusFile = (device: Device): string => join(device.dataDir, "mtus.json");

export const readMtus = async (device: Device): Promise<UnderlayFound["mtus"]> => {
  try {
    return JSON.parse(await readFile(mtusFile(device), "utf8")) as UnderlayFound["mtus"];
  } catch {
    return {};
  }
};

/** Settings of clients that run, and of those that are not wanted, by interface. */
const readIpv6Clients = (device: Device, lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    ipv6ClientsOf(device).flatMap((name) => {
      const settings = ipv6SettingsOf(device, name);
      const counts = isIpv6ClientAlive(device, name) || !lines.includes(name);
      return counts && settings !== null ? [[name, settings]] : [];
    }),
  );

export const observeUnderlay = async (
  device: Device,
  controllers: Controllers,
  { leases, ipv6Leases, silent }: Required<Pick<UnderlayFound, "leases" | "ipv6Leases" | "silent">>,
  part: UnderlayPart,
): Promise<UnderlayFound> => {
  const lines = part.lines.map((line) => line.interfaceName);
  const lans = part.lans.map((lan) => lan.interfaceName);
  const clients = clientsOf(device);
  const [interfaces, vlans, ways, taken, mtus, sysctls, addresses] = await Promise.all([
    readInterfaces(device),
    readVlans(device, part.vlans ?? []),
    readWays(device),
    readTaken(device),
    readMtus(device),
    readSysctls(sysctlsOf(lines, lans, part).keys()),
    controllers.addresses(device.controllers),
  ]);
  return {
    interfaces,
    ...ways,
    vlans,
    taken,
    mtus,
    leases,
    ipv6Leases,
    ipv6Clients: readIpv6Clients(device, lines),
    silent,
    clients: clients.filter((name) => isClientAlive(device, name) || !lines.includes(name)),
    sysctls,
    controllers: addresses,
  };
};
