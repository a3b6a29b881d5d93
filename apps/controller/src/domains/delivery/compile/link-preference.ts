/**
 * BGP's local preference (RFC 4271) of what comes in by a link. Pure. Both ends have the same, by the
 * caller's line and the place of its POP, so that both directions take the same way.
 */
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";

export interface PreferredLink {
  /** What an operator set; null: nothing. */
  readonly preference: number | null;
  readonly place?: number | null;
  readonly isLeaving?: boolean;
  /** The end that calls; a site calls its POP. */
  readonly a: { readonly slot: number };
}

const base = 200;
const perSlot = 10;
/** Four lines: all of a POP are preferred to any of the next one. */
const perPlace = 40;
/** POPs after this place are alike: what is left of the scale is for links that leave. */
const lastPlace = 4;
/** Sites that have a direct way use it rather than the one through a POP. */
const directBonus = 100;

/** Which nodes a link is between: two sites, a site and a POP, or two POPs. */
export type LinkEnds = "sites" | "siteAndPop" | "pops";

export const endsOf = (one: NodeKind, other: NodeKind): LinkEnds =>
  one !== other ? "siteAndPop" : one === "cpe" ? "sites" : "pops";

/**
 * Of links between POPs `base` less the slot: the first POP of a site is preferred to the way through
 * another POP, and that way to a POP of a later place. So a later POP sends what is for the site through
 * its first one, as the site does in the other direction. Where the POPs of a site have no order each of
 * them is a first one: two POPs that took the way through each other for as good as their own would send
 * packets to and fro.
 */
export function preferenceOf(link: PreferredLink, ends: LinkEnds): number {
  const less = perSlot * (link.a.slot - 1);
  // Below everything, whatever an operator prefers: its traffic moves before it goes.
  if (link.isLeaving) return 5 - link.a.slot;
  if (link.preference !== null) return link.preference;
  if (ends === "sites") return base + directBonus - less;
  if (ends === "pops") return base - less;
  const place = link.place ?? 0;
  return place === 0 ? base + perPlace - less : base - perPlace * Math.min(place, lastPlace) - less;
}
