/** Which rule sets have to be loaded again. Pure. */

import { treesOf } from "@weft/contract/device/v1/shaping.ts";
import {
  closedNetworks,
  keptNetworks,
  networksBehindLines,
  wantedNetns,
} from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { canonicalAddress, familyOf } from "#drivers/address.ts";
import { exitFamilies } from "#drivers/central.ts";
import { phases, type Step } from "#drivers/driver.ts";
import type { KeptLan } from "#drivers/refused-policy.ts";
import type { KeptSpace } from "#drivers/without-refused.ts";
import { accelerationRulesOf } from "./acceleration.ts";
import { type CircuitEnd, circuitEnds, circuitRulesOf } from "./circuits.ts";
import type { Shaped } from "./classes.ts";
import { knownSources } from "./errors.ts";
import { groupRulesOf } from "./groups.ts";
import { leavingRulesOf, spaceLeavingOf } from "./leaving.ts";
import { policyRulesOf } from "./names.ts";
import { type LinkRules, renderMain, renderSpace } from "./render.ts";
import { smallBoundsOf, smallSharesOf } from "./small-packets.ts";
import { type Times, timesOf } from "./times.ts";

/** The rules of one namespace; netns null is the main one. */
export interface RuleSet {
  readonly netns: string | null;
  readonly text: string;
  /** Groups whose sets the text declares; absent or null: none. */
  readonly times?: Times | null;
  /** Circuits whose sets the text declares, with their ends; absent: none. */
  readonly ends?: readonly CircuitEnd[];
}

export type FirewallPart = readonly RuleSet[];

export interface FoundRules {
  readonly netns: string | null;
  /** What was loaded last; null when nothing is known to be. */
  readonly loaded: {
    readonly text: string;
    readonly listing: string;
    /** Absent: loaded by an edge that knew none. */
    readonly times?: Times | null;
    /** Ids of the groups that were active at that time; absent: there were none. */
    readonly active?: readonly number[];
    /** Absent: none of them ends. */
    readonly ends?: readonly CircuitEnd[];
    /** Ids of those that ran at that time. */
    readonly running?: readonly number[];
    /** Of the rules for flows; absent: loaded by an edge that knew none. */
    readonly generation?: number;
  } | null;
  /** What the kernel holds now; null: no table of ours. */
  readonly listing: string | null;
}

interface Load extends RuleSet {
  readonly kind: "load";
  /** Something else changed the rules since they were loaded: what passed meanwhile was asked about by others. */
  readonly isDamaged: boolean;
}

export type FirewallStep = Step & (Load | { readonly kind: "drop" });

/** Links that end in a namespace, with what their other ends may send. */
const linksIn = (state: DesiredState, netns: string | null): LinkRules => {
  const neighbors = new Map(
    state.routings
      .flatMap((routing) => routing.neighbors)
      .map((neighbor) => [neighbor.interfaceName, neighbor] as const),
  );
  const links = state.tunnels.flatMap((tunnel) => (tunnel.netns === netns ? tunnel.links : []));
  return {
    peers: links.map(({ interfaceName, address4, peerAddress4 }) => ({
      interfaceName,
      peer: canonicalAddress(peerAddress4),
      own: canonicalAddress(addressOf(address4)),
    })),
    sources: links.map(({ interfaceName, peerAddress4, peerAddress6 }) => {
      const accept = neighbors.get(interfaceName)?.accept;
      if (accept === null) return { interfaceName, networks: null };
      const ends = [`${peerAddress4}/32`, `${peerAddress6}/128`];
      return { interfaceName, networks: [...(accept ?? []), ...ends] };
    }),
  };
};

const of4 = (address: string | null): string[] =>
  address !== null && familyOf(address) === 4 ? [canonicalAddress(addressOf(address))] : [];

/** Addresses of the main namespace, by which port mappings know what is meant for a line. */
const ownAddresses = ({ node, underlay, tunnels }: DesiredState) => ({
  lines: underlay.lines.map(({ slot, interfaceName, ip }) => ({
    slot,
    interfaceName,
    address: of4(ip)[0] ?? null,
  })),
  inner: [
    ...of4(node.routerId),
    ...underlay.lans.flatMap(({ addresses }) => addresses.flatMap(of4)),
    ...tunnels.flatMap(({ netns, links }) =>
      netns === null ? links.flatMap(({ address4 }) => of4(address4)) : [],
    ),
  ],
});

/** LANs with a network of the prefix of a line. */
const delegatedOf = ({ underlay: { lines, lans } }: DesiredState): ReadonlyMap<string, string> =>
  new Map(
    lans.flatMap(({ interfaceName, vlan, ipv6 }) => {
      const line = lines.find(({ slot }) => slot === ipv6?.slot);
      return line?.ipv6?.mode !== "delegated" || vlan !== 0
        ? []
        : [[interfaceName, line.interfaceName]];
    }),
  );

