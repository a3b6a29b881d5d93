/** Addresses, routes and rules that the lines and LANs of a device stand for. Pure. */

import type { LanInterface } from "@weft/contract/device/v1/lan-interfaces.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import {
  addressOf,
  endsOf,
  isSameAddress,
  isWithin,
  networkOf,
  networksOverlap,
} from "@weft/contract/rules/address.ts";
import { canonicalAddress, canonicalCidr, familyOf } from "#drivers/address.ts";
import { lineTable } from "#drivers/policy-paths.ts";
import { usesIpv6, withoutIpv6 } from "./cards.ts";

/** A lease as the DHCP client reported it. */
export interface Lease {
  readonly address: string;
  readonly gateway: string | null;
  /** Servers that it names, as they came; absent: none. */
  readonly dns?: readonly string[];
  /** Why not all of it is used; absent: it is. */
  readonly fault?: LeaseFault;
}

/** What a server gave and no line can use (lease-report.ts). */
export interface LeaseFault {
  readonly reason: "leaseNoTime" | "leaseInvalid" | "leaseGateway";
  readonly params: Readonly<Record<string, string>>;
}

/** What of the site a lease must not take for itself. */
export interface Own {
  readonly lans: readonly string[];
  /** Networks of the spaces in the main namespace. */
  readonly closed: readonly string[];
  /** Addresses at which tunnels are reached; absent: none. */
  readonly ends?: readonly string[];
  /** Addresses of the controllers; absent: none. */
  readonly controllers?: readonly string[];
}

/** What of a lease is not the provider's to give, or what it is worth nothing by. */
export interface Claim {
  readonly reason:
    | LeaseFault["reason"]
    | "leaseInLan"
    | "leaseInSpace"
    | "leaseInLine"
    | "leaseOfLine"
    | "endpointAddress";
  readonly params: Readonly<Record<string, string>>;
}

const overlapping = (address: string, networks: readonly string[]): string | undefined =>
  networks.find((network) => networksOverlap(address, network));

/** Addresses of a lease that the kernel takes for the device's own: nothing that is sent to them leaves it. */
const ownOfLease = (address: string): string[] => [addressOf(address), ...endsOf(address)];

/** What makes a lease worth nothing, then the first network that it overlaps: LANs, spaces, other lines; null: none. */
const claimOf = (
  { address, fault }: Lease,
  { lans, closed, ends = [] }: Own,
  others: readonly string[],
): Claim | null => {
  // Without its router it is used as any other, so that it must not overlap anything either.
  if (fault !== undefined && fault.reason !== "leaseGateway") return fault;
  const lan = overlapping(address, lans);
  if (lan !== undefined) return { reason: "leaseInLan", params: { network: networkOf(lan) } };
  const end = ends.find((text) => ownOfLease(address).some((own) => isSameAddress(own, text)));
  if (end !== undefined) return { reason: "endpointAddress", params: { address: end } };
  const network = overlapping(address, closed);
  if (network !== undefined) return { reason: "leaseInSpace", params: { network } };
  if (others.some((other) => addressOf(other) === addressOf(address)))
    return { reason: "leaseOfLine", params: {} };
  const line = overlapping(address, others);
  return line === undefined
    ? (fault ?? null)
    : { reason: "leaseInLine", params: { network: networkOf(line) } };
};

const aloneIn = (lease: Lease): Lease => ({ ...lease, address: `${addressOf(lease.address)}/32` });

/**
 * What of a lease is used. In a network of the space or of another line the address alone: a route to the rest would
 * take packets of those, and without any the line could not even carry its tunnels. Two routers of one make give both lines
 * the very same address: each has it, and what is bound to the address goes by the first line that leads anywhere.
 */
const usable = (lease: Lease, claim: Claim | null): Lease | null => {
  switch (claim?.reason) {
    case undefined:
    // Without its gateway.
    case "leaseGateway":
      return lease;
    case "leaseInSpace":
    case "leaseInLine":
    case "leaseOfLine":
      return aloneIn(lease);
    case "endpointAddress":
      return isSameAddress(addressOf(lease.address), claim.params.address ?? "")
        ? null
        : aloneIn(lease);
    default:
      return null;
  }
};

