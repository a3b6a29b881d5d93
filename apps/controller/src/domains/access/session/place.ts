import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";

const keptBits = { 4: { place: 32n, network: 24n }, 6: { place: 64n, network: 48n } } as const;

/** Where a call comes from, as far as tries are counted. */
export interface Place {
  /** An IPv4 address, or the /64 of an IPv6 address: one customer has all of it. */
  readonly place: string;
  /** The /24 or /48 around it: more than one outsider usually has. */
  readonly network: string;
}

/** @param address as the connection has it: with a zone, or IPv4 in IPv6, on sockets of both families. */
export function placeOf(address: string): Place {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  const parsed = parseAddress(plain);
  if (!parsed) return { place: plain, network: plain };
  const { family } = parsed;
  const bits = family === 4 ? 32n : 128n;
  const firstOf = (kept: bigint): string => {
    const open = bits - kept;
    return formatAddress(family, (parsed.address >> open) << open);
  };
  const { place, network } = keptBits[family];
  return { place: firstOf(place), network: firstOf(network) };
}
