/**
 * Steps to the routes that keep a space's packets inside: each of its networks is unreachable
 * beneath whatever the overlay knows of it. Pure.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { phases, type Step } from "#drivers/driver.ts";

/** What has to lead nowhere in one namespace; netns null is the main one. */
export interface Closed {
  readonly netns: string | null;
  readonly networks: readonly string[];
}

export type IsolationPart = readonly Closed[];

export type IsolationStep = Step & {
  readonly kind: "close" | "open";
  readonly netns: string | null;
  readonly networks: readonly string[];
};

/**
 * Behind every other route of the same network. zebra reads the highest byte of a kernel route's
 * metric as its administrative distance, and 255 is never chosen over a route that it learned.
 */
export const metric = 0xff_00_20_00;

/**
 * A default, or a half of one, would shut the device itself off; it is for the site to choose whether
 * to follow one. No network of a site is that wide: the widest private ones are 10.0.0.0/8 and fc00::/7.
 */
const isDefault = (network: string): boolean =>
  Number(network.split("/")[1]) < (network.includes(":") ? 7 : 8);

export const pickIsolation = (state: DesiredState | null): IsolationPart => {
  const networks = new Map<string | null, Set<string>>();
  for (const space of state?.spaces ?? []) {
    const here = networks.get(space.netns) ?? new Set();
    for (const one of space.networks.map(networkOf)) if (!isDefault(one)) here.add(one);
    networks.set(space.netns, here);
  }
  return [...networks].map(([netns, here]) => ({ netns, networks: [...here].sort() }));
};

const shown = (networks: readonly string[]): string =>
  networks.length > 3
    ? `${networks.slice(0, 3).join(", ")} and ${networks.length - 3} more`
    : networks.join(", ");

export const planIsolation = (part: IsolationPart, found: readonly Closed[]): IsolationStep[] => {
  const without = (networks: readonly string[], known: readonly string[] = []) => {
    const there = new Set(known);
    return networks.filter((one) => !there.has(one));
  };
  const add = part.flatMap(({ netns, networks }): IsolationStep[] => {
    const missing = without(networks, found.find((one) => one.netns === netns)?.networks);
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
  const remove = found.flatMap(({ netns, networks }): IsolationStep[] => {
    const wanted = part.find((one) => one.netns === netns);
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