interface Leased {
  readonly claim: Claim | null;
  readonly used: Lease | null;
}

/** Leases of lines by DHCP; of two with one network, that of the line that comes first has it. */
const leasedLines = (
  lines: UnderlaySection["lines"],
  leases: Readonly<Record<string, Lease>>,
  own: Own,
): ReadonlyMap<string, Leased> => {
  const taken = lines.flatMap(({ addressing, ip }) =>
    addressing === "dhcp" || ip === null ? [] : [ip],
  );
  const found = new Map<string, Leased>();
  for (const { interfaceName, addressing } of lines) {
    const lease = addressing === "dhcp" ? leases[interfaceName] : undefined;
    if (lease === undefined) continue;
    const claim = claimOf(lease, own, taken);
    const used = usable(lease, claim);
    found.set(interfaceName, { claim, used });
    if (used !== null) taken.push(lease.address);
  }
  const here = [...own.lans, ...taken].map(addressOf);
  return new Map([...found].map(([name, leased]) => [name, withoutOwnRouter(leased, here)]));
};

/** A router is somebody else: the kernel refuses a next hop that is an address of the device, also of another interface. */
const withoutOwnRouter = (leased: Leased, here: readonly string[]): Leased => {
  const { used } = leased;
  const gateway = used?.gateway ?? null;
  if (used === null || gateway === null || !here.some((own) => isSameAddress(own, gateway)))
    return leased;
  return {
    claim: { reason: "leaseGateway", params: { gateway } },
    used: { ...used, gateway: null },
  };
};

/** Leases that are not used as they are, by interface. */
export const claimsOf = (
  lines: UnderlaySection["lines"],
  leases: Readonly<Record<string, Lease>>,
  own: Own,
): ReadonlyMap<string, Claim> =>
  new Map(
    [...leasedLines(lines, leases, own)].flatMap(([name, { claim }]): [string, Claim][] =>
      claim === null ? [] : [[name, claim]],
    ),
  );

/** A line with the address that it has: its own, or that of its lease. */
export interface EffectiveLine {
  readonly slot: number;
  readonly interfaceName: string;
  readonly ip: string | null;
  readonly gateway: string | null;
}

export interface OwnRoute {
  readonly family: 4 | 6;
  /** "main" or the number of a line's table. */
  readonly table: string;
  readonly destination: string;
  readonly gateway: string | null;
  readonly dev: string;
  readonly metric: number;
}

export interface OwnRule {
  readonly family: 4 | 6;
  readonly priority: number;
  /** Selector and action as ip-rule(8) takes them: "from 192.0.2.1 lookup 101". */
  readonly text: string;
}

/** Order of rules. What is bound to a line must not be routed into a tunnel by a learned route. */
export const priority = {
  mark: 1_000,
  markEnd: 1_010,
  boundPath: 1_100,
  /** Of a line that leads nowhere while another one has its address. */
  boundPathBehind: 1_150,
  path: 1_200,
  near: 1_300,
  from: 1_400,
  fromBehind: 1_450,
};

export const effectiveLines = (
  lines: UnderlaySection["lines"],
  leases: Readonly<Record<string, Lease>>,
  own: Own,
): EffectiveLine[] => {
  const leased = leasedLines(lines, leases, own);
  return lines.map(({ slot, interfaceName, addressing, ip, gateway }) => {
    const lease = leased.get(interfaceName)?.used;
    const address = addressing === "dhcp" ? (lease?.address ?? null) : ip;
    const via = addressing === "dhcp" ? (lease?.gateway ?? null) : gateway;
    return {
      slot,
      interfaceName,
      ip: address === null ? null : canonicalCidr(address),
      gateway: via === null ? null : canonicalAddress(via),
    };
  });
};

/** What is added to the metric of a default route that all others are preferred to. */
const leftMetric = 1_000;

/**
 * Per line: its subnet and default in its own table, and a default in main behind the others'.
 * @param isLeft it leads nowhere: behind those of all lines that do, but there where there is none
 */
