/**
 * Which POPs of its space a site is linked with, and which of them it prefers: those of the POP strategy
 * that its enterprise chose, in the strategy's order, or of all of them the nearest (ADR 0028). Pure.
 */
import { type Spot, stepsBetween } from "./nearness.ts";

/** Rank of the POP of a link for its site: 0 the most wanted; null: none of its own. */
export type Place = number | null;

export interface PlacedSite {
  readonly id: number;
  readonly enterprise: number;
  readonly spot: Spot;
  /** POPs that it has links with that are to stay, with their places. */
  readonly has: ReadonlyMap<number, Place>;
}

export interface PlacedPop {
  readonly id: number;
  readonly spot: Spot;
  /** kbit/s; null: not known. */
  readonly bandwidth: number | null;
  /** False: it keeps the links that it has and gets no new ones. */
  readonly isOpen: boolean;
  /** Sites of other spaces that prefer it. */
  readonly load: number;
}

/** POP strategy that an enterprise chose. */
export interface Choice {
  readonly strategy: string;
  /** Its POPs in order; those of one tier are alike. */
  readonly tiers: readonly (readonly number[])[];
}

export interface PlaceView {
  readonly sites: readonly PlacedSite[];
  readonly pops: readonly PlacedPop[];
  /** By enterprise; one without chose none: the controller does. */
  readonly choices: ReadonlyMap<number, Choice>;
}

export interface PlacedAt {
  /** POPs that the site is linked with, the most wanted first. */
  readonly places: ReadonlyMap<number, Place>;
  /** POPs that it would be linked with if they took new links. */
  readonly closed: readonly number[];
}

/**
 * Tiers of a strategy: a POP comes where its list names it, and all POPs of a group of the strategy
 * where the first of them does; groups of which the list names none follow.
 * @param only of these POPs only; empty: of all
 */
export function tiersOf(
  list: readonly number[],
  groups: readonly (readonly number[])[],
  only: readonly number[],
): number[][] {
  const allowed = (id: number): boolean => only.length === 0 || only.includes(id);
  const taken = new Set<number>();
  const take = (ids: readonly number[]): number[] => {
    const fresh = [...new Set(ids)].filter((id) => !taken.has(id));
    for (const id of fresh) taken.add(id);
    return fresh.filter(allowed);
  };
  const listed = list.map((id) =>
    taken.has(id) ? [] : take([id, ...(groups.find((group) => group.includes(id)) ?? [])]),
  );
  return [...listed, ...groups.map(take)].filter((tier) => tier.length > 0);
}

interface Ranked {
  readonly pop: PlacedPop;
  /** Steps of 100 km; null: not known, which comes last. */
  readonly steps: number | null;
}

/** Load of a POP; where all that are compared state their bandwidth, that of each of their Mbit/s. */
function loadsOf(tier: readonly PlacedPop[], loads: ReadonlyMap<number, number>) {
  const isMeasured = tier.every(({ bandwidth }) => (bandwidth ?? 0) > 0);
  return ({ id, bandwidth }: PlacedPop): number =>
    (loads.get(id) ?? 0) / (isMeasured ? (bandwidth ?? 1) / 1_000 : 1);
}

const byNumber = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);

/**
 * POPs of one tier: the nearest first; of those equally near what the site has keeps its place, so that a
 * new POP or a change of load moves no site, and among new ones the least loaded comes first.
 */
function inOrder(
  site: PlacedSite,
  tier: readonly PlacedPop[],
  loads: ReadonlyMap<number, number>,
): Ranked[] {
  const loadOf = loadsOf(tier, loads);
  // A link without a place of its own was preferred to none, and none to it.
  const heldAt = ({ id }: PlacedPop): number =>
    site.has.has(id) ? (site.has.get(id) ?? 0) : Number.POSITIVE_INFINITY;
  return tier
    .map((pop) => ({ pop, steps: stepsBetween(site.spot, pop.spot) }))
    .sort(
      (a, b) =>
        byNumber(a.steps ?? Number.POSITIVE_INFINITY, b.steps ?? Number.POSITIVE_INFINITY) ||
        byNumber(heldAt(a.pop), heldAt(b.pop)) ||
        byNumber(loadOf(a.pop), loadOf(b.pop)),
    );
}

function placeSite(
  site: PlacedSite,
  tiers: readonly (readonly PlacedPop[])[],
  { isChosen, loads }: { readonly isChosen: boolean; readonly loads: ReadonlyMap<number, number> },
): PlacedAt {
  const takes = (pop: PlacedPop): boolean => pop.isOpen || site.has.has(pop.id);
  const ranked = tiers.flatMap((tier) => inOrder(site, tier.filter(takes), loads));
  // Without a strategy, and with nothing that says which is near, they share the site's traffic.
  const isOrdered = ranked.length > 1 && (isChosen || ranked.some(({ steps }) => steps !== null));
  return {
    places: new Map(ranked.map(({ pop }, at) => [pop.id, isOrdered ? at : null])),
    closed: tiers.flat().flatMap((pop) => (takes(pop) ? [] : [pop.id])),
  };
}

/** POPs that a site prefers to none: the first one, or those that share its traffic. */
const preferred = (places: ReadonlyMap<number, Place>): number[] =>
  [...places].flatMap(([id, place]) => ((place ?? 0) === 0 ? [id] : []));

/**
 * POPs of every site, by its id. The order of rows does not matter, and what it gives stays when it is
 * asked again with the links that follow from it.
 */
export function placeSites({ sites, pops, choices }: PlaceView): Map<number, PlacedAt> {
  const known = new Map(pops.map((pop) => [pop.id, pop]));
  const inIdOrder = pops.toSorted((a, b) => a.id - b.id);
  const loads = new Map(pops.map(({ id, load }) => [id, load]));
  const count = (places: ReadonlyMap<number, Place>, by: number): void => {
    for (const id of preferred(places)) loads.set(id, (loads.get(id) ?? 0) + by);
  };
  for (const { has } of sites) count(has, 1);
  const placed = new Map<number, PlacedAt>();
  for (const site of sites.toSorted((a, b) => a.id - b.id)) {
    const choice = choices.get(site.enterprise);
    const tiers = choice
      ? choice.tiers.map((tier) => tier.flatMap((id) => known.get(id) ?? []))
      : [inIdOrder];
    count(site.has, -1);
    const at = placeSite(site, tiers, { isChosen: choice !== undefined, loads });
    count(at.places, 1);
    placed.set(site.id, at);
  }
  return placed;
}
