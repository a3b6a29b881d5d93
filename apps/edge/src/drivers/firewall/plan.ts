/** Which rule sets have to be loaded again. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { canonicalAddress, familyOf } from "#drivers/address.ts";
import { exitFamilies } from "#drivers/central.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { closedNetworks, networksBehindLines, wantedNetns } from "#drivers/spaces.ts";
import { knownSources } from "./errors.ts";
import { type LinkRules, renderMain, renderSpace } from "./render.ts";

/** The rules of one namespace; netns null is the main one. */
export interface RuleSet {
  readonly netns: string | null;
  readonly text: string;
}

export type FirewallPart = readonly RuleSet[];

export interface FoundRules {
  readonly netns: string | null;
  /** What was loaded last; null when nothing is known to be. */
  readonly loaded: {
    readonly text: string;
    readonly listing: string;
    /** Of the rules for flows; absent: loaded by an edge that knew none. */
    readonly generation?: number;
  } | null;
  /** What the kernel holds now; null: no table of ours. */
  readonly listing: string | null;
}

export type FirewallStep = Step &
  (
    | { readonly kind: "load"; readonly netns: string | null; readonly text: string }
    | { readonly kind: "drop" }
  );

/** Links that end in a namespace, with what their other ends may send. */
const linksIn = (state: DesiredState, netns: string | null): LinkRules => {
  const neighbors = new Map(
    state.routings
      .flatMap((routing) => routing.neighbors)
      .map((one) => [one.interfaceName, one] as const),
  );
  const links = state.tunnels.flatMap((one) => (one.netns === netns ? one.links : []));
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
    ...{ slot, interfaceName },
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

/** @param manageFrom networks that may reach SSH of the device by its lines */
export const pickFirewall = (
  state: DesiredState | null,
  manageFrom: readonly string[] = [],
): FirewallPart => {
  if (state === null) return [];
  const transit = state.node.kind === "pop" && state.tunnels.some(({ netns }) => netns === null);
  const closed = {
    networks: closedNetworks(state).get(null) ?? [],
    behindLines: networksBehindLines(state),
  };
  return [
    {
      netns: null,
      text: renderMain({
        ...state.firewall,
        ...linksIn(state, null),
        links: state.tunnels.flatMap(({ netns, links }) =>
          netns === null ? links.map(({ interfaceName }) => interfaceName) : [],
        ),
        transit,
        closed,
        exits: exitFamilies(state),
        manageFrom,
        known: knownSources(state),
        ...ownAddresses(state),
        policy: state.policy,
      }),
    },
    ...wantedNetns(state).map((netns) => ({
      netns,
      text: renderSpace(
        state.clients?.find((one) => one.netns === netns) ?? null,
        linksIn(state, netns),
      ),
    })),
  ];
};

const why = (rules: RuleSet, found: FoundRules | undefined): string | null => {
  if (!found?.listing) return "there are none";
  if (!found.loaded) return "theirs are of unknown origin";
  if (found.loaded.text !== rules.text) return "the document changed";
  return found.loaded.listing === found.listing ? null : "the kernel's differ from those loaded";
};

export const planFirewall = (part: FirewallPart, found: readonly FoundRules[]): FirewallStep[] => {
  const steps = part.flatMap((rules): FirewallStep[] => {
    const reason = why(
      rules,
      found.find((one) => one.netns === rules.netns),
    );
    if (reason === null) return [];
    const summary = `load rules of ${rules.netns ?? "the device"}: ${reason}`;
    return [{ driver: "firewall", kind: "load", phase: phases.firewall, summary, ...rules }];
  });
  // Rules of a space go with its namespace; only the main table has to be taken away.
  const main = found.find(({ netns }) => netns === null);
  if (part.length > 0 || !main?.listing) return steps;
  const summary = "drop rules of the device";
  return [{ driver: "firewall", kind: "drop", phase: phases.removeTunnel, summary }];
};
