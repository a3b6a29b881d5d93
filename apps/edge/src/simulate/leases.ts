/** Addresses that a simulated device gave hosts of its LANs: computers, phones, cameras, printers. Pure. */
import type { DhcpReservation, DnsSection } from "@weft/contract/device/v1/dns.ts";
import type { HostLease } from "@weft/contract/device/v1/leases.ts";
import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";
import { seededFraction, seedOf } from "./seeded.ts";

/** What hosts call themselves, and the first octets of their makers' addresses (IEEE MA-L). */
const kinds: readonly (readonly [name: string, maker: string])[] = [
  ["DESKTOP", "00:26:b9"],
  ["THINKPAD", "54:e1:ad"],
  ["PC-OFFICE", "18:31:bf"],
  ["MacBook-Pro", "3c:22:fb"],
  ["SEP", "80:5e:c0"],
  ["IPC", "44:19:b6"],
  ["BRN", "3c:2a:f4"],
  ["scanner", "00:07:4d"],
];

/** Hosts of one LAN at most, and how long dnsmasq lets them keep an address. */
const maxHosts = 14;
const leaseMs = 12 * 3_600_000;
const minuteMs = 60_000;

const octets = (value: number): string =>
  [16, 8, 0].map((by) => ((value >>> by) & 255).toString(16).padStart(2, "0")).join(":");

/** Ms since 1970, in whole minutes. A host renews its lease half way: it never has less than half of it. */
export const leaseEnd = (seed: number, at: number, now: number): number => {
  const half = leaseMs / 2;
  const offset = Math.floor(seededFraction(seed, at, 2) * half);
  return (
    Math.round((Math.floor((now - offset) / half) * half + offset + leaseMs) / minuteMs) * minuteMs
  );
};

const hostsOf = (
  seed: number,
  { first, last }: DnsSection["ranges"][number],
  now: number,
): HostLease[] => {
  const [low, high] = [first, last].map((text) => parseAddress(text)?.address ?? 0n) as [
    bigint,
    bigint,
  ];
  const room = Number(high - low) + 1;
  const rangeSeed = seedOf(`${seed} ${first}`);
  const count = Math.min(room, 5 + Math.floor(seededFraction(rangeSeed) * (maxHosts - 5)));
  // Spread over the range, each another address.
  const step = Math.max(1, Math.floor(room / count));
  return Array.from({ length: count }, (_, at) => {
    const card = Math.floor(seededFraction(rangeSeed, at, 1) * 2 ** 24);
    const [name, maker] = kinds[
      Math.floor(seededFraction(rangeSeed, at, 3) * kinds.length)
    ] as (typeof kinds)[number];
    return {
      address: formatAddress(4, low + BigInt(at * step)),
      mac: `${maker}:${octets(card)}`,
      name: `${name}-${octets(card).replaceAll(":", "").slice(-4).toUpperCase()}`,
      until: leaseEnd(rangeSeed, at, now),
    };
  });
};

/** What is kept for a host is the host's: it is on. */
const keptFor = (
  seed: number,
  { mac, address, name }: DhcpReservation,
  now: number,
): HostLease => ({ address, mac, name, until: leaseEnd(seedOf(`${seed} ${mac}`), 0, now) });

export const simulatedLeases = (
  seed: number,
  { ranges, reservations = [] }: Pick<DnsSection, "ranges" | "reservations">,
  now: number,
): { readonly items: HostLease[]; readonly total: number } => {
  const taken = new Set(reservations.map(({ address }) => address));
  const items = [
    ...reservations.map((reservation) => keptFor(seed, reservation, now)),
    ...ranges
      .flatMap((range) => hostsOf(seed, range, now))
      .filter((host) => !taken.has(host.address)),
  ];
  return { items, total: items.length };
};
