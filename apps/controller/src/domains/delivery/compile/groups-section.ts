/** Closed user groups of a site, as its state has them. Pure. */
import type { GroupsSection } from "@weft/contract/device/v1/groups.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { takesSection } from "@weft/contract/device/v1/sections.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { GroupsView } from "#domains/overlay/cug/public.ts";
import { sorted } from "./site-prefixes.ts";

export interface GroupedView {
  readonly node: { readonly id: number };
  /** Absent or null: it is in no enabled group. */
  readonly groups?: GroupsView | null;
  /** As the device reported them; null: none did yet. */
  readonly capabilities?: readonly { readonly name: string; readonly can: boolean }[] | null;
}

/** Sites by the network that they bring into the space. */
function bringers({ networks }: GroupsView): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const { node, network } of networks) {
    const name = networkOf(network);
    found.set(name, (found.get(name) ?? new Set()).add(node));
  }
  return found;
}

/**
 * Null: the site is in no group, or its device reported that it cannot keep groups apart, as a finding says. A network
 * that a site without a common group brings as well is reached by no group: what is sent there could go to that site.
 */
export function groupsSectionOf(view: GroupedView): GroupsSection | null {
  const { node, groups: groupsView = null, capabilities } = view;
  if (!groupsView?.takesPart || !takesSection("groups", capabilities)) return null;
  const sent = groupsView.groups.slice(0, stateLimits.userGroups);
  const reached = new Set(sent.flatMap(({ members }) => members));
  const open = [...bringers(groupsView)].filter(([, by]) =>
    [...by].every((one) => one === node.id || reached.has(one)),
  );
  return {
    rate: groupsView.rate,
    groups: sent.map(({ id, rate, members }) => ({
      id,
      rate,
      networks: sorted(
        open.flatMap(([network, by]) =>
          members.some((member) => by.has(member)) ? [network] : [],
        ),
      ),
    })),
  };
}
