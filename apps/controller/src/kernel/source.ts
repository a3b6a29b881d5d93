import { parseAddress } from "@weft/contract/rules/address.ts";

/** An IPv4 address without its IPv6-mapped prefix; empty when the connection is closed. */
export const plainAddress = (address: string | undefined): string =>
  (address ?? "").replace(/^::ffff:(?=\d+\.)/, "");

export const isLoopback = (address: string | undefined): boolean =>
  /^(?:127(?:\.\d{1,3}){3}|::1)$/.test(plainAddress(address));

/** Who is behind an address, as limits count: one line has a /64 of IPv6, and all addresses in it. */
export function sourceOf(address: string | undefined): string {
  const plain = plainAddress(address);
  const parsed = parseAddress(plain.replace(/%.*$/, ""));
  if (parsed?.family !== 6 || isLoopback(plain)) return plain;
  return `${(parsed.address >> 64n).toString(16)}::/64`;
}
