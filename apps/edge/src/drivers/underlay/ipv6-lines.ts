/** IPv6 of lines: what each has, and why not all of it is used. Pure. */
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import {
  addressOf,
  isSameAddress,
  networkOf,
  networksOverlap,
} from "@weft/contract/rules/address.ts";
import { canonicalAddress, canonicalCidr } from "#drivers/address.ts";
import type { Ipv6LineReport } from "#drivers/driver.ts";
import type { IpLink } from "#drivers/ip-json.ts";
import { ownOfPrefix } from "./delegation.ts";
import type { Held, Ipv6Lease } from "./ipv6-report.ts";
import type { EffectiveLine, Own } from "./render.ts";

type Lines = UnderlaySection["lines"];
type Ipv6 = NonNullable<Lines[number]["ipv6"]>;
type Leases = Readonly<Record<string, Ipv6Lease>>;

/** Lines whose IPv6 comes from router advertisements. */
export const automaticLines = (lines: Lines): Lines =>
  lines.filter(({ ipv6 }) => ipv6 !== undefined && ipv6.mode !== "static");

/** Whether DHCPv6 is asked, routers say (flags M and O). It names no vendor class, which would hold the kernel's version. */
export const ipv6Settings = (ipv6: Ipv6): string =>
  [
    "noconfigure",
    "ipv6only",
    "ipv6rs",
    "nodelay",
    "nodev",
    "timeout 0",
    "vendorclassid",
    "option dhcp6_name_servers",
    // Whatever routers say; assigned to no interface (-).
    ...(ipv6.mode === "delegated"
      ? ["ia_na 1", ipv6.length === null ? "ia_pd 2 -" : `ia_pd 2/::/${ipv6.length} -`]
      : []),
    "",
  ].join("\n");

/** A line without an address of its own has one of its prefix (RFC 7084, WAA-7). */
export const addressOfLease = (ipv6: Ipv6, lease: Ipv6Lease | undefined): Held | null =>
  lease?.address ?? (ipv6.mode === "delegated" && lease?.prefix ? ownOfPrefix(lease.prefix) : null);

interface CheckedLine {
  readonly line: EffectiveLine;
  /** The network that its address overlaps, for which it is not used; null: it is used. */
  readonly overlaps: string | null;
  readonly given: string | null;
}

/** Of two lines with one network, the one that comes first has it; none has the address of a tunnel's other end. */
const checkLines = (
  lines: Lines,
  leases: Leases,
  { lans, closed, ends = [] }: Own,
): CheckedLine[] => {
  const taken = lines.flatMap(({ ipv6 }) => (ipv6?.mode === "static" ? [ipv6.ip] : []));
  return lines.flatMap(({ slot, interfaceName, ipv6 }) => {
    if (ipv6 === undefined) return [];
    if (ipv6.mode === "static")
      return [
        {
          line: {
            slot,
            interfaceName,
            ip: canonicalCidr(ipv6.ip),
            gateway: canonicalAddress(ipv6.gateway),
          },
          overlaps: null,
          given: null,
        },
      ];
    const lease = leases[interfaceName];
    const given = addressOfLease(ipv6, lease)?.value ?? null;
    const isEnd = (end: string): boolean => given !== null && isSameAddress(end, addressOf(given));
    const overlaps =
      given === null
        ? undefined
        : [
            ...[...lans, ...closed, ...taken].filter((lan) => networksOverlap(given, lan)),
            ...ends.filter(isEnd).map((end) => `${end}/128`),
          ][0];
    const ip = overlaps === undefined ? given : null;
    if (ip !== null) taken.push(ip);
    return [
      {
        line: { slot, interfaceName, ip, gateway: lease?.gateway ?? null },
        overlaps: overlaps === undefined ? null : networkOf(overlaps),
        given,
      },
    ];
  });
};

/** Lines with an address of IPv6, beside those of IPv4 with the same slots. */
export const ipv6Lines = (lines: Lines, leases: Leases, own: Own): EffectiveLine[] =>
  checkLines(lines, leases, own)
    .map(({ line }) => line)
    .filter(({ ip }) => ip !== null);

/** Addresses that a provider gives and that are not its to give, by interface. */
export const ipv6Claims = (
  lines: Lines,
  leases: Leases,
  own: Own,
): ReadonlyMap<string, { readonly address: string; readonly network: string }> =>
  new Map(
    checkLines(lines, leases, own).flatMap(({ line, overlaps, given }) =>
      overlaps === null || given === null
        ? []
        : [[line.interfaceName, { address: given, network: overlaps }]],
    ),
  );

/** How long an address of a lease lasts, as `ip address` takes it; of any other for good. */
export const lifetimeArgs = (held: Held | undefined, now: number): string[] => {
  if (held === undefined) return [];
  const seconds = (end: number | null): string =>
    end === null ? "forever" : `${Math.max(0, Math.ceil(end - now))}`;
  return ["valid_lft", seconds(held.validUntil), "preferred_lft", seconds(held.preferredUntil)];
};

interface Seen {
  readonly interfaces: readonly IpLink[];
  /** Ms since 1970. */
  readonly now: number;
  /** Seconds since the machine booted. */
  readonly uptime: number;
}

/** Lines that are to have IPv6, with the address that is on their interface and that no other host there has. */
export const ipv6Reports = (
  lines: Lines,
  effective: readonly EffectiveLine[],
  leases: Leases,
  { interfaces, now, uptime }: Seen,
): Ipv6LineReport[] =>
  lines.flatMap(({ interfaceName, ipv6 }) => {
    if (ipv6 === undefined) return [];
    const line = effective.find((effectiveLine) => effectiveLine.interfaceName === interfaceName);
    const [address = ""] = (line?.ip ?? "").split("/");
    const there = interfaces
      .find(({ ifname }) => ifname === interfaceName)
      ?.addr_info?.find(({ local }) => local === address);
    const isUsed = there !== undefined && there.dadfailed !== true;
    const lease = leases[interfaceName];
    const held = isUsed && ipv6.mode !== "static" ? addressOfLease(ipv6, lease) : null;
    const prefix = ipv6.mode === "delegated" ? (lease?.prefix ?? null) : null;
    const until = (end: number | null | undefined): number | null =>
      end == null ? null : Math.round((now / 1_000 + end - uptime) / 60) * 60_000;
    return [
      {
        interfaceName,
        address: isUsed ? (line?.ip ?? null) : null,
        gateway: line?.gateway ?? null,
        validUntil: until(held?.validUntil),
        prefix: prefix?.value ?? null,
        prefixUntil: until(prefix?.validUntil),
      },
    ];
  });
