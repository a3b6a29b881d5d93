/** Networks of delegated prefixes for LANs. Pure. */

import type { LanInterface } from "@weft/contract/device/v1/lan-interfaces.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import {
  formatAddress,
  isNetworkWithin,
  networksOverlap,
  parseAddress,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import type { Held } from "./ipv6-report.ts";
import type { Ipv6Leases } from "./ipv6-state.ts";
import type { Own, OwnRule } from "./render.ts";
import { priority } from "./render.ts";

type Lines = UnderlaySection["lines"];
type Lans = readonly LanInterface[];

/** Hosts have addresses of networks of this length (RFC 4862). */
const lanLength = 64;

export interface Delegated {
  readonly slot: number;
  readonly interfaceName: string;
  readonly prefix: Held;
  /** Networks of it that the line itself is in (RFC 6603): no LAN has them. */
  readonly kept: readonly string[];
}

/** A prefix that is not divided, for what it overlaps. */
export interface PrefixClaim {
  readonly interfaceName: string;
  readonly prefix: string;
  readonly network: string;
}

export interface DelegatedLan {
  readonly interfaceName: string;
  /** The device's own, the first of the network. */
  readonly address: Held;
}

export interface Undelegated {
  readonly interfaceName: string;
  readonly reason: "noPrefix" | "prefixTooSmall";
  readonly params: Readonly<Record<string, string>>;
}

/** Networks that a line is in, its own or those that its provider gives it. */
const networksOf = ({ interfaceName, ipv6 }: Lines[number], leases: Ipv6Leases): string[] => {
  if (ipv6 === undefined) return [];
  if (ipv6.mode === "static") return [ipv6.ip];
  const address = leases[interfaceName]?.address?.value;
  return address === undefined ? [] : [address];
};

/**
 * Prefixes of lines. One that overlaps a LAN, the space, an earlier one or a network of another line, or has an address that
 * tunnels or the device itself call, is nobody's: its LANs, and its rule about sources, would take what is not of the provider.
 */
const examined = (
  lines: Lines,
  leases: Ipv6Leases,
  { lans, closed, ends = [], controllers = [] }: Own,
): (Delegated | PrefixClaim)[] => {
  const called = [...ends, ...controllers].filter((text) => parseAddress(text)?.family === 6);
  const taken = [...lans, ...closed, ...called.map((address) => `${address}/128`)];
  return lines.flatMap((line): (Delegated | PrefixClaim)[] => {
    const { slot, interfaceName, ipv6 } = line;
    const prefix = leases[interfaceName]?.prefix ?? null;
    if (ipv6?.mode !== "delegated" || prefix === null) return [];
    const others = lines.filter((one) => one !== line).flatMap((line) => networksOf(line, leases));
    const clash = [...taken, ...others].find((network) => networksOverlap(network, prefix.value));
    if (clash !== undefined) return [{ interfaceName, prefix: prefix.value, network: clash }];
    taken.push(prefix.value);
    const kept = networksOf(line, leases).filter((own) => isNetworkWithin(prefix.value, own));
    return [{ slot, interfaceName, prefix, kept }];
  });
};

export const delegatedPrefixes = (lines: Lines, leases: Ipv6Leases, own: Own): Delegated[] =>
  examined(lines, leases, own).filter((one) => "slot" in one);

export const prefixClaims = (lines: Lines, leases: Ipv6Leases, own: Own): PrefixClaim[] =>
  examined(lines, leases, own).filter((one) => "network" in one);

const networkAt = (prefix: string, subnet: number): string | null => {
  const own = parsePrefix(prefix);
  if (own === null || subnet >= 2 ** (lanLength - own.length)) return null;
  const network = own.address + (BigInt(subnet) << BigInt(128 - lanLength));
  return `${formatAddress(6, network + 1n)}/${lanLength}`;
};

/** Those that a LAN names itself; others get the lowest that are left, in the order of the LANs. */
const subnetsOf = (lans: Lans, { slot, prefix, kept }: Delegated): ReadonlyMap<string, number> => {
  const isKept = (subnet: number): boolean => {
    const network = networkAt(prefix.value, subnet);
    return network !== null && kept.some((own) => networksOverlap(own, network));
  };
  const mine = lans.filter(({ ipv6 }) => ipv6?.slot === slot);
  const named = mine.flatMap(({ interfaceName, ipv6 }): [string, number][] =>
    ipv6 == null || ipv6.subnet === null ? [] : [[interfaceName, ipv6.subnet]],
  );
  const used = new Set(named.map(([, subnet]) => subnet));
  const found = new Map(named);
  for (const { interfaceName } of mine) {
    if (found.has(interfaceName)) continue;
    let subnet = 0;
    while (used.has(subnet) || isKept(subnet)) subnet += 1;
    used.add(subnet);
    found.set(interfaceName, subnet);
  }
  return found;
};

export const divide = (
  lans: Lans,
  prefixes: readonly Delegated[],
): { readonly lans: readonly DelegatedLan[]; readonly without: readonly Undelegated[] } => {
  const given: DelegatedLan[] = [];
  const without: Undelegated[] = [];
  const taken = new Set<string>();
  for (const { interfaceName, ipv6, vlan } of lans) {
    if (ipv6 === undefined || vlan !== 0) continue;
    const slot = `${ipv6.slot}`;
    const prefix = prefixes.find((prefix) => prefix.slot === ipv6.slot);
    if (prefix === undefined) {
      without.push({ interfaceName, reason: "noPrefix", params: { slot } });
      continue;
    }
    const subnet = subnetsOf(lans, prefix).get(interfaceName) ?? 0;
    const value = networkAt(prefix.prefix.value, subnet);
    const isKept = prefix.kept.some((own) => networksOverlap(own, value ?? ""));
    // Two LANs that name one network would be one.
    if (value === null || taken.has(value) || isKept) {
      const params = { slot, prefix: prefix.prefix.value };
      without.push({ interfaceName, reason: "prefixTooSmall", params });
      continue;
    }
    taken.add(value);
    given.push({ interfaceName, address: { ...prefix.prefix, value } });
  }
  return { lans: given, without };
};

/** The address of a line that gets a prefix and no address: the last network's, which is not the first to go to a LAN. */
export const ownOfPrefix = ({ value, ...times }: Held): Held => {
  const prefix = parsePrefix(value);
  const last = (1n << BigInt(128 - (prefix?.length ?? 128))) - 1n;
  const network = ((prefix?.address ?? 0n) | last) & ~0xffff_ffff_ffff_ffffn;
  return { ...times, value: `${formatAddress(6, network | 0xffffn)}/128` };
};

/** What hosts send with an address of a prefix leaves by the line that got it. */
export const prefixRules = ({ slot, prefix }: Delegated, table: number): OwnRule[] => [
  {
    family: 6,
    priority: priority.near + slot,
    text: `from ${prefix.value} lookup main suppress_prefixlength 0`,
  },
  { family: 6, priority: priority.from + slot, text: `from ${prefix.value} lookup ${table}` },
];
