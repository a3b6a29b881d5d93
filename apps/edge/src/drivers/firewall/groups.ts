/**
 * Closed user groups: what passes between the LANs of a member and the space, by whichever link, without state. A rule
 * that lets something through is needed for each network; all else is dropped. Pure.
 */
import { type GroupsSection, networksApart } from "@weft/contract/device/v1/groups.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { spansWithout } from "#drivers/prefixes.ts";
import { keyword } from "./address-sets.ts";
import { icmpErrors } from "./errors.ts";
import { anyLink, chain, dropOver } from "./nft.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

/** Groups of the device, and networks of the space that it shares none with. */
export interface GroupRules extends GroupsSection {
  readonly apart: readonly string[];
}

export const groupRulesOf = (state: DesiredState): GroupRules | undefined =>
  state.groups && { ...state.groups, apart: networksApart(state.groups.groups, state) };

export interface GroupParts {
  readonly sets: readonly NamedSet[];
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** In the chain of what is forwarded, before whatever lets packets through. */
  readonly forward: readonly string[];
}

const none: GroupParts = { sets: [], declared: [], chains: [], forward: [] };
const setName = (group: number | "all", family: 4 | 6): string => `s_group_${group}_${family}`;
/** Packets between sites without a common group. */
const counter = "h_group";

const rateChain = (group: number | "all"): string => `c_group_rate_${group}`;

/** Addresses that one of the networks is the longest around. @param others networks of the space beside them */
const groupSets = (
  group: number | "all",
  networks: readonly string[],
  others: readonly string[],
): NamedSet[] =>
  families.map((family) =>
    namedSet(
      setName(group, family),
      `type ipv${family}_addr; flags interval;`,
      spansWithout(networks, others, family),
    ),
  );

/** One chain for both families: they share the rate. */
const rates = ({ groups, rate }: GroupRules): readonly string[] => [
  ...groups.map((group) => chain(rateChain(group.id), [dropOver(group.rate)])),
  ...(rate === null ? [] : [chain(rateChain("all"), [dropOver(rate)])]),
];

const towards = ({ groups, rate }: GroupRules): string[] => [
  ...families.map(
    (family) => `${keyword(family)} daddr != @${setName("all", family)} goto c_group_apart`,
  ),
  ...groups.flatMap(({ id }) =>
    families.map(
      (family) => `${keyword(family)} daddr @${setName(id, family)} jump ${rateChain(id)}`,
    ),
  ),
  ...(rate === null ? [] : [`jump ${rateChain("all")}`]),
];

const from: readonly string[] = [
  // Errors about flows that were let through come from routers on the way.
  ...icmpErrors.map(([name, types]) => `ct state related ${name} type ${types} return`),
  ...families.map(
    (family) => `${keyword(family)} saddr != @${setName("all", family)} goto c_group_apart`,
  ),
];

/** What groups put into the table of a device; nothing where it is in none. */
export function groupParts(rules: GroupRules | undefined): GroupParts {
  if (!rules) return none;
  const { groups, apart } = rules;
  const all = groups.flatMap(({ networks }) => networks);
  const beside = (networks: readonly string[]): string[] => {
    const ofGroup = new Set(networks);
    return [...apart, ...all.filter((text) => !ofGroup.has(text))];
  };
  return {
    sets: [
      ...groupSets("all", all, apart),
      ...groups.flatMap(({ id, networks }) => groupSets(id, networks, beside(networks))),
    ],
    declared: [`counter ${counter} { }`],
    chains: [
      chain("c_group_apart", [`counter name "${counter}" drop`]),
      ...rates(rules),
      chain("c_group_to", towards(rules)),
      chain("c_group_from", from),
    ],
    forward: [`oifname ${anyLink} jump c_group_to`, `iifname ${anyLink} jump c_group_from`],
  };
}

/** What a kernel must take for them. */
export const groupSample = `
  counter b { }
  set a { type ipv6_addr; flags interval; elements = { 2001:db8::-2001:db8::ff } }
  chain c { counter name "b" drop; }
  chain d { limit rate over 1000 bytes/second burst 16000 bytes drop; }
  chain e {
    ct state related icmpv6 type packet-too-big return
    ip6 daddr != @a goto c
    ip6 daddr @a jump d
  }`;
