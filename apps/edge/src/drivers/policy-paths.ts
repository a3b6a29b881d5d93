/**
 * Paths of policy routes beside that of the WAN links: a table of routing for each next hop, which packets are led to by
 * their mark (the field `path`), another destination, or another time to live. Pure.
 */

import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import { type PolicyRoute, pathKeyOf } from "@weft/contract/device/v1/policy.ts";
import { canonicalAddress, familyOf } from "./address.ts";

/** What becomes of the address of a flow: the low two bits of the field. */
const kinds = { nat: 0, plain: 1, cone: 2, symmetric: 3 } as const;
export type PathKind = keyof typeof kinds;
const kindBits = 3;

/** Of the field `path`, the values that policy routes have: 16 to 79. */
const first = 16;

/** Value of the mark's field for flows of a path. @param number 0: by the WAN links */
export const pathValue = (number: number, kind: PathKind): number =>
  markValue("path", first + number * (kindBits + 1) + kinds[kind]);

/** Bits of the mark that name the path, whatever becomes of the address. */
export const pathMask = markMask("path") - markValue("path", kindBits);

/** One for each of the four blocks of values, as conntrack(8) selects flows by their mark: all that routes sent. */
export const pathBlocks = [1, 2, 3, 4].map((block) => ({
  value: markValue("path", block * first),
  mask: markMask("path") - markValue("path", first - 1),
}));

/** Not all packets of a path go elsewhere: those with another time to live leave by their WAN link. */
export const leadsElsewhere = ({ hop, destination }: PolicyPath): boolean =>
  hop !== null || destination !== null;

export interface PolicyPath {
  /** 1 to 15. */
  readonly number: number;
  /** Null: to where routing, or a WAN link, leads. */
  readonly hop: NonNullable<PolicyRoute["hop"]> | null;
  /** What the destination becomes; null: it stays. */
  readonly destination: string | null;
  /** What is added to the time to live of its packets. */
  readonly ttlIncrement: number;
  /** Of the flows that take it, and of packets to a next hop. */
  readonly mark: number;
}

const hash = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_521, 7);

/**
 * Numbers of paths by their key. A number follows from the key and mostly stays when others come and go: flows
 * whose number names another path from now on would be sent there.
 */
const numbered = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  for (const key of [...new Set(keys)].sort().slice(0, stateLimits.policyPaths)) {
    let at = hash(key) % stateLimits.policyPaths;
    while (taken.has(at)) at = (at + 1) % stateLimits.policyPaths;
    taken.add(at);
    numbers.set(key, at + 1);
  }
  return numbers;
};

/** The path of each route that has one of its own, by id of the route. */
export const policyPaths = (routes: readonly PolicyRoute[]): ReadonlyMap<number, PolicyPath> => {
  const numbers = numbered(routes.flatMap((route) => pathKeyOf(route) ?? []));
  return new Map(
    routes.flatMap((route) => {
      const number = numbers.get(pathKeyOf(route) ?? "");
      if (number === undefined) return [];
      const { hop, destination, ttlIncrement = 0 } = route;
      const path = {
        number,
        mark: pathValue(number, "nat"),
        ttlIncrement,
        hop: hop ? { ...hop, address: canonicalAddress(hop.address) } : null,
        destination: destination === undefined ? null : canonicalAddress(destination),
      };
      return [[route.id, path]];
    }),
  );
};

export const pathPriority = 1_700;
export const endPriority = 1_900;
/** Table of routing of a WAN link. */
export const lineTable = (slot: number): number => 100 + slot;

/** Table of routing of a path by its number. */
export const pathTable = (number: number): number => 1_000 + number;

/** Number of the table of routing that a mark leads to. */
export const tableOfMark = (mark: number): string => {
  const slot = mark / markValue("line", 1);
  return slot >= 1
    ? `${lineTable(slot)}`
    : `${pathTable((mark / markValue("path", 1) - first) / (kindBits + 1))}`;
};

/** Each next hop once. */
const each = (routes: readonly PolicyRoute[]) => [
  ...new Map(
    [...policyPaths(routes).values()].flatMap(({ number, mark, hop }) =>
      hop ? [[number, { number, mark, ...hop }]] : [],
    ),
  ).values(),
];

/** A rule as the underlay sets it (underlay/render.ts). */
interface Rule {
  readonly family: 4 | 6;
  readonly priority: number;
  readonly text: string;
}

/** A path without its hop leads nowhere: new flows are not given its mark then (firewall/policy-routes.ts). */
export const hopRules = (routes: readonly PolicyRoute[]): Rule[] =>
  each(routes).flatMap(({ number, mark }) => {
    const selector = `fwmark ${markText(mark)}/${markText(pathMask)}`;
    return ([4, 6] as const).flatMap((family) => [
      {
        family,
        priority: pathPriority + number,
        text: `${selector} lookup ${pathTable(number)}`,
      },
      { family, priority: endPriority + number, text: `${selector} unreachable` },
    ]);
  });

/** A route as the underlay sets it. */
interface Route {
  readonly family: 4 | 6;
  readonly table: string;
  readonly destination: string;
  readonly gateway: string;
  readonly dev: string;
  readonly metric: number;
}

export const hopRoutes = (routes: readonly PolicyRoute[]): Route[] =>
  each(routes).map(({ number, address, interfaceName }) => ({
    family: familyOf(address),
    table: `${pathTable(number)}`,
    destination: "default",
    gateway: address,
    dev: interfaceName,
    metric: 100,
  }));
