/** Ranges of addresses that have none left for a further host. */
import type { DhcpRange } from "@weft/contract/device/v1/dns.ts";
import { addressOf, parseAddress } from "@weft/contract/rules/address.ts";
import { linesOf } from "./leases.ts";

export type ExhaustedRange = Pick<DhcpRange, "interfaceName" | "first" | "last">;

const numberOf = (address: string): bigint => parseAddress(address)?.address ?? -1n;

/** Addresses of class C networks that dnsmasq gives to no host, because some systems of old take them for ends of the network. */
const isSpared = (address: bigint): boolean =>
  address >> 29n === 0b110n && [0n, 255n].includes(address & 255n);

/** How many spared addresses are in a span: those that end in 0 and in 255. No network is in several classes. */
const sparedIn = (first: bigint, last: bigint): bigint =>
  isSpared((first >> 8n) << 8n)
    ? (last >> 8n) - ((first - 1n) >> 8n) + ((last + 1n) >> 8n) - (first >> 8n)
    : 0n;

export interface RangeUse {
  readonly range: DhcpRange;
  /** Addresses that hosts without a reservation can get. */
  readonly size: number;
  /** Those of them that hosts have. */
  readonly used: number;
}

/**
 * How much of each range hosts have.
 * @param text the file of leases
 * @param reserved addresses that single hosts get
 * @param now ms since 1970
 */
export function useOf(
  text: string,
  ranges: readonly DhcpRange[],
  reserved: readonly string[],
  now: number,
): RangeUse[] {
  const kept = new Set(reserved.map(numberOf));
  const held = linesOf(text)
    .filter(({ until }) => until > now)
    .map(({ address }) => numberOf(address));
  return ranges.map((range) => {
    const [first, last] = [numberOf(range.first), numberOf(range.last)];
    const isIn = (address: bigint): boolean => address >= first && address <= last;
    const deviceAddress = numberOf(addressOf(range.address));
    const others = [...new Set([...kept, deviceAddress])].filter(
      (address) => isIn(address) && !isSpared(address),
    );
    return {
      range,
      size: Number(last - first + 1n - sparedIn(first, last)) - others.length,
      used: held.filter((address) => isIn(address) && !kept.has(address)).length,
    };
  });
}

/** Interfaces whose hosts were refused an address, as dnsmasq(8) writes it. */
const refusedIn = (text: string): string[] =>
  [...text.matchAll(/\bDHCP[A-Z]+\(([^)\s]+)\) .*\bno address available/g)].flatMap(
    ([, name]) => name ?? [],
  );

/** A range that was changed has room again, as far as is known. */
const keyOf = ({ interfaceName, first, last }: ExhaustedRange): string =>
  `${interfaceName} ${first} ${last}`;

/** A host that was refused asks again within two minutes (RFC 2131 section 4.1: 64 s and more). */
const keptMs = 300_000;

/**
 * A range is exhausted while hosts have all of it, and from a host that was refused on, since addresses may be taken by
 * hosts that did not ask for theirs: until the range has more left than then, or no host is refused for five minutes.
 */
export class Exhaustion {
  readonly #refused = new Map<string, { readonly at: number; readonly used: number }>();

  /** @param printed what dnsmasq printed since the last call */
  note(printed: string, uses: readonly RangeUse[], now: number): void {
    const names = new Set(refusedIn(printed));
    for (const { range, used } of uses)
      if (names.has(range.interfaceName)) this.#refused.set(keyOf(range), { at: now, used });
  }

  exhausted(uses: readonly RangeUse[], now: number): ExhaustedRange[] {
    return uses
      .filter(({ range, size, used }) => {
        const refused = this.#refused.get(keyOf(range));
        const isRefusing =
          refused !== undefined && now - refused.at < keptMs && used >= refused.used;
        // One whose addresses are all reserved has none to give, and is not meant to.
        return isRefusing || (size > 0 && used >= size);
      })
      .map(({ range: { interfaceName, first, last } }) => ({ interfaceName, first, last }));
  }
}
