/** Which addresses a test may go to: never the device itself, its neighbours on the wire, or many at once. */
import { lookup } from "node:dns/promises";
import { overlaps, type Prefix, parseAddress } from "@weft/contract/rules/address.ts";

const prefix = (family: 4 | 6, text: string, length: number): Prefix => ({
  family,
  address: parseAddress(text)?.address ?? 0n,
  length,
});

/** This host, loopback, link-local (where clouds keep their secrets) and multicast. */
const refused: readonly Prefix[] = [
  prefix(4, "0.0.0.0", 8),
  prefix(4, "127.0.0.0", 8),
  prefix(4, "169.254.0.0", 16),
  prefix(4, "224.0.0.0", 3),
  prefix(6, "::", 128),
  prefix(6, "::1", 128),
  prefix(6, "::ffff:0:0", 96),
  prefix(6, "fe80::", 10),
  prefix(6, "ff00::", 8),
];

export const isRefused = (address: string): boolean => {
  const parsed = parseAddress(address);
  if (!parsed) return true;
  const own: Prefix = { ...parsed, length: parsed.family === 4 ? 32 : 128 };
  return refused.some((one) => overlaps(one, own));
};

/** A command that this device will not carry out. */
export class Unwilling extends Error {}

/**
 * The address behind a name, which is then used instead of it: a name may say something else a
 * moment later.
 * @throws Unwilling for an address that no test may go to; the resolver's error for no address
 */
export async function resolveTarget(
  host: string,
): Promise<{ readonly address: string; readonly family: 4 | 6 }> {
  const literal = parseAddress(host);
  const found = literal
    ? { address: host, family: literal.family }
    : ((await lookup(host)) as { address: string; family: 4 | 6 });
  if (isRefused(found.address)) throw new Unwilling(`${found.address} is not to be tested`);
  return found;
}
