/** Which segment routes of a space can act at all, and in which order they are tried. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import type { SegmentReason } from "@weft/contract/domains/overlay/segment-route.ts";
import {
  formatAddress,
  isNetworkWithin,
  networksOverlap,
  type Prefix,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import { innerNetworks, segmentsPerSpace } from "#domains/overlay/link/public.ts";

/** A row of `weft.segments_in`: a segment route in one of its spaces. */
export interface PlacedSegment {
  readonly spaceId: number;
  readonly id: number;
  readonly name: string;
  /** Null: from every CPE of the space. */
  readonly cpeId: number | null;
  readonly destination: string;
  readonly metric: number;
  /** In the order in which they are crossed. */
  readonly pops: readonly number[];
  /** Those of the POPs that are in the space. */
  readonly members: readonly number[];
  /** Networks of the CPE. */
  readonly sources: readonly string[];
  /** Networks of the space that overlap the destination. */
  readonly networks: readonly string[];
}

export interface SegmentLack {
  readonly reason: SegmentReason;
  readonly params: Readonly<Record<string, string>>;
}

const prefixOf = (network: string): Prefix => {
  const prefix = parsePrefix(network);
  if (prefix === null) throw new Error(`${network} is no network`);
  return prefix;
};

/** No network of a site is wider (`closedNetworks`): with such a one all that is not of the space would be led away. */
const widest = { 4: 8, 6: 7 } as const;

/** Networks of the CPE of the family of the destination; none: flows come from everywhere. */
export const sourcesOf = ({ sources, destination }: PlacedSegment): string[] =>
  [...new Set(sources)]
    .filter((text) => prefixOf(text).family === prefixOf(destination).family)
    .filter((text) => prefixOf(text).length > 0)
    .sort();

/** Why the rows keep one from being applied, regardless of others; null: they do not. */
function lackOf(route: PlacedSegment): SegmentLack | null {
  const { destination, pops, members, networks, cpeId, spaceId } = route;
  const lack = (reason: SegmentReason, params: SegmentLack["params"] = {}) => ({ reason, params });
  const outside = pops.find((pop) => !members.includes(pop));
  const { family, length } = prefixOf(destination);
  if (length < widest[family]) return lack("tooWide");
  if (innerNetworks(spaceId).some((text) => isNetworkWithin(text, destination)))
    return lack("ofLinks");
  if (outside !== undefined || pops.length === 0)
    return lack("popOutside", { pop: `${outside ?? ""}` });
  if (networks.every((network) => prefixOf(network).length === 0)) return lack("noNetwork");
  const sources = sourcesOf(route);
  if (cpeId !== null && sources.some((source) => isNetworkWithin(source, destination)))
    return lack("ownNetwork");
  const max = stateLimits.segmentSources;
  if (cpeId !== null && sources.length > max) return lack("tooManySources", { max: `${max}` });
  return null;
}

/** The more special one first: of one CPE before of all, longer destinations, lower metrics. */
const byRank = (placedSegment: PlacedSegment, other: PlacedSegment): number =>
  Number(placedSegment.cpeId === null) - Number(other.cpeId === null) ||
  prefixOf(other.destination).length - prefixOf(placedSegment.destination).length ||
  placedSegment.metric - other.metric ||
  placedSegment.id - other.id;

const canMeet = (placedSegment: PlacedSegment, other: PlacedSegment): boolean =>
  (placedSegment.cpeId === null || other.cpeId === null || placedSegment.cpeId === other.cpeId) &&
  networksOverlap(placedSegment.destination, other.destination);

/**
 * Behind its last POP a packet goes by ordinary routing, in one hop to the POP of its site. A POP leads on what comes from
 * the one before it in a route that goes on there: were that the last POP of another route for the same packet, the packet
 * could go in a circle.
 */
const isOnWay = (placedSegment: PlacedSegment, other: PlacedSegment): boolean =>
  other.pops.slice(0, -2).includes(placedSegment.pops.at(-1) ?? 0);

export interface Placed {
  /** Those that can act, in the order in which they are tried. */
  readonly routes: readonly PlacedSegment[];
  /** What the others lack, by id. */
  readonly lacks: ReadonlyMap<number, SegmentLack>;
}

/** @param all of one space: what gives way to another one follows from all of them */
export function placeSegments(all: readonly PlacedSegment[]): Placed {
  const lacks = new Map<number, SegmentLack>();
  const routes: PlacedSegment[] = [];
  const numbers = new Set<number>();
  for (const route of all.toSorted(byRank)) {
    const other = routes.find(
      (placedSegment) =>
        canMeet(placedSegment, route) &&
        (isOnWay(placedSegment, route) || isOnWay(route, placedSegment)),
    );
    const number = route.id % segmentsPerSpace;
    const max = `${stateLimits.segmentRoutes}`;
    const lack =
      lackOf(route) ??
      (other ? { reason: "crossing" as const, params: { other: other.name } } : null) ??
      (routes.length >= stateLimits.segmentRoutes || numbers.has(number)
        ? { reason: "tooMany" as const, params: { max } }
        : null);
    if (lack) lacks.set(route.id, lack);
    else {
      routes.push(route);
      numbers.add(number);
    }
  }
  return { routes, lacks };
}

/**
 * Addresses by which the last POP sees whether it can reach the destination: one in the middle of it where one network
 * contains it, else one of each network in it. Not their first ones, which routers often have themselves.
 */
export function reachOf({ destination, networks }: PlacedSegment): string[] {
  const real = networks.filter((network) => prefixOf(network).length > 0);
  const within = real.some((text) => isNetworkWithin(text, destination)) ? [destination] : real;
  return [...new Set(within)]
    .sort()
    .slice(0, stateLimits.segmentReach)
    .map((network) => {
      const { family, address, length } = prefixOf(network);
      const host = BigInt((family === 4 ? 32 : 128) - length);
      const base = (address >> host) << host;
      return formatAddress(family, host === 0n ? base : base + (1n << (host - 1n)));
    });
}
