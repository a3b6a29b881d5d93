/** Interfaces of VLANs (IEEE 802.1Q): which of a state a device can have, and which it has to make or to remove. Pure. */
import {
  type UnderlaySection,
  type VlanInterface,
  vlanCapability,
} from "@weft/contract/device/v1/underlay.ts";
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
  if (isMissing(facts, cardOf(underlay, name))) return { reason: "noInterface", params: {} };
  const vlan = vlanOf(underlay, name);
  const why = vlan === undefined ? null : lack(facts, vlanCapability);
  return why === null ? null : { reason: "noVlan", params: { vlan: `${vlan?.tag}`, why } };
};

/** VLANs that a WAN link or LAN section is on; absent: none. */
export const usedVlans = ({ vlans = [], lines, lans }: UnderlaySection): Vlans => {
  const names = new Set([...lines, ...lans].map(({ interfaceName }) => interfaceName));
  const used = vlans.filter(({ interfaceName }) => names.has(interfaceName));
  return used.length === 0 ? {} : { vlans: used };
};

export interface FoundVlans {
  /** Interfaces of VLANs, whoever made them. */
  readonly there: readonly VlanInterface[];
  /** Names of those that this device made. */
  readonly own: readonly string[];
}

const isSame = (one: VlanInterface, other: VlanInterface): boolean =>
  one.interfaceName === other.interfaceName && one.parent === other.parent && one.tag === other.tag;

/**
 * What has to be made, and which of its own interfaces the device has to remove. One that somebody else made is used as it is
 * and stays; where one of that name is something else, the kernel refuses to make it.
 */
export const vlanChanges = (
  wanted: readonly VlanInterface[],
  { there, own }: FoundVlans,
): { readonly made: VlanInterface[]; readonly removed: string[] } => ({
  made: wanted.filter((vlan) => !there.some((found) => isSame(found, vlan))),
  removed: own.filter((name) => !wanted.some(({ interfaceName }) => interfaceName === name)),
});
