/** Interfaces of VLANs that a device is to make for its WAN links and LAN sections. Pure. */
import { type VlanInterface, vlanCapability } from "@weft/contract/device/v1/underlay.ts";
import { vlanInterfaceName, vlanOfName } from "@weft/contract/rules/vlan-interface.ts";
import type { PolicyContext } from "#domains/policies/policy-finding/public.ts";

interface Section {
  readonly interfaceName?: string;
  readonly vlan: number | null;
}

interface View {
  readonly node: { readonly sections: readonly Section[] };
  readonly capabilities?: PolicyContext["capabilities"];
}

interface Tagged {
  /** The section has a tag, and the card with it an interface of this name. */
  readonly vlanInterface?: VlanInterface;
}

const makesVlans = ({ capabilities }: View): boolean =>
  capabilities?.some(({ name, can }) => can && name === vlanCapability) ?? false;

/** The section as one of the interface of its VLAN; as it is without a tag. */
function onInterface<Of extends Section>(section: Of): Of & Tagged {
  const { interfaceName: parent, vlan } = section;
  const tag = vlan ?? 0;
  if (tag === 0 || parent === undefined) return section;
  const interfaceName = vlanInterfaceName(parent, tag);
  return { ...section, interfaceName, vlan: null, vlanInterface: { interfaceName, parent, tag } };
}

/**
 * The view with each LAN section of a VLAN on the interface that the device makes for it: addresses, rules, ranges and
 * routers are there as on any other interface. Unchanged for a device that makes none, whose sections keep their tags.
 */
export function withVlanInterfaces<Given extends View>(view: Given): Given {
  if (!makesVlans(view) || view.node.sections.every(({ vlan }) => (vlan ?? 0) === 0)) return view;
  return { ...view, node: { ...view.node, sections: view.node.sections.map(onInterface) } };
}

/**
 * Interfaces that the device makes: of the tags of LAN sections, and of names in the common form (`eth1.20`), which is how
 * a WAN link names a VLAN. In the order of their names.
 * @param view with the sections on their interfaces
 */
export function vlansOf(
  view: View & {
    readonly node: { readonly lines: readonly { readonly interfaceName?: string }[] };
  },
): VlanInterface[] {
  if (!makesVlans(view)) return [];
  const vlans = new Map<string, VlanInterface>();
  const { sections, lines } = view.node;
  for (const { interfaceName, vlanInterface } of sections as readonly (Section & Tagged)[]) {
    const named = interfaceName === undefined ? null : namedVlan(interfaceName);
    const vlan = vlanInterface ?? named;
    if (vlan !== null) vlans.set(vlan.interfaceName, vlan);
  }
  for (const { interfaceName } of lines) {
    const vlan = interfaceName === undefined ? null : namedVlan(interfaceName);
    if (vlan !== null && !vlans.has(vlan.interfaceName)) vlans.set(vlan.interfaceName, vlan);
  }
  return [...vlans.values()].sort((a, b) => (a.interfaceName < b.interfaceName ? -1 : 1));
}

/**
 * The card that carries what is on an interface: of a VLAN that the device makes its card, else itself.
 * @param view with the sections on their interfaces
 */
export function cardsOf(view: Parameters<typeof vlansOf>[0]): (interfaceName: string) => string {
  const cards = new Map(vlansOf(view).map(({ interfaceName, parent }) => [interfaceName, parent]));
  return (interfaceName) => cards.get(interfaceName) ?? interfaceName;
}

function namedVlan(interfaceName: string): VlanInterface | null {
  const vlan = vlanOfName(interfaceName);
  return vlan === null ? null : { interfaceName, ...vlan };
}
