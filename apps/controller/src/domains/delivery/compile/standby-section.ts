/** Hot standby of a site's two devices, as the state of one of them has it. Pure. */
import { takesSection } from "@weft/contract/device/v1/sections.ts";
import type { StandbySection } from "@weft/contract/device/v1/standby.ts";
import type { StandbyRole } from "@weft/contract/domains/devices/enums.ts";
import type { PolicyView } from "./policy-section.ts";

/** A node's place in its group. */
export interface ViewStandby {
  readonly group: number;
  readonly role: StandbyRole;
  readonly priority: number;
  /** Whether the other device can stand for it; null: it never reported, or there is none. */
  readonly partnerCan: boolean | null;
  /** Name of the LAN line that names the group; absent or null: the CPE's own settings do. */
  readonly line?: string | null;
  /** Name of the other device, or of the first of two others; absent or null: there is none. */
  readonly partner?: string | null;
  /** Two others are the group: it has no part in it. Absent: no. */
  readonly isBeyond?: boolean;
}

interface Section {
  readonly interfaceName: string;
  readonly network: string;
  readonly network6: string | null;
  readonly vlan: number | null;
  readonly ownAddress?: string | null;
}

interface StandbyView {
  readonly node: { readonly sections: readonly Section[] };
  readonly standby?: ViewStandby;
  /** LANs whose gateway is another device's, which it does not stand for; absent: none. */
  readonly rivals?: readonly string[];
  readonly capabilities?: PolicyView["capabilities"];
}

const ownOf = ({ network, ownAddress }: Section): string =>
  `${ownAddress}/${network.split("/")[1]}`;

/** Sections that the two devices share. One that is tagged still is of a device that makes no interfaces of VLANs. */
const sharedOf = ({ node, standby }: StandbyView): Section[] =>
  standby && standby.isBeyond !== true
    ? node.sections.filter(({ ownAddress, vlan }) => ownAddress != null && (vlan ?? 0) === 0)
    : [];

/** Both speak VRRP. One alone would take the gateways from a device that has them all the time. */
const agrees = ({ standby, capabilities }: StandbyView): boolean =>
  standby?.partnerCan !== false && takesSection("standby", capabilities);

const compareText = (text: string, other: string): number =>
  text < other ? -1 : text > other ? 1 : 0;

/** Null: the device is alone, or cannot do it, or the other one cannot. */
export function standbySectionOf(view: StandbyView): StandbySection | null {
  const { standby } = view;
  const shared = sharedOf(view);
  if (!standby || shared.length === 0 || !agrees(view)) return null;
  // Several sections of one interface move with the first of them.
  const byInterface = Map.groupBy(
    shared.toSorted((a, b) => compareText(a.network, b.network)),
    ({ interfaceName }) => interfaceName,
  );
  const lans = [...byInterface].map(([interfaceName, sections]) => ({
    interfaceName,
    own: ownOf(sections[0] as Section),
    gateways: sections.flatMap(({ network, network6 }) => [
      network,
      ...(network6 ? [network6] : []),
    ]),
  }));
  return {
    group: standby.group,
    role: standby.role,
    priority: standby.priority,
    lans: lans.sort((a, b) => compareText(a.interfaceName, b.interfaceName)),
  };
}

/**
 * Addresses of a section that are the device's own all the time. Where the two devices share it and VRRP cannot decide,
 * the one whose role is active has the gateway: never both. So it is where they share it and no longer stand for each other.
 */
export const addressesOf = (view: StandbyView): ((section: Section) => string[]) => {
  const shared = new Set(sharedOf(view));
  const rivals = new Set(view.rivals);
  const isFixed = !agrees(view) && view.standby?.role === "active";
  return (section) => {
    const { network, network6, ownAddress } = section;
    if (!shared.has(section) && ownAddress != null && rivals.has(network)) return [ownOf(section)];
    if (!shared.has(section) || isFixed) return [network, ...(network6 ? [network6] : [])];
    return [ownOf(section)];
  };
};
