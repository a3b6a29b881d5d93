/** The configuration of dnsmasq(8). Pure. */
import type { DhcpReservation, DnsSection } from "@weft/contract/device/v1/dns.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import {
  addressOf,
  isWithin,
  networkOf,
  parseAddress,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import { type LearnedNames, learnedNames } from "#drivers/exits.ts";
import type { Lease } from "#drivers/underlay/render.ts";

/** Files of the program: those of a run go with a reboot, leases stay. */
export interface DnsPaths {
  readonly config: string;
  readonly servers: string;
  /** Which answers are put into sets of the firewall. */
  readonly sets: string;
  readonly pid: string;
  readonly leases: string;
}

/** Seconds that a host keeps its address without asking again. */
const leaseSeconds = 12 * 3_600;

/** What is the same for every site. */
const always = [
  // Addresses of the LANs only, also of those that come later: never a line, a link or the device itself.
  "bind-dynamic",
  "except-interface=lo",
  "no-hosts",
  "no-resolv",
  "no-poll",
  "domain-needed",
  "bogus-priv",
  "cache-size=2000",
  // What passes every path without fragments (DNS flag day 2020).
  "edns-packet-max=1232",
  "quiet-dhcp",
  "log-facility=-",
];

const maskOf = (cidr: string): string => {
  const length = parsePrefix(cidr)?.length ?? 32;
  return [0, 8, 16, 24]
    .map((at) => 256 - 2 ** (8 - Math.min(8, Math.max(0, length - at))))
    .join(".");
};

const countOf = (first: string, last: string): number =>
  Number((parseAddress(last)?.address ?? 0n) - (parseAddress(first)?.address ?? 0n)) + 1;

const dhcpOf = (
  { ranges, reservations = [] }: DnsSection,
  lans: readonly string[],
  { leases }: DnsPaths,
): string[] => {
  if (ranges.length === 0) return [];
  const serving = new Set(ranges.map(({ interfaceName }) => interfaceName));
  const maxLeases = ranges.reduce((sum, { first, last }) => sum + countOf(first, last), 0);
  const isServed = ({ address }: DhcpReservation): boolean =>
    ranges.some((range) => isWithin(networkOf(range.address), address));
  return [
    ...lans.filter((name) => !serving.has(name)).map((name) => `no-dhcp-interface=${name}`),
    `dhcp-leasefile=${leases}`,
    // Reserved addresses may lie outside of the ranges.
    `dhcp-lease-max=${maxLeases + reservations.length}`,
    // It is not authoritative: what another server of the LAN has given is not refused.
    ...ranges.flatMap(({ address, first, last }, at) => {
      const router = addressOf(address);
      return [
        `dhcp-range=set:r${at},${first},${last},${maskOf(address)},${leaseSeconds}`,
        `dhcp-option=tag:r${at},option:router,${router}`,
        `dhcp-option=tag:r${at},option:dns-server,${router}`,
      ];
    }),
    ...reservations
      .filter(isServed)
      .map(
        ({ mac, address, name }) => `dhcp-host=${mac},${address}${name === null ? "" : `,${name}`}`,
      ),
  ];
};

/** An own address of a LAN that the space knows: a server there answers to it, and to no link's inner address. */
export const sourceFor = (state: DesiredState, server: string): string => {
  const family = familyOf(server);
  const isFar = (state.spaces ?? []).some(({ networks }) =>
    networks.some((network) => isWithin(network, server)),
  );
  const announced = state.routings.flatMap(({ announce }) => announce.map(networkOf));
  const lanAddresses = state.underlay.lans
    .flatMap(({ addresses }) => addresses)
    .filter((text) => familyOf(text) === family);
  const isNear = lanAddresses.some((text) => isWithin(text, server));
  const source = lanAddresses.find((text) => announced.includes(networkOf(text)));
  return isFar && !isNear && source !== undefined ? `@${addressOf(source)}` : "";
};

/** Names that are answered here alone: no server is asked for what they have no record of. */
const localNames = ({ answers, servers }: DnsSection): string[] => {
  const forwarded = new Set(servers.map(({ domain }) => domain));
  return [...new Set(answers.map(({ domain }) => domain))].filter(
    (domain) => !forwarded.has(domain),
  );
};

