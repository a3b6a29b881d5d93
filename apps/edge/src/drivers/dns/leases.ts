/** Leases as dnsmasq(8) keeps them: "<until, s> <MAC> <address> <name or *> <client id>". Pure. */
import type { DhcpRange } from "@weft/contract/device/v1/dns.ts";
import { type HostLease, hostLease, maxLeases } from "@weft/contract/device/v1/leases.ts";
import { parseAddress } from "@weft/contract/rules/address.ts";

/** Lines of the file that may be leases. */
export const linesOf = (text: string) =>
  text.split("\n").map((line) => {
    const [until = "", mac = "", address = "", name = ""] = line.split(" ");
    return { address, mac: mac.toLowerCase(), name, until: Number(until) * 1_000 };
  });

/**
 * Those that hold. A host chooses its name itself: one that is no host name is left out, as is a line that is no
 * lease. Of very many those that end last are kept.
 * @param now ms since 1970
 */
export const parseLeases = (text: string, now: number): { items: HostLease[]; total: number } => {
  const all = linesOf(text).flatMap(({ name, ...lease }): HostLease[] => {
    const named = hostLease.safeParse({ ...lease, name });
    const read = named.success ? named : hostLease.safeParse({ ...lease, name: null });
    return read.success && read.data.until > now ? [read.data] : [];
  });
  const items = all
    .toSorted((a, b) => b.until - a.until)
    .slice(0, maxLeases)
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  return { items, total: all.length };
};

/**
 * What of the file is of one of these ranges, or of an address that is reserved: dnsmasq does not start with more leases than
 * there are addresses.
 */
export const leasesOf = (
  text: string,
  ranges: readonly Pick<DhcpRange, "first" | "last">[],
  reserved: readonly string[] = [],
): string => {
  const kept = new Set(reserved);
  const spans = ranges.map(({ first, last }) =>
    [first, last].map((end) => parseAddress(end)?.address ?? 0n),
  );
  const isWithin = (line: string): boolean => {
    const [, , address = ""] = line.split(" ");
    const parsed = parseAddress(address);
    return (
      kept.has(address) ||
      spans.some(
        ([first = 0n, last = 0n]) =>
          parsed?.family === 4 && parsed.address >= first && parsed.address <= last,
      )
    );
  };
  return text
    .split("\n")
    .flatMap((line) => (isWithin(line) ? [`${line}\n`] : []))
    .join("");
};
