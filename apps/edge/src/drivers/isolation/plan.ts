/**
 * Steps to the routes that keep a space's packets inside: each of its networks is unreachable
 * beneath whatever the overlay knows of it. Pure.
 */

import { closedNetworks } from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { spaceExits } from "#drivers/exits.ts";
import { coveredBy, outermost } from "#drivers/prefixes.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { closedName, exitName, type KeptSpace } from "#drivers/without-refused.ts";

/** What has to lead nowhere in one namespace; netns null is the main one. */
export interface Closed {
  readonly netns: string | null;
  readonly networks: readonly string[];
}

export interface WantedClosed extends Closed {
  /** Spaces in the namespace, and those of them whose sites leave by it (`exits.ts`). */
  readonly spaces: readonly KeptSpace[];
  readonly exits: readonly number[];
}

export type IsolationPart = readonly WantedClosed[];

export type IsolationStep = Step & {
  readonly kind: "close" | "open";
  readonly netns: string | null;
  readonly networks: readonly string[];
};

/**
 * Behind every other route of the same network. zebra reads the highest byte of a kernel route's
 * metric as its administrative distance, and 255 is never selected over a route that it learned.
 */
export const metric = 0xff_00_20_00;

export const pickIsolation = (state: DesiredState | null): IsolationPart =>
  state === null
    ? []
    : [...closedNetworks(state)].map(([netns, networks]) => {
        const spaces: KeptSpace[] = (state.spaces ?? []).filter((space) => space.netns === netns);
        const unclosed = new Set(spaces.flatMap((space) => space.unclosed ?? []).map(networkOf));
        return {
          netns,
          networks:
            unclosed.size === 0 ? networks : networks.filter((network) => !unclosed.has(network)),
          spaces,
          exits: spaceExits(state)
            .filter((exit) => exit.netns === netns)
            .map(({ spaceId }) => spaceId),
        };
      });

/**
 * What is left out where a network of a namespace has no route to nowhere: that route alone in the main one, where the firewall
 * lets nothing of a space out by a line; on a POP the way out of its space as well, for by it the network would leave.
 */
export const namesOf = (
  { spaces, exits }: WantedClosed,
  network: string,
): readonly ObjectName[] => [
  ...spaces
    .filter(({ networks }) => networks.some((text) => networkOf(text) === network))
    .map(({ spaceId }) => closedName(spaceId, network)),
  ...exits.map((spaceId) => exitName({ spaceId })),
];

const shown = (networks: readonly string[]): string =>
  networks.length > 3
    ? `${networks.slice(0, 3).join(", ")} and ${networks.length - 3} more`
    : networks.join(", ");

export const planIsolation = (
  part: IsolationPart,
  observed: readonly Closed[],
): IsolationStep[] => {
  const without = (networks: readonly string[], known: readonly string[] = []) => {
    const there = new Set(known);
    return networks.filter((network) => !there.has(network));
  };
  const add = part.flatMap(({ netns, networks }): IsolationStep[] => {
    const missing = without(networks, observed.find((space) => space.netns === netns)?.networks);
    if (missing.length === 0) return [];
    const summary = `keep ${shown(missing)} inside the space`;
    return [
      {
        driver: "isolation",
        kind: "close",
        phase: phases.addUnderlay,
        summary,
        netns,
        networks: missing,
      },
    ];
  });
  const remove = observed.flatMap(({ netns, networks }): IsolationStep[] => {
    const wanted = part.find((space) => space.netns === netns);
    // They go with the namespace of a space that is given up.
    if (!wanted && netns !== null) return [];
    const more = without(networks, wanted?.networks);
    if (more.length === 0) return [];
    const summary = `no longer keep ${shown(more)} inside the space`;
    return [
      {
        driver: "isolation",
        kind: "open",
        phase: phases.removeUnderlay,
        summary,
        netns,
        networks: more,
      },
    ];
  });
  return [...add, ...remove];
};

/** Lines for `ip -batch`; a route that is there already is replaced, one that is gone is no error. */
export const batchOf = (kind: IsolationStep["kind"], networks: readonly string[]): string =>
  networks
    .map((network) => {
      const verb = kind === "close" ? "replace" : "del";
      return `route ${verb} unreachable ${network} proto 99 metric ${metric}\n`;
    })
    .join("");

/**
 * The networks that flows of a dump (`conntrack -L`) go to, the widest of those that lie in each
 * other: a flow's first `dst=` is where the host sent it.
 */
export const networksWithFlows = (networks: readonly string[], dump: string): string[] => {
  const targets = new Set(
    [...dump.matchAll(/^[^=\n]*\bsrc=\S+ dst=(\S+)/gm)].map(([, to]) => to ?? ""),
  );
  return coveredBy(outermost(networks), [...targets]);
};
