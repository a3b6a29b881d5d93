/** DNS controls in the firewall: where connections to answers go, and what hosts ask other servers. Pure. */
import type { DnsControl } from "@weft/contract/device/v1/dns.ts";
import {
  filtersOf,
  type LanResolver,
  lanResolvers,
  type NameFilter,
} from "@weft/contract/device/v1/name-filters.ts";
import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { familyOf } from "#drivers/address.ts";
import { learnedNames } from "#drivers/exits.ts";
import { learnedSetText, otherAnswers } from "#drivers/learned-sets.ts";
import { chain, set } from "./nft.ts";

/** Policy objects, and what the section `dns` has the firewall do; absent: nothing. */
export type PolicyRules = PolicySection & {
  readonly controls?: readonly DnsControl[];
  /** Classes of hosts that are denied names. */
  readonly filters?: readonly NameFilter[];
  /** What hosts ask servers outside is answered by the device. */
  readonly answersAll?: boolean;
  readonly resolvers?: readonly LanResolver[];
};

export const policyRulesOf = (state: DesiredState): PolicyRules | undefined => {
  const { policy, dns, underlay } = state;
  const answersAll = dns?.controls !== undefined || learnedNames(state).length > 0;
  const filters = filtersOf(state);
  return !dns || (!answersAll && filters.length === 0)
    ? policy
    : {
        ...(policy ?? { sets: [], limits: [] }),
        ...(dns.controls && { controls: dns.controls }),
        filters,
        answersAll,
        resolvers: lanResolvers(underlay),
      };
};

/** Sets of the controls that lead connections; the resolver fills them. */
export const learnedSets = ({ controls = [] }: Partial<PolicyRules> = {}): string[] => {
  const leading = controls.filter(({ routes }) => routes);
  if (leading.length === 0) return [];
  return [otherAnswers, ...leading.map(({ id }) => id)].flatMap((id) =>
    ([4, 6] as const).map((family) => learnedSetText(id, family)),
  );
};

/** Hosts of a LAN that may leave by a WAN link: how their packets are matched, of one family or of both. */
export interface Leaving {
  readonly interfaceName: string;
  readonly match: string;
}

const plainDns = "meta l4proto { tcp, udp } th dport 53";

/**
 * Hosts that ask a server which a WAN link leads to are answered by the device: else its names would be under no control.
 * Who may not leave by a WAN link is answered nowhere else either.
 */
export const resolverChain = (
  { resolvers = [], answersAll = false }: Partial<PolicyRules> = {},
  wan: readonly string[],
  leaving: readonly Leaving[],
): string[] => {
  const rules = leaving.flatMap(({ interfaceName, match }) =>
    resolvers.flatMap((resolver) => {
      const family = familyOf(resolver.address);
      const isOther = match.includes(family === 4 ? "ip6 saddr" : "ip saddr");
      if (resolver.interfaceName !== interfaceName || isOther) return [];
      const to = `dnat ${family === 4 ? "ip" : "ip6"} to ${resolver.address}`;
      return `${match}meta nfproto ipv${family} ${plainDns} fib daddr oifname ${set(wan)} ${to}`;
    }),
  );
  if (!answersAll || rules.length === 0 || wan.length === 0) return [];
  const hook = "type nat hook prerouting priority dstnat - 2; policy accept;";
  return [chain("c_resolver", rules, hook)];
};

/** What was meant for a server outside is asked by the rules for what passes through: blocks, denials and the ACL. */
export const resolverInput = (lans: readonly string[]): string[] => [
  `iifname ${set(lans)} ct status dnat ${plainDns} jump c_evaluate`,
];
