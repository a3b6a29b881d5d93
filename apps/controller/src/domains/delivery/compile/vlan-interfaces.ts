/** Interfaces of VLANs that a device is to make for its WAN links and LAN sections. Pure. */
import { type VlanInterface, vlanCapability } from "@weft/contract/device/v1/underlay.ts";
import { acts } from "@weft/contract/effects.ts";
import { vlanInterfaceName, vlanOfName } from "@weft/contract/rules/vlan-interface.ts";
import type { PolicyContext } from "#domains/policies/policy-finding/public.ts";
import { mergedPolicyOf, type PolicySources } from "./node-policy.ts";

interface Section {
  readonly interfaceName?: string;
  readonly vlan: number | null;
}

interface View extends PolicySources {
  readonly node: {
    readonly sections: readonly Section[];
    readonly lines?: readonly { readonly interfaceName?: string }[];
  };
  readonly capabilities?: PolicyContext["capabilities"];
}

interface Tagged {
  /** The section has a tag, and the card with it an interface of this name. */
  readonly vlanInterface?: VlanInterface;
}

const makesVlans = ({ capabilities }: View): boolean =>
  capabilities?.some(({ name, can }) => can && name === vlanCapability) ?? false;

/** True where a version of a template, or the node, tags a card: most do not, and then nothing is merged. */
const hasTaggedCard = ({ policy = {}, template }: PolicySources): boolean =>
  [...(policy.routerInterface ?? []), ...(template?.content.router_interface ?? [])].some(
    ({ vlan }) => Number(vlan ?? 0) > 0,
  );

/**
 * Tags of cards, for the LAN sections on them that have none of their own; without those whose interface would be that of a
 * WAN link, or of the VLAN of another card with an alike name.
 */
function cardTagsOf(view: View): ReadonlyMap<string, number> {
  if (!hasTaggedCard(view) || !acts("routerInterface", view.capabilities ?? [])) return new Map();
  const { sections, lines = [] } = view.node;
  const taken = new Map<string, string | null>([
    ...lines.flatMap(({ interfaceName }) =>
      interfaceName === undefined ? [] : ([[interfaceName, null]] as const),
    ),
    ...sections.flatMap(({ interfaceName, vlan }) =>
      interfaceName === undefined || (vlan ?? 0) === 0
        ? []
        : ([[vlanInterfaceName(interfaceName, vlan ?? 0), interfaceName]] as const),
    ),
  ]);
  const cards = mergedPolicyOf(view).objects.get("routerInterface") ?? [];
  return new Map(
    cards.flatMap(({ values }) => {
      const [card, tag] = [String(values.netcard), Number(values.vlan ?? 0)];
      const owner = tag === 0 ? null : taken.get(vlanInterfaceName(card, tag));
      return tag > 0 && (owner === undefined || owner === card) ? [[card, tag] as const] : [];
    }),
  );
}

/** The section as one of the interface of its VLAN; as it is without a tag of its own or of its card. */
const onInterface =
  (cardTags: ReadonlyMap<string, number>) =>
  <Of extends Section>(section: Of): Of & Tagged => {
    const { interfaceName: parent, vlan } = section;
    if (parent === undefined) return section;
    const tag = (vlan ?? 0) === 0 ? (cardTags.get(parent) ?? 0) : (vlan ?? 0);
    if (tag === 0) return section;
    const interfaceName = vlanInterfaceName(parent, tag);
    return { ...section, interfaceName, vlan: null, vlanInterface: { interfaceName, parent, tag } };
  };

/**
 * The view with each LAN section of a VLAN on the interface that the device makes for it: addresses, rules, ranges and
 * routers are there as on any other interface. A section without a tag has that of its card, if policies give it one.
 * Unchanged for a device that makes none, whose sections keep their tags.
 */
export function withVlanInterfaces<Given extends View>(view: Given): Given {
  if (!makesVlans(view)) return view;
  const cardTags = cardTagsOf(view);
  const isTagged = ({ interfaceName = "", vlan }: Section): boolean =>
    (vlan ?? 0) !== 0 || cardTags.has(interfaceName);
  if (!view.node.sections.some(isTagged)) return view;
  return {
    ...view,
    node: { ...view.node, sections: view.node.sections.map(onInterface(cardTags)) },
  };
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
