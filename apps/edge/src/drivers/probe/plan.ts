/** Which probe processes have to run. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalAddress } from "#drivers/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { carriesIpv6 } from "#drivers/tunnel/render.ts";

/** A link as the measures need it. */
export interface MeasuredLink {
  readonly id: number;
  readonly interfaceName: string;
  readonly netns: string | null;
  readonly target: string;
  /** The same end by IPv6; null: the link is too small for it, or has none. */
  readonly target6: string | null;
  readonly probe: boolean;
  /** Bytes. */
  readonly mtu: number;
}

export type ProbePart = readonly MeasuredLink[];

/** Targets of one process: one for each namespace. */
export interface ProbeSet {
  readonly netns: string | null;
  readonly targets: readonly string[];
}

/** Which links are measured, and the processes that run for it. */
export interface ProbeFound {
  readonly links: ProbePart;
  readonly running: readonly ProbeSet[];
}

export type ProbeStep = Step & { readonly kind: "watch"; readonly sets: readonly ProbeSet[] };

export const pickProbes = (state: DesiredState | null): ProbePart =>
  (state?.tunnels ?? []).flatMap(({ netns, links }) =>
    links.map((link) => ({
      id: link.id,
      interfaceName: link.interfaceName,
      netns,
      target: canonicalAddress(link.peerAddress4),
      target6: carriesIpv6(link) ? canonicalAddress(link.peerAddress6) : null,
      probe: link.probe,
      mtu: link.mtu,
    })),
  );

/** One set of targets for each namespace that has any. */
export const probeSets = (links: ProbePart): ProbeSet[] => {
  const sets = new Map<string | null, string[]>();
  for (const { netns, target, target6, probe } of links) {
    const targets = target6 === null ? [target] : [target, target6];
    if (probe) sets.set(netns, [...(sets.get(netns) ?? []), ...targets].sort());
  }
  return [...sets].map(([netns, targets]) => ({ netns, targets }));
};

const keyOf = ({ netns, targets }: ProbeSet): string => [netns ?? "", ...targets].join(" ");
const linkKey = (link: MeasuredLink): string => JSON.stringify(link);

const sameKeys = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((key) => other.includes(key));

export const planProbes = (part: ProbePart, observed: ProbeFound): ProbeStep[] => {
  const sets = probeSets(part);
  const same =
    sameKeys(sets.map(keyOf), observed.running.map(keyOf)) &&
    sameKeys(part.map(linkKey), observed.links.map(linkKey));
  if (same) return [];
  const count = part.filter(({ probe }) => probe).length;
  const summary = `watch ${part.length} links, probing ${count}`;
  return [{ driver: "probe", kind: "watch", phase: phases.probe, summary, sets }];
};
