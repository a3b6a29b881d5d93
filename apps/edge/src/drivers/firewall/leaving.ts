/**
 * Hosts of sites that leave at a POP: out of the namespace of their space, with its address, into the main one, and by a
 * WAN link with that of the link. Neither the POP itself, nor another space, nor a network behind the POP is reached. Pure.
 */

import { closedNetworks } from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { familyOf } from "#drivers/address.ts";
import {
  anyExit,
  innerOf,
  leavingBits,
  leavingMark,
  type SpaceExit,
  spaceExits,
} from "#drivers/exits.ts";
import { outermost } from "#drivers/prefixes.ts";
import { chain, set, spaceLinks } from "./nft.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

/**
 * Destinations that are not of the internet (RFC 6890): hosts of other spaces and of the POP's own surroundings have
 * such addresses, and the provider's gateways to those (RFC 8215, 6to4) and segments (RFC 9602). Those for documentation are
 * nobody's. 168.63.129.16 is Azure's own service to each of its machines, with their secrets.
 */
export const neverOutside: readonly string[] = [
  "ip daddr { 0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 168.63.129.16, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/3 }",
  "ip6 daddr { ::/96, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48, 2002::/16, 5f00::/16, fc00::/7, fe80::/9, ff00::/8 }",
];

const exitCounter = "h_exit_closed";
const refused = `counter name "${exitCounter}" drop`;

/** Between the two ends themselves (RFC 4861): what was forwarded has another hop limit. */
const neighbors = "ip6 hoplimit 255 icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert }";

/** In the main namespace; absent: the device is no POP. */
export interface LeavingRules {
  readonly exits: readonly SpaceExit[];
}

export const leavingRulesOf = (state: DesiredState): LeavingRules | null =>
  state.node.kind === "pop" ? { exits: spaceExits(state) } : null;

interface MainParts {
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  readonly input: readonly string[];
  readonly forward: readonly string[];
  readonly nat: readonly string[];
}

export const mainLeaving = (
  rules: LeavingRules | null | undefined,
  wan: readonly string[],
): MainParts => {
  if (!rules) return { declared: [], chains: [], input: [], forward: [], nat: [] };
  const { exits } = rules;
  const counted = [`counter ${exitCounter} { }`];
  // Also of one that is on its way out.
  const input = [`iifname ${anyExit} ${neighbors} accept`, `iifname ${anyExit} ${refused}`];
  if (exits.length === 0 || wan.length === 0)
    return { declared: counted, chains: [], input, forward: [], nat: [] };
  const names = set(exits.map(({ interfaceName }) => interfaceName));
  const out = `oifname ${set(wan)}`;
  const ofExits = exits.flatMap((exit) => {
    const [inner4, inner6] = innerOf(exit);
    return [
      `iifname "${exit.interfaceName}" ip saddr ${inner4} accept`,
      `iifname "${exit.interfaceName}" ip6 saddr ${inner6} accept`,
    ];
  });
  return {
    declared: counted,
    chains: [
      chain("c_leaving", [
        `oifname != ${set(wan)} ${refused}`,
        ...neverOutside.map((match) => `${match} ${refused}`),
        ...ofExits,
        refused,
      ]),
    ],
    input,
    forward: [
      `iifname ${anyExit} goto c_leaving`,
      `iifname ${set(wan)} oifname ${names} ct state established,related accept`,
    ],
    nat: [`iifname ${names} ${out} masquerade`],
  };
};

/** In the namespace of a space. */
export interface SpaceLeaving {
  readonly exit: SpaceExit;
  /** Networks of the space: what goes there does not leave. */
  readonly inside: readonly string[];
}

export const spaceLeavingOf = (state: DesiredState, netns: string): SpaceLeaving | null => {
  const exit = spaceExits(state).find((spaceExit) => spaceExit.netns === netns);
  return exit ? { exit, inside: closedNetworks(state).get(netns) ?? [] } : null;
};

interface SpaceParts {
  readonly sets: readonly NamedSet[];
  readonly chains: readonly string[];
  readonly input: readonly string[];
  readonly forward: readonly string[];
}

const named = (what: string, networks: readonly string[]): NamedSet[] =>
  families.map((family) =>
    namedSet(
      `s_${what}${family}`,
      `type ipv${family}_addr; flags interval;`,
      outermost(networks.filter((network) => familyOf(network) === family)),
    ),
  );
/** Networks whose hosts may leave at a POP. */
export const leavingSets = (sources: readonly string[]): NamedSet[] => named("leaving", sources);

/** Only what may leave is tracked: a hub forwards everything else without state. */
export const spaceLeaving = (leaving: SpaceLeaving | null): SpaceParts => {
  if (leaving === null) return { sets: [], chains: [], input: [], forward: [] };
  const { exit, inside } = leaving;
  const name = `"${exit.interfaceName}"`;
  const marking = families.map((family) => {
    const ip = family === 4 ? "ip" : "ip6";
    return `iifname ${spaceLinks} ${ip} saddr @s_leaving${family} ${ip} daddr != @s_inside${family} meta mark set ${leavingMark} accept`;
  });
  const isLeaving = `meta mark & ${leavingBits} == ${leavingMark}`;
  return {
    sets: [...leavingSets(exit.sources), ...named("inside", inside)],
    chains: [
      chain(
        "c_track",
        [`iifname ${name} accept`, ...marking, "notrack"],
        "type filter hook prerouting priority raw + 5; policy accept;",
      ),
      chain(
        "c_nat",
        [`oifname ${name} masquerade`],
        "type nat hook postrouting priority srcnat; policy accept;",
      ),
    ],
    input: [`iifname ${name} ${neighbors} accept`],
    forward: [
      `iifname ${spaceLinks} oifname ${name} ${isLeaving} accept`,
      `iifname ${name} oifname ${spaceLinks} ct state established,related accept`,
    ],
  };
};
