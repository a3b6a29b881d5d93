/** Interfaces of VLANs (IEEE 802.1Q): which of a state a device can have, and which it has to make or to remove. Pure. */
import {
  type UnderlaySection,
  type VlanInterface,
  vlanCapability,
} from "@weft/contract/device/v1/underlay.ts";
import { isOwnInterface } from "@weft/contract/rules/text.ts";
import { isMissing, lack, type MachineFacts, type Reason } from "#drivers/machine-facts.ts";

type Vlans = Pick<UnderlaySection, "vlans">;

const vlanOf = ({ vlans = [] }: Vlans, name: string): VlanInterface | undefined =>
  vlans.find(({ interfaceName }) => interfaceName === name);

/** The card that carries what is on an interface: of a VLAN its card, else itself. */
export const cardOf = (underlay: Vlans, name: string): string =>
  vlanOf(underlay, name)?.parent ?? name;

/** Why the device neither has the interface nor makes it; null: it does. */
export const interfaceObstacle = (
  facts: MachineFacts,
  underlay: Vlans,
  name: string,
): Reason | null => {
  const card = cardOf(underlay, name);
  if (isOwnInterface(card)) return { reason: "ownInterface", params: {} };
  // Also where its card is not: a container has the VLAN, and its host the card.
  if (facts.interfaces?.has(name)) return null;
  if (isMissing(facts, card)) return { reason: "noInterface", params: {} };
  const vlan = vlanOf(underlay, name);
  const why = vlan === undefined ? null : lack(facts, vlanCapability);
  return why === null ? null : { reason: "noVlan", params: { vlan: `${vlan?.tag}`, why } };
};

/** VLANs of cards of the device that a WAN link or LAN section is on; absent: none. */
export const usedVlans = (
  { vlans = [], lines, lans }: UnderlaySection,
  facts: MachineFacts,
): Vlans => {
  const names = new Set([...lines, ...lans].map(({ interfaceName }) => interfaceName));
  const used = vlans.filter(
    ({ interfaceName, parent }) => names.has(interfaceName) && !isMissing(facts, parent),
  );
  return used.length === 0 ? {} : { vlans: used };
};

/** @param parent null: the card is in another namespace */
type FoundVlan = Omit<VlanInterface, "parent"> & { readonly parent: string | null };

export interface FoundVlans {
  /** Interfaces of VLANs, whoever made them. */
  readonly there: readonly FoundVlan[];
  /** Names of those that this device made. */
  readonly own: readonly string[];
}

const isSame = (found: FoundVlan, wanted: VlanInterface): boolean =>
  found.interfaceName === wanted.interfaceName &&
  (found.parent === null || found.parent === wanted.parent) &&
  found.tag === wanted.tag;

export interface VlanChanges {
  /** Own interfaces that go before others are made: the kernel has one interface of a name, and one of a card's VLAN. */
  readonly replaced: readonly string[];
  readonly made: readonly VlanInterface[];
  /** Own interfaces that nothing is on any more. */
  readonly removed: readonly string[];
}

/**
 * What has to be made, and which of its own interfaces the device has to remove. One that somebody else made is used as it is
 * and stays. Where one of that name is something else, a WAN link is on it all the same, as its operator named the interface
 * itself; a LAN section would be in another network, and the kernel refuses to make its interface.
 *
 * An interface of a VLAN stays with its card when that is renamed. While the device has no other card of the former name, what
 * is on it stays; where it has one, the interface is made anew on that one.
 * @param used interfaces of WAN links that the device has, and of LANs
 */
export const vlanChanges = (
  wanted: readonly VlanInterface[],
  { there, own }: FoundVlans,
  used: { readonly lines: readonly string[]; readonly lans: readonly string[] },
): VlanChanges => {
  const made = wanted.filter(
    (vlan) =>
      !there.some((found) => isSame(found, vlan)) &&
      (own.includes(vlan.interfaceName) || !used.lines.includes(vlan.interfaceName)),
  );
  const unused = own.filter(
    (name) =>
      ![...used.lines, ...used.lans].includes(name) &&
      !wanted.some(({ interfaceName }) => interfaceName === name),
  );
  const isInTheWay = ({ interfaceName, parent, tag }: FoundVlan): boolean =>
    made.some(
      (vlan) =>
        vlan.interfaceName === interfaceName ||
        (unused.includes(interfaceName) && vlan.parent === parent && vlan.tag === tag),
    );
  const replaced = there.flatMap((found) =>
    own.includes(found.interfaceName) && isInTheWay(found) ? [found.interfaceName] : [],
  );
  return { replaced, made, removed: unused.filter((name) => !replaced.includes(name)) };
};
