/**
 * Rules of routing that lead flows of segment routes to their tables, which FRR fills and empties
 * (routing/segments.ts): an empty one is passed over, and ordinary routing decides. Pure.
 */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import { type SegmentSection, segmentTable } from "@weft/contract/device/v1/segments.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf, prefixText } from "@weft/contract/rules/address.ts";
import { canonicalCidr, familyOf } from "#drivers/address.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { segmentName } from "#drivers/without-refused.ts";

type Family = 4 | 6;
type Segment = SegmentSection["routes"][number];

export interface SegmentRule {
  readonly family: Family;
  readonly priority: number;
  /** Selector and action as ip-rule(8) takes them. */
  readonly text: string;
  /** Segment routes that are left out where the kernel refuses it; absent: it was found. */
  readonly about?: readonly ObjectName[];
}

/** What is looked up further below: ip-route(8) calls it "throw". */
export interface KeptRoute {
  readonly family: Family;
  readonly table: string;
  readonly network: string;
  /** As with rules. */
  readonly about?: readonly ObjectName[];
}

/** A segment route of which this node sees whether it acts. */
export interface WatchedSegment {
  readonly id: number;
  readonly family: Family;
  /** A route that is there while it acts: address/length in this table. */
  readonly sign: { readonly table: string; readonly network: string };
  readonly isLast: boolean;
}

/** What one namespace has for segment routes; netns null is the main one. */
export interface SegmentPlace {
  readonly netns: string | null;
  readonly rules: readonly SegmentRule[];
  readonly kept: readonly KeptRoute[];
  readonly watched: readonly WatchedSegment[];
}

/**
 * In the main namespace behind the rules of WAN links (underlay/render.ts), so that neither tunnels nor the way to the
 * controller are led away, and before those of hosts that leave by the space. In the namespace of a space by the link
 * that a packet came by; what came from another POP by no such rule has left its segment route, and is never led
 * back into one by the rules for all others.
 */
const priority = { site: 1_420, byLink: 2_000, left: 2_100, first: 2_200 } as const;
/** Whether a rule of ours is one of these, and none of the underlay's. */
export const isSegmentRule = (at: number): boolean =>
  (at >= priority.site && at < priority.site + stateLimits.segmentRoutes) ||
  (at >= priority.byLink && at < priority.first + stateLimits.segmentRoutes);

const rulesAt = (
  section: SegmentSection,
  { id, destination, sources, next, own }: Segment,
  at: number,
): SegmentRule[] => {
  // Behind the last POP ordinary routing decides.
  if (next === null) return [];
  const family = familyOf(destination);
  const about = [segmentName(section.spaceId, destination)];
  const to = `to ${networkOf(destination)}`;
  const lookup = `lookup ${segmentTable(id)}`;
  if (own === null)
    return [{ family, priority: priority.site + at, text: `${to} ${lookup}`, about }];
  if (section.netns === null) return [];
  if (own.links === null)
    return [{ family, priority: priority.first + at, text: `${to} ${lookup}`, about }];
  const froms = sources.length === 0 ? [""] : sources.map((source) => `from ${networkOf(source)} `);
  return own.links.flatMap((link) =>
    froms.map((from) => ({
      family,
      priority: priority.byLink + at,
      text: `${from}${to} iif wl${link} ${lookup}`,
      about,
    })),
  );
};

/** Without them what has left a segment route would be led back into one: none begins here then. */
const guards = ({ neighbors }: RoutingSection, about: readonly ObjectName[]): SegmentRule[] =>
  neighbors
    .filter(({ client }) => !client)
    .flatMap(({ interfaceName }) =>
      ([4, 6] as const).map((family) => ({
        family,
        priority: priority.left,
        text: `iif ${interfaceName} lookup main`,
        about,
      })),
    );

const watchedOf = ({ id, destination, next, own }: Segment): WatchedSegment => ({
  id,
  family: familyOf(destination),
  sign: own
    ? { table: "254", network: canonicalCidr(prefixText(own.mark)) }
    : { table: `${segmentTable(id)}`, network: canonicalCidr(networkOf(destination)) },
  isLast: next === null,
});

const placeOf = (section: SegmentSection, routing: RoutingSection): SegmentPlace => {
  const rules = section.routes.flatMap((route, at) => rulesAt(section, route, at));
  const first = section.routes.filter(({ own, next }) => own?.links === null && next !== null);
  const begun = first.map(({ destination }) => segmentName(section.spaceId, destination));
  return {
    netns: section.netns,
    rules: [...rules, ...(first.length > 0 ? guards(routing, begun) : [])],
    kept: section.routes.flatMap(({ id, kept, next, destination }) =>
      next === null
        ? []
        : kept.map((text) => ({
            family: familyOf(text),
            table: `${segmentTable(id)}`,
            network: canonicalCidr(networkOf(text)),
            about: [segmentName(section.spaceId, destination)],
          })),
    ),
    watched: section.routes.map(watchedOf),
  };
};

/** Sections without an instance of routing are left out: no mark would ever come. */
export const placesOf = (state: DesiredState | null): SegmentPlace[] =>
  (state?.segments ?? []).flatMap((section) => {
    const routing = state?.routings.find(({ spaceId }) => spaceId === section.spaceId);
    return routing && section.routes.length > 0 ? [placeOf(section, routing)] : [];
  });