export const routesOf = (
  { slot, interfaceName, ip, gateway }: EffectiveLine,
  isLeft = false,
): OwnRoute[] => {
  if (ip === null) return [];
  const table = `${lineTable(slot)}`;
  const base = { family: familyOf(ip), dev: interfaceName, metric: lineTable(slot) };
  const subnet = networkOf(ip);
  const host = /\/(32|128)$/.test(subnet);
  return [
    ...(host ? [] : [{ ...base, table, destination: subnet, gateway: null }]),
    ...(gateway === null
      ? []
      : [
          { ...base, table, destination: "default", gateway },
          {
            ...base,
            table: "main",
            destination: "default",
            gateway,
            metric: base.metric + (isLeft ? leftMetric : 0),
          },
        ]),
  ];
};

const markRules = (slot: number): OwnRule[] => {
  const mark = `fwmark ${markText(markValue("line", slot))}/${markText(markMask("line"))}`;
  // A tunnel's packets leave by their line or not at all.
  return ([4, 6] as const).flatMap((family) => [
    { family, priority: priority.mark + slot, text: `${mark} lookup ${lineTable(slot)}` },
    { family, priority: priority.markEnd + slot, text: `${mark} unreachable` },
  ]);
};

/** Hosts behind the gateway that are asked by a line. */
const maxAsked = 3;

/** What of the hosts behind the gateways is asked by a line with this address, to know whether it leads anywhere. */
export const askedOf = (far: readonly string[], source: string): string[] =>
  far.filter((text) => familyOf(text) === familyOf(source)).slice(0, maxAsked);

/**
 * Rules of one line. `controllers` are those that are to be reached by lines: the management path
 * never follows a route that the document or a neighbour made.
 * @param isLeft it leads nowhere: only what is bound to its address goes by it; `behind`: not even that, unless by no other line
 * @param far hosts behind the gateways: as the gateway itself they are asked by each line, whatever routes the space has to them
 */
export const rulesOf = (
  { slot, ip, gateway }: EffectiveLine,
  controllers: readonly string[],
  isLeft: boolean | "behind" = false,
  far: readonly string[] = [],
): OwnRule[] => {
  if (ip === null) return markRules(slot);
  const own = addressOf(ip);
  const family = familyOf(ip);
  const lookup = `lookup ${lineTable(slot)}`;
  const rule = (at: number, text: string): OwnRule => ({ family, priority: at + slot, text });
  const boundPath = isLeft === "behind" ? priority.boundPathBehind : priority.boundPath;
  const paths = controllers
    .filter((address) => familyOf(address) === family)
    .flatMap((address) => [
      rule(boundPath, `from ${own} to ${address} ${lookup}`),
      ...(isLeft ? [] : [rule(priority.path, `to ${address} ${lookup}`)]),
    ]);
  const isNear = gateway !== null && !isWithin("fe80::/10", gateway);
  const asked = [...(isNear ? [gateway] : []), ...askedOf(far, own).map(canonicalAddress)];
  return [
    ...markRules(slot),
    ...asked
      .filter((address) => !controllers.includes(address))
      .map((address) => rule(boundPath, `from ${own} to ${address} ${lookup}`)),
    ...paths,
    // Answers from a line's address to a host behind this device stay inside.
    rule(priority.near, `from ${own} lookup main suppress_prefixlength 0`),
    rule(isLeft === "behind" ? priority.fromBehind : priority.from, `from ${own} ${lookup}`),
  ];
};

/** Controllers that lie behind the lines, not in a network that the device is attached to elsewhere. */
export const farControllers = (
  controllers: readonly string[],
  attached: readonly string[],
): string[] => [
  ...new Set(
    controllers
      .map(canonicalAddress)
      .filter((address) => !attached.some((prefix) => isWithin(prefix, address))),
  ),
];

interface SettingsContext {
  /** LANs whose sources the firewall checks by networks. */
  readonly checked?: readonly string[];
  readonly cards?: UnderlaySection["cards"];
  readonly vlans?: UnderlaySection["vlans"];
  readonly hops?: { readonly routes: readonly OwnRoute[] };
  /** Lines and LANs as the state has them; absent: none of them has IPv6. */
  readonly lines?: UnderlaySection["lines"];
  readonly lans?: readonly LanInterface[];
}

