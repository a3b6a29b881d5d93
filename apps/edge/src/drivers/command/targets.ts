/** Which addresses a test may go to: never the device itself, its neighbours on the wire, or many at once. */
import { lookup } from "node:dns/promises";
import { overlaps, type Prefix, parseAddress } from "@weft/contract/rules/address.ts";

const prefix = (family: 4 | 6, text: string, length: number): Prefix => ({
  family,
  address: parseAddress(text)?.address ?? 0n,
  length,
});

/**
 * This host, loopback, link-local and other addresses where clouds keep their secrets, multicast, and
 * gateways of a network's own to IPv4 (RFC 8215), of which it is not known what they reach.
 */
const refused: readonly Prefix[] = [
  prefix(4, "0.0.0.0", 8),
  prefix(4, "127.0.0.0", 8),
  prefix(4, "169.254.0.0", 16),
  prefix(4, "224.0.0.0", 3),
  prefix(6, "::", 128),
  prefix(6, "::1", 128),
  prefix(6, "::ffff:0:0", 96),
  prefix(6, "fd00:ec2::254", 128),
  prefix(6, "64:ff9b:1::", 48),
  prefix(6, "fe80::", 10),
  prefix(6, "ff00::", 8),
];

/** Prefixes with an IPv4 address inside, and how many bits follow it: NAT64 (RFC 6052) and 6to4 (RFC 3056). */
const carrying = [
  { outer: prefix(6, "64:ff9b::", 96), below: 0n },
  { outer: prefix(6, "2002::", 16), below: 80n },
] as const;

const isOneOf = (list: readonly Prefix[], address: Prefix): boolean =>
  list.some((prefix) => overlaps(prefix, address));

export const isRefused = (address: string): boolean => {
  const parsed = parseAddress(address);
  if (!parsed) return true;
  if (parsed.family === 4) return isOneOf(refused, { ...parsed, length: 32 });
  const whole: Prefix = { ...parsed, length: 128 };
  return (
    isOneOf(refused, whole) ||
    carrying.some(
      ({ outer, below }) =>
        overlaps(outer, whole) &&
        isOneOf(refused, {
          family: 4,
          address: (parsed.address >> below) & 0xffff_ffffn,
          length: 32,
        }),
    )
  );
};

/** A command that this device will not carry out. */
export class RefusedError extends Error {}

/**
 * The address behind a name, which is then used instead of it: a name may say something else a
 * moment later.
 * @throws RefusedError for an address that no test may go to; the resolver's error for no address
 */
export async function resolveTarget(
  host: string,
): Promise<{ readonly address: string; readonly family: 4 | 6 }> {
  const literal = parseAddress(host);
  const resolved = literal
    ? { address: host, family: literal.family }
    : ((await lookup(host)) as { address: string; family: 4 | 6 });
  if (isRefused(resolved.address))
    throw new RefusedError(`${resolved.address} is not to be tested`);
  return resolved;
}
