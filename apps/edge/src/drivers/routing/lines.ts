/** Lines of FRR's configuration, and those that several parts of it are made of. Pure. */
import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";

export interface ConfigLine {
  /** Headers of the blocks around it, outermost first. */
  readonly path: readonly string[];
  readonly line: string;
}

export const under =
  (...path: string[]) =>
  (line: string): ConfigLine => ({ path, line });
export const top = under();

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return value;
};

/**
 * Entries of a list that permits exactly these prefixes. The number of an entry comes from its
 * prefix, so that adding or removing one leaves the others as they are.
 */
export const prefixLists = (name: string, prefixes: readonly string[]): ConfigLine[] => {
  const used = new Set<number>();
  return [...new Set(prefixes.map(networkOf))].sort().map((prefix) => {
    let seq = (hash(prefix) % 4_000_000_000) + 1;
    while (used.has(seq)) seq += 1;
    used.add(seq);
    const keyword = familyOf(prefix) === 4 ? "ip" : "ipv6";
    return top(`${keyword} prefix-list ${name} seq ${seq} permit ${prefix}`);
  });
};

export const wholes = [
  ["ip", "0.0.0.0/0"],
  ["ipv6", "::/0"],
] as const;
export const wholeList = "whole";
export const wholeLists: readonly ConfigLine[] = wholes.map(([keyword, prefix]) =>
  top(`${keyword} prefix-list ${wholeList} seq 5 permit ${prefix}`),
);

/** Block header of a space's BGP. */
export const bgpHeader = ({ asn, netns }: Pick<RoutingSection, "asn" | "netns">): string =>
  netns === null ? `router bgp ${asn}` : `router bgp ${asn} vrf ${netns}`;
