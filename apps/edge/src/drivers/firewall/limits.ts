/** Connection-number controls: how many flows a source may have, and begin per second. Pure. */
import type {
  AddressSet,
  ConnectionLimit,
  PolicySection,
} from "@weft/contract/device/v1/policy.ts";
import { familyOf } from "#drivers/address.ts";
import { chain, hitCounter, set } from "./nft.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

/** Addresses of one limit that are counted at the same time; beyond them nothing is refused. */
const counted = 65_535;
/** ms that a source is remembered after its last new flow. */
const forgetAfter = "1m";

const keyword = (family: 4 | 6): "ip" | "ip6" => (family === 4 ? "ip" : "ip6");
const setName = (id: number, family: 4 | 6): string => `s_ip${family}_${id}`;
/** Filled by the kernel itself: elements of these sets are none of the document's. */
const tallyName = (what: "flows" | "started", id: number, family: 4 | 6): string =>
  `d_${what}${family}_${id}`;

/** First address of a member: members have been validated by the contract. */
const isOf = (family: 4 | 6) => (member: string) =>
  familyOf(member.split("-")[0] ?? member) === family;

/** Sets of addresses that rules match by, one for each family. */
const addressSets = (sets: readonly AddressSet[]): NamedSet[] =>
  sets.flatMap(({ id, members }) =>
    families.map((family) =>
      namedSet(
        setName(id, family),
        `type ipv${family}_addr; flags interval; auto-merge;`,
        members.filter(isOf(family)),
      ),
    ),
  );

const tallies = ({ id, perSecond }: ConnectionLimit): string[] =>
  families.flatMap((family) => {
    const type = `type ipv${family}_addr; size ${counted}; flags dynamic`;
    return [
      `set ${tallyName("flows", id, family)} { ${type}; }`,
      ...(perSecond === null
        ? []
        : [`set ${tallyName("started", id, family)} { ${type},timeout; timeout ${forgetAfter}; }`]),
    ];
  });

/** A burst of one second passes at once. */
const rulesOf = ({ id, set: from, connections, perSecond }: ConnectionLimit): string[] =>
  families.flatMap((family) => {
    const source = `${keyword(family)} saddr`;
    const when =
      from === null ? `meta nfproto ipv${family}` : `${source} @${setName(from, family)}`;
    const refuse = `counter name "${counterOf(id)}" goto c_refuse`;
    return [
      ...(perSecond === null
        ? []
        : [
            `${when} add @${tallyName("started", id, family)} { ${source} limit rate over ${perSecond}/second burst ${perSecond} packets } ${refuse}`,
          ]),
      `${when} add @${tallyName("flows", id, family)} { ${source} ct count over ${connections} } ${refuse}`,
    ];
  });

/** Counts what a limit refused. */
const counterOf = (id: number): string => hitCounter("routerConnlimit", id);

export interface LimitParts {
  readonly sets: readonly NamedSet[];
  /** Declarations of what the kernel fills, and of counters. */
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** For the first packets of flows. */
  readonly forward: readonly string[];
}

/** What the limits of a device put into its table. @param lans interfaces with hosts of its own */
export function limitParts(policy: PolicySection | undefined, lans: readonly string[]): LimitParts {
  const limits = (policy?.limits ?? []).filter(({ set: from }) => from !== null || lans.length > 0);
  if (limits.length === 0) return { sets: [], declared: [], chains: [], forward: [] };
  const jumps = limits.map(({ id, set: from }) =>
    // Without a group it is about the hosts of the site: what others start towards it is not theirs.
    from === null ? `iifname ${set(lans)} jump c_limit_${id}` : `jump c_limit_${id}`,
  );
  return {
    sets: addressSets(policy?.sets ?? []),
    declared: limits.flatMap((one) => [...tallies(one), `counter ${counterOf(one.id)} { }`]),
    chains: [
      chain("c_refuse", [
        "meta l4proto tcp reject with tcp reset",
        "reject with icmpx type admin-prohibited",
      ]),
      ...limits.map((one) => chain(`c_limit_${one.id}`, rulesOf(one))),
      chain("c_limit", jumps),
    ],
    forward: ["jump c_limit"],
  };
}