/** What the shaper is to find in packets. */
const shapedOf = (state: DesiredState): Shaped => {
  const { node, shaping, policy, underlay, tunnels } = state;
  const circuits = circuitRulesOf(state, null);
  return {
    circuits,
    // Of all circuits: which of them have ended is no part of the rules.
    trees: treesOf(shaping, policy, circuits.circuits),
    ratesLines: (shaping?.lines ?? []).length > 0,
    carriesTunnels: node.kind === "pop",
    bySlot: [
      ...underlay.lines.map(({ slot, interfaceName }) => ({ slot, interfaceName })),
      ...tunnels.flatMap(({ netns, links }) =>
        links.flatMap(({ slot, interfaceName }) =>
          netns === null ? [{ slot, interfaceName }] : [],
        ),
      ),
    ],
  };
};

const isWithoutRules = (lan: KeptLan): boolean => lan.isWithoutRules === true;

/** Networks of spaces as the firewall can keep them inside. */
const asKept = (state: DesiredState): DesiredState => {
  const { spaces } = state;
  const isKept = ({ inside }: KeptSpace): boolean => inside === undefined;
  return spaces === undefined || spaces.every(isKept)
    ? state
    : {
        ...state,
        spaces: spaces.map((space: KeptSpace) => ({
          ...space,
          networks: [...(space.inside ?? space.networks)],
        })),
      };
};

/** Without the LANs that have no rules: nothing of them is named. */
const withoutLans = (state: DesiredState): DesiredState => {
  const { underlay } = state;
  const lans = underlay.lans.filter((lan) => !isWithoutRules(lan));
  return lans.length === underlay.lans.length
    ? state
    : { ...state, underlay: { ...underlay, lans } };
};

/** @param manageFrom networks that may reach SSH of the device by its lines */
export const pickFirewall = (
  wanted: DesiredState | null,
  manageFrom: readonly string[] = [],
): FirewallPart => {
  if (wanted === null) return [];
  const state = asKept(wanted);
  const named = withoutLans(state);
  const transit = state.node.kind === "pop" && state.tunnels.some(({ netns }) => netns === null);
  const closed = {
    networks: closedNetworks(state).get(null) ?? [],
    behindLines: networksBehindLines(state),
  };
  const endsIn = (netns: string | null) => {
    const ids = new Set(circuitRulesOf(state, netns).circuits.map(({ id }) => id));
    const ends = circuitEnds(state.shaping).filter(({ id }) => ids.has(id));
    return ends.length > 0 && { ends };
  };
  return [
    {
      netns: null,
      times: timesOf(state.policy),
      ...endsIn(null),
      text: renderMain({
        ...state.firewall,
        lan: named.underlay.lans,
        hasRefusedLan: state.underlay.lans.some(isWithoutRules),
        ...linksIn(state, null),
        links: state.tunnels.flatMap(({ netns, links }) =>
          netns === null ? links.map(({ interfaceName }) => interfaceName) : [],
        ),
        transit,
        closed,
        exits: exitFamilies(state),
        manageFrom,
        known: knownSources(named),
        ...ownAddresses(named),
        delegated: delegatedOf(named),
        kept: keptNetworks(named),
        groups: groupRulesOf(state),
        policy: policyRulesOf(named),
        routers: state.site?.neighbors ?? [],
        ospf: (state.site?.interfaces ?? []).map(({ interfaceName }) => interfaceName),
        shaped: shapedOf(state),
        accelerated: accelerationRulesOf(state),
        leaving: leavingRulesOf(state),
        shares: smallSharesOf(state),
      }),
    },
    ...wantedNetns(state).map((netns) => ({
      netns,
      ...endsIn(netns),
      text: renderSpace(
        state.clients?.find((client) => client.netns === netns) ?? null,
        linksIn(state, netns),
        circuitRulesOf(state, netns),
        spaceLeavingOf(state, netns),
        smallBoundsOf(state, netns),
      ),
    })),
  ];
};

/** The kernel has other rules than those that were loaded last, whatever is to be loaded now. */
const isDamaged = ({ loaded, listing }: FoundRules): boolean =>
  loaded !== null && loaded.listing !== listing;

const why = (rules: RuleSet, observed: FoundRules | undefined): string | null => {
  if (!observed?.listing) return "there are none";
  if (!observed.loaded) return "theirs are of unknown origin";
  const timed = ({ times = null, ends = [] }: Pick<RuleSet, "times" | "ends">): string =>
    JSON.stringify([times, ends]);
  if (observed.loaded.text !== rules.text || timed(observed.loaded) !== timed(rules))
    return "the document changed";
  return observed.loaded.listing === observed.listing
    ? null
    : "the kernel's differ from those loaded";
};

export const planFirewall = (
  part: FirewallPart,
  observed: readonly FoundRules[],
): FirewallStep[] => {
  const steps = part.flatMap((rules): FirewallStep[] => {
    const there = observed.find((observed) => observed.netns === rules.netns);
    const reason = why(rules, there);
    if (reason === null) return [];
    const summary = `load rules of ${rules.netns ?? "the device"}: ${reason}`;
    const about = { driver: "firewall", phase: phases.firewall, summary } as const;
    return [{ ...about, kind: "load", ...rules, isDamaged: there ? isDamaged(there) : false }];
  });
  // Rules of a space go with its namespace; only the main table has to be taken away.
  const main = observed.find(({ netns }) => netns === null);
  if (part.length > 0 || !main?.listing) return steps;
  const summary = "drop rules of the device";
  return [{ driver: "firewall", kind: "drop", phase: phases.removeTunnel, summary }];
};
