/** Lines of FRR's configuration, and those that several parts of it are made of. Pure. */
import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import type { ObjectName } from "#drivers/refusals.ts";

export interface ConfigLine {
  /** Headers of the blocks around it, outermost first. */
  readonly path: readonly string[];
  readonly line: string;
  /** Objects of the state that are left out where FRR refuses the line; absent: the state cannot do without it. */
  readonly about?: readonly ObjectName[];
}

/** Lines of these objects, but those that are of others already. */
export const linesOf = (
  about: ObjectName | readonly ObjectName[],
  lines: readonly ConfigLine[],
): ConfigLine[] => {
  const all = [about].flat();
  return lines.map((line) => (line.about || all.length === 0 ? line : { ...line, about: all }));
};

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
 * @param nameOf the object that an entry is; absent: the list is of one
 */
export const prefixLists = (
  name: string,
  prefixes: readonly string[],
  nameOf?: (prefix: string) => ObjectName,
): ConfigLine[] => {
  const used = new Set<number>();
  return [...new Set(prefixes.map(networkOf))].sort().map((prefix) => {
    let seq = (hash(prefix) % 4_000_000_000) + 1;
    while (used.has(seq)) seq += 1;
    used.add(seq);
    const keyword = familyOf(prefix) === 4 ? "ip" : "ipv6";
    const entry = top(`${keyword} prefix-list ${name} seq ${seq} permit ${prefix}`);
    return nameOf ? { ...entry, about: [nameOf(prefix)] } : entry;
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
