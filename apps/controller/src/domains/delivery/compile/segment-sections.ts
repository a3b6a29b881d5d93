/** Segment routes as the state of one of their nodes has them (ADR 0026). Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { takesSection } from "@weft/contract/device/v1/sections.ts";
import type { SegmentSection, SegmentState } from "@weft/contract/device/v1/segments.ts";
import {
  isNetworkWithin,
  networkOf,
  networksOverlap,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import { innerNetworks, segmentMark } from "#domains/overlay/link/public.ts";
import {
  type PlacedSegment,
  placeSegments,
  reachOf,
  sourcesOf,
} from "#domains/overlay/segment-route/public.ts";
import type { PolicyContext } from "#domains/policies/policy-finding/public.ts";
import { sorted } from "./site-prefixes.ts";

export interface SegmentView {
  readonly node: { readonly id: number; readonly kind: "cpe" | "pop" };
  /** Segment routes of the node's spaces, by space; absent: there are none. */
  readonly segments?: ReadonlyMap<number, readonly PlacedSegment[]>;
  readonly capabilities?: PolicyContext["capabilities"];
}

interface Neighbor {
  readonly linkId: number;
  readonly node: number;
}

interface Place {
  readonly view: SegmentView;
  readonly spaceId: number;
  readonly neighbors: readonly Neighbor[];
  /** Networks that the node itself brings into the space. */
  readonly announce: readonly string[];
}

const markOf = ({ spaceId, id, destination }: PlacedSegment, hop: number): string =>
  segmentMark(parsePrefix(destination)?.family ?? 4, spaceId, id, hop);

/** Addresses within links and the device's own networks, as far as the destination covers them. */
const keptOf = ({ destination, spaceId }: PlacedSegment, announce: readonly string[]): string[] =>
  sorted([...announce.map(networkOf), ...innerNetworks(spaceId)]).filter((text) =>
    networksOverlap(text, destination),
  );

const linksTo = ({ neighbors }: Place, node: number | null | undefined): number[] =>
  neighbors.filter((neighbor) => neighbor.node === node).map(({ linkId }) => linkId);

/** Of the CPE that flows come from; null: none come from this one, or it has no link to the first POP. */
function beginning(place: Place, route: PlacedSegment): SegmentState | null {
  const { id, cpeId, destination, pops } = route;
  const isFrom = cpeId === null || cpeId === place.view.node.id;
  const isOwn = place.announce.some((text) => isNetworkWithin(networkOf(text), destination));
  const kept = keptOf(route, place.announce);
  if (!isFrom || isOwn || linksTo(place, pops[0]).length === 0) return null;
  if (kept.length > stateLimits.segmentKept) return null;
  return {
    id,
    destination: networkOf(destination),
    sources: [],
    kept,
    next: { mark: markOf(route, 1) },
    own: null,
  };
}

/** Of a POP; null: it is none of its hops, or lacks a link to the one before or behind it. */
function hopOf(place: Place, route: PlacedSegment): SegmentState | null {
  const { id, cpeId, destination, pops } = route;
  const at = pops.indexOf(place.view.node.id);
  if (at === -1) return null;
  const isLast = at === pops.length - 1;
  const isOfAll = at === 0 && cpeId === null;
  const before = linksTo(place, at === 0 ? cpeId : pops[at - 1]);
  if (!isOfAll && before.length === 0) return null;
  if (!isLast && linksTo(place, pops[at + 1]).length === 0) return null;
  return {
    id,
    destination: networkOf(destination),
    sources: cpeId === null ? [] : sourcesOf(route).map(networkOf),
    kept: isLast ? [] : keptOf(route, []),
    next: isLast ? null : { mark: markOf(route, at + 2) },
    own: {
      mark: markOf(route, at + 1),
      links: isOfAll ? null : before,
      reach: isLast ? reachOf(route) : [],
    },
  };
}

/** Null: no segment route of the space concerns the node, or its device cannot carry one out. */
export function segmentSectionOf(place: Place): SegmentSection | null {
  const { view, spaceId } = place;
  const { kind } = view.node;
  const stored = view.segments?.get(spaceId) ?? [];
  if (!takesSection("segment", view.capabilities) || stored.length === 0) return null;
  const routes = placeSegments(stored).routes.flatMap(
    (route) => (kind === "cpe" ? beginning(place, route) : hopOf(place, route)) ?? [],
  );
  const netns = kind === "pop" ? `weft-s${spaceId}` : null;
  return routes.length === 0 ? null : { spaceId, netns, routes };
}
