/**
 * Exits of acceleration in FRR (docs/adr/0043-acceleration.md): the marks of a POP are routes to the way out of its space, which
 * its sites are announced as those of segment routes are; a site has a default over the mark of each exit that it uses, in a
 * table of its own. Pure.
 */

import type { SegmentSection } from "@weft/contract/device/v1/segments.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalAddress, familyOf } from "#drivers/address.ts";
import { outerOf, type SiteExit, type SpaceExit, siteExits, spaceExits } from "#drivers/exits.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { accelerationName } from "#drivers/without-refused.ts";
import { type ConfigLine, linesOf, top } from "./lines.ts";

/** Marks with what they lead to. Ids of segment routes are positive. */
const markRoutes = (exit: SpaceExit): SegmentSection["routes"] => {
  const [outer4, outer6] = outerOf(exit);
  return exit.marks.map((mark, at) => ({
    id: -1 - at,
    destination: familyOf(mark) === 4 ? "0.0.0.0/0" : "::/0",
    sources: [],
    kept: [],
    next: null,
    own: { mark, links: null, reach: [familyOf(mark) === 4 ? outer4 : outer6] },
  }));
};

/** Segment routes with the marks of exits beside theirs. */
export const withExits = (state: DesiredState | null): SegmentSection[] => {
  const segments = state?.segments ?? [];
  const exits = state ? spaceExits(state) : [];
  const of = ({ spaceId }: { readonly spaceId: number }) =>
    exits.filter((exit) => exit.spaceId === spaceId).flatMap(markRoutes);
  const joined = segments.map((section) => ({
    ...section,
    routes: [...section.routes, ...of(section)],
  }));
  const further = exits
    .filter(({ spaceId }) => !segments.some((segment) => segment.spaceId === spaceId))
    .map((exit) => ({ spaceId: exit.spaceId, netns: exit.netns, routes: markRoutes(exit) }));
  return [...joined, ...further];
};

/** An exit of a site with the groups that leave by it; absent: a part was kept without them. */
export interface RoutedExit extends SiteExit {
  readonly about?: readonly ObjectName[];
}

export const exitStatics = (exits: readonly RoutedExit[]): ConfigLine[] =>
  exits.flatMap(({ table, mark4, mark6, about = [] }) =>
    linesOf(about, [
      top(`ip route 0.0.0.0/0 ${mark4} table ${table}`),
      top(`ipv6 route ::/0 ${mark6} table ${table}`),
    ]),
  );

const groupsBy = ({ accelerations = [] }: DesiredState, { mark4 }: SiteExit): ObjectName[] =>
  accelerations.flatMap(({ spaceId, netns, groups }) =>
    groups
      .filter(({ exit }) => netns === null && canonicalAddress(exit.mark4) === mark4)
      .map((group) => accelerationName(spaceId, group)),
  );

export const siteExitsOf = (state: DesiredState | null): RoutedExit[] =>
  state && state.routings.length > 0
    ? siteExits(state).map((exit) => ({ ...exit, about: groupsBy(state, exit) }))
    : [];
