/** What is set of the network cards of a device: which are off, and their MTU. Pure. */

import type { LanInterface } from "@weft/contract/device/v1/lan-interfaces.ts";
import type { UnderlaySection, VlanInterface } from "@weft/contract/device/v1/underlay.ts";

type Card = NonNullable<UnderlaySection["cards"]>[number];

/** Below it an interface has no IPv6 (RFC 8200 section 5): the kernel takes all of it away. */
export const minIpv6Mtu = 1_280;

export const carriesNoIpv6 = ({ mtu }: Pick<Card, "mtu">): boolean =>
  mtu !== null && mtu < minIpv6Mtu;

export const offCards = (cards: readonly Card[]): string[] =>
  cards.flatMap(({ interfaceName, off }) => (off ? [interfaceName] : []));

/** Interfaces without settings of IPv6: an interface of a VLAN has no larger MTU than its card. */
export const withoutIpv6 = (
  cards: readonly Card[],
  vlans: readonly VlanInterface[] = [],
): string[] => {
  const small = cards.filter(carriesNoIpv6).map(({ interfaceName }) => interfaceName);
  const carried = vlans.filter(({ parent }) => small.includes(parent));
  return [...small, ...carried.map(({ interfaceName }) => interfaceName)];
};

/** Whether the interface is to have an address of IPv6. */
export const usesIpv6 = (
  { lines, lans }: Pick<UnderlaySection, "lines"> & { readonly lans: readonly LanInterface[] },
  name: string,
): boolean =>
  [
    ...lines.flatMap(({ interfaceName, ip }) => (interfaceName === name && ip ? [ip] : [])),
    ...lines.flatMap(({ interfaceName, ipv6 }) =>
      interfaceName !== name || ipv6 === undefined ? [] : ["::"],
    ),
    ...lans.flatMap(({ interfaceName, addresses, ipv6 }) =>
      interfaceName !== name ? [] : [...addresses, ipv6 === undefined ? "" : "::"],
    ),
  ].some((address) => address.includes(":"));

export interface MtuChange {
  readonly interfaceName: string;
  readonly mtu: number;
  /** What it had before the first change; null: it has that again, and nothing is remembered. */
  readonly before: number | null;
}

/**
 * @param found MTU of each interface
 * @param before MTU that cards had before theirs was first set
 */
export const mtuChanges = (
  cards: readonly Card[],
  found: Readonly<Record<string, { readonly mtu: number }>>,
  before: Readonly<Record<string, number>>,
): MtuChange[] => {
  const wanted = cards.flatMap(({ interfaceName, mtu }) => {
    const there = found[interfaceName];
    return mtu === null || there === undefined || there.mtu === mtu
      ? []
      : [{ interfaceName, mtu, before: before[interfaceName] ?? there.mtu }];
  });
  const kept = new Set(cards.flatMap((card) => (card.mtu === null ? [] : [card.interfaceName])));
  const restored = Object.entries(before)
    .filter(([name]) => !kept.has(name) && found[name] !== undefined)
    .map(([interfaceName, mtu]) => ({ interfaceName, mtu, before: null }));
  return [...wanted, ...restored];
};

/**
 * MTU of the interfaces of VLANs that the device made, which have that of their card: the kernel makes them smaller with it, and
 * larger again never.
 * @param ofCards changes of the cards, which come before
 */
export const vlanMtuChanges = (
  vlans: readonly VlanInterface[],
  ofCards: readonly MtuChange[],
  found: Readonly<Record<string, { readonly mtu: number }>>,
): MtuChange[] =>
  vlans.flatMap(({ interfaceName, parent }) => {
    const card = found[parent]?.mtu;
    const mtu = ofCards.find((change) => change.interfaceName === parent)?.mtu ?? card;
    // One that is made now begins with what its card has.
    const now = found[interfaceName]?.mtu ?? card;
    return mtu === undefined || mtu === now ? [] : [{ interfaceName, mtu, before: null }];
  });