/** LANs with a next hop. */
const hopLans = (lans: readonly string[], hops: SettingsContext["hops"]): string[] =>
  lans.filter((name) => hops?.routes.some(({ dev }) => dev === name));

/** Kernel settings below /proc/sys/net, by path. */
export const sysctlsOf = (
  lines: readonly string[],
  lans: readonly string[],
  { checked = [], hops, cards = [], vlans = [], ...wanted }: SettingsContext = {},
): Map<string, string> => {
  const small = new Set(withoutIpv6(cards, vlans));
  return new Map([
    // Machines with IPv6 turned off as a rule refuse each address of it: here the state wants some.
    ...[...lines, ...lans].flatMap((name): [string, string][] =>
      !small.has(name) && usesIpv6({ lines: wanted.lines ?? [], lans: wanted.lans ?? [] }, name)
        ? [[`ipv6/conf/${name}/disable_ipv6`, "0"]]
        : [],
    ),
    // A host that learned the next hop of its neighbors would keep to it when the policy route is gone.
    ...hopLans(lans, hops).flatMap((name): [string, string][] => [
      ["ipv4/conf/all/send_redirects", "0"],
      [`ipv4/conf/${name}/send_redirects`, "0"],
    ]),
    ["ipv4/ip_forward", "1"],
    ["ipv6/conf/all/forwarding", "1"],
    ["ipv4/conf/all/rp_filter", "0"],
    // The way to the controller may drop large packets silently (RFC 4821).
    ["ipv4/tcp_mtu_probing", "1"],
    // Links of the same preference share by connection, not by pair of hosts.
    ["ipv4/fib_multipath_hash_policy", "1"],
    ["ipv6/fib_multipath_hash_policy", "1"],
    // No way back, no packet: with 1 or 2 what a POP, a gateway or a router of the path sends would be dropped wherever
    // the space has its address, because packets without a mark look in main, where the network may be unreachable. Who
    // may send what by a line is the firewall's matter (firewall/closed.ts).
    ...lines.map((name): [string, string] => [`ipv4/conf/${name}/rp_filter`, "0"]),
    // Without a carrier the next line takes over, for hosts and for the way to the controller.
    ...lines.flatMap((name): [string, string][] =>
      (small.has(name) ? ["ipv4"] : ["ipv4", "ipv6"]).map((family) => [
        `${family}/conf/${name}/ignore_routes_with_linkdown`,
        "1",
      ]),
    ),
    // Addresses and routes of lines are the edge's, whatever routers there advertise.
    ...lines.flatMap((name): [string, string][] =>
      small.has(name) ? [] : [[`ipv6/conf/${name}/accept_ra`, "0"]],
    ),
    // A router in the LAN may send errors by an address that no route leads to (RFC 3704, section 2.4).
    ...lans.map((name): [string, string] => [
      `ipv4/conf/${name}/rp_filter`,
      checked.includes(name) ? "2" : "1",
    ]),
    // An address that goes must not take the others of its subnet along.
    ...[...lines, ...lans].map((name): [string, string] => [
      `ipv4/conf/${name}/promote_secondaries`,
      "1",
    ]),
  ]);
};

/** "192.0.2.1:443", "[2001:db8::1]:443" or "host:443" without the port. */
export const hostOf = (hostPort: string): string =>
  /^\[([^\]]+)\]/.exec(hostPort)?.[1] ?? hostPort.replace(/:\d+$/, "");

export const routeArgs = (route: OwnRoute): string[] => [
  route.destination,
  ...(route.gateway === null ? [] : ["via", route.gateway]),
  "dev",
  route.dev,
  "table",
  route.table,
  "metric",
  `${route.metric}`,
  ...(route.gateway === null ? [] : ["onlink"]),
];

export const routeText = (route: OwnRoute): string =>
  `IPv${route.family} ${routeArgs(route)
    .filter((keyword) => keyword !== "onlink")
    .join(" ")}`;
export const ruleText = ({ family, priority: at, text }: OwnRule): string =>
  `IPv${family} ${at} ${text}`;
