/** Connection-number controls: how many flows a source may have, and begin per second. Pure. */
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import type { ConnectionLimit, PolicySection } from "@weft/contract/device/v1/policy.ts";
import { keyword, setName } from "./address-sets.ts";
import { chain, set } from "./nft.ts";
import { families } from "./sources.ts";

/**
 * Addresses of one limit that are counted at the same time; beyond them nothing is refused. In IPv6 as well by whole
 * addresses: the hosts of a LAN share its /64, and counted by that they would share one limit. A host that takes address after
 * address has the limit again with each, and may fill the set; to refuse what finds no room would let it refuse all others.
 */
const counted = 65_535;
/** ms that a source is remembered after its last new flow. */
const forgetAfter = "1m";

/**
 * Filled by the kernel itself: elements of these sets are none of the document's. An element keeps the number
 * that it was made with as long as its source has flows: the sets of another number are others.
 */
const flowsOf = ({ id, connections }: ConnectionLimit, family: 4 | 6): string =>
  `d_flows${family}_${id}_${connections}`;
const startedOf = ({ id, perSecond }: ConnectionLimit, family: 4 | 6): string =>
  `d_started${family}_${id}_${perSecond}`;

const tallies = (limit: ConnectionLimit): string[] =>
  families.flatMap((family) => {
    const type = `type ipv${family}_addr; size ${counted}; flags dynamic`;
    return [
      `set ${flowsOf(limit, family)} { ${type}; }`,
      ...(limit.perSecond === null
        ? []
        : [`set ${startedOf(limit, family)} { ${type},timeout; timeout ${forgetAfter}; }`]),
    ];
  });

/** A burst of one second passes at once. */
const rulesOf = (limit: ConnectionLimit): string[] =>
  families.flatMap((family) => {
    const { id, set: from, connections, perSecond } = limit;
    const source = `${keyword(family)} saddr`;
    const when =
      from === null ? `meta nfproto ipv${family}` : `${source} @${setName(from, family)}`;
    const refuse = `counter name "${counterOf(id)}" goto c_refuse`;
    return [
      ...(perSecond === null
        ? []
        : [
            `${when} add @${startedOf(limit, family)} { ${source} limit rate over ${perSecond}/second burst ${perSecond} packets } ${refuse}`,
          ]),
      `${when} add @${flowsOf(limit, family)} { ${source} ct count over ${connections} } ${refuse}`,
    ];
  });

/** Counts what a limit refused. */
const counterOf = (id: number): string => hitCounter("routerConnlimit", id);

export interface LimitParts {
  /** Declarations of what the kernel fills, and of counters. */
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** For the first packets of flows. */
  readonly forward: readonly string[];
}

/** What the limits of a device put into its table. @param lans interfaces with hosts of its own */
export function limitParts(policy: PolicySection | undefined, lans: readonly string[]): LimitParts {
  const limits = (policy?.limits ?? []).filter(({ set: from }) => from !== null || lans.length > 0);
  if (limits.length === 0) return { declared: [], chains: [], forward: [] };
  const jumps = limits.map(({ id, set: from }) =>
    // Without a group it is about the hosts of the site: what others start towards it is not theirs.
    from === null ? `iifname ${set(lans)} jump c_limit_${id}` : `jump c_limit_${id}`,
  );
  return {
    declared: limits.flatMap((limit) => [...tallies(limit), `counter ${counterOf(limit.id)} { }`]),
    chains: [
      chain("c_refuse", [
        "meta l4proto tcp reject with tcp reset",
        "reject with icmpx type admin-prohibited",
      ]),
      ...limits.map((limit) => chain(`c_limit_${limit.id}`, rulesOf(limit))),
      chain("c_limit", jumps),
    ],
    forward: ["jump c_limit"],
  };
}