/** Their lines change by the day, in files of their own; another list of controls is another configuration. */
const controlled = (
  { controls = [], timeZone = "" }: DnsSection,
  learned: readonly LearnedNames[],
  { sets }: DnsPaths,
): string[] => [
  ...controls.flatMap(({ names, ...others }) => [
    `# ${JSON.stringify({ ...others, timeZone })}`,
    // A line of dnsmasq's has at most 1,024 characters.
    ...(names ?? ["all"]).map((name) => `#  ${name}`),
  ]),
  ...learned.flatMap(({ by, names }) => [`# ${by}`, ...names.map((name) => `#  ${name}`)]),
  ...(controls.length + learned.length > 0 ? [`conf-file=${sets}`] : []),
];

/** Seconds that hosts keep what is advertised without hearing it again (RFC 9096, section 3.4). */
const advertisedSeconds = 5_400;

/**
 * Networks of prefixes, by the addresses that the interface has of them, for as long as these last; one that goes is
 * advertised as deprecated. The device is the resolver.
 */
const advertised = ({ underlay: { lans } }: DesiredState): string[] => {
  const names = lans.flatMap(({ interfaceName, vlan, ipv6 }) =>
    ipv6 === undefined || vlan !== 0 ? [] : [interfaceName],
  );
  return names.length === 0
    ? []
    : [
        "enable-ra",
        ...names.map((name) => `dhcp-range=::,constructor:${name},ra-only,64,${advertisedSeconds}`),
      ];
};

/** The file of a state; `dns` is what of it can act. */
export const renderConfig = (
  dns: DnsSection,
  lans: readonly string[],
  state: DesiredState,
  paths: DnsPaths,
): string =>
  [
    "# Written by the Weft edge.",
    ...always,
    ...lans.map((name) => `interface=${name}`),
    `servers-file=${paths.servers}`,
    `pid-file=${paths.pid}`,
    ...dns.denied.map((domain) => `address=/${domain}/`),
    ...localNames(dns).map((domain) => `local=/${domain}/`),
    ...dns.answers.map(({ domain, address }) => `address=/${domain}/${address}`),
    ...dns.servers.map(
      ({ domain, address }) => `server=/${domain}/${address}${sourceFor(state, address)}`,
    ),
    ...controlled(dns, learnedNames(state), paths),
    ...dhcpOf(dns, lans, paths),
    ...advertised(state),
    "",
  ].join("\n");

export interface Upstreams {
  /** Lines with DHCP or without. */
  readonly lines: readonly string[];
  readonly leases: Readonly<Record<string, Lease>>;
  /** Networks of the LANs and of the space: no server of a provider is there. */
  readonly inner: readonly string[];
  /** Servers that the device itself asks, as resolv.conf(5) has them. */
  readonly own: readonly string[];
  /** Lines of controls: of their names, and of all other names in place of these servers; absent: none. */
  readonly controlled?: { readonly named: readonly string[]; readonly all: string | null };
}

/** "nameserver" lines of resolv.conf(5). */
export const nameserversOf = (text: string): string[] =>
  [...text.matchAll(/^\s*nameserver\s+([0-9A-Fa-f.:]+)\s*$/gm)].flatMap(([, address = ""]) =>
    parseAddress(address) ? [address] : [],
  );

/**
 * Servers that are asked about all other names: of a lease by its own line; those of the device itself unless every
 * line has some.
 */
export const renderServers = ({ lines, leases, inner, own, controlled }: Upstreams): string => {
  const isOutside = (address: string): boolean =>
    parseAddress(address) !== null && !inner.some((network) => isWithin(network, address));
  const leased = lines.map((name) => ({
    name,
    servers: (leases[name]?.dns ?? []).filter(isOutside),
  }));
  const isComplete = leased.length > 0 && leased.every(({ servers }) => servers.length > 0);
  const others = [
    ...leased.flatMap(({ name, servers }) => servers.map((server) => `server=${server}@${name}`)),
    ...(isComplete ? [] : own.filter(isOutside).map((text) => `server=${text}`)),
  ];
  const { named = [], all = null } = controlled ?? {};
  return [...new Set([...named, ...(all === null ? others : [all])]), ""].join("\n");
};
