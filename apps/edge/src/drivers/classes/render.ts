/**
 * How packets of a class of traffic find the links of their class: a mark by code point, and a rule that has the table
 * of the class looked up before all others. The table has exceptions only (routes.ts): what is not in it is routed as
 * ever. Pure.
 */
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import {
  type ClassPath,
  classTable,
  type TrafficClass,
  trafficClasses,
} from "@weft/contract/device/v1/path-classes.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";

export interface ClassRule {
  readonly family: 4 | 6;
  readonly priority: number;
  /** Selector and action as ip-rule(8) takes them. */
  readonly text: string;
}

/** What one namespace has for the classes of its space; netns null is the main one. */
export interface ClassPlace {
  readonly netns: string | null;
  readonly rules: readonly ClassRule[];
  /** The table of nft(8). */
  readonly marking: string;
}

/**
 * Behind segment routes (segment/render.ts), which lead more special flows, and on a CPE before those of hosts that
 * leave by the space (central.ts).
 */
const priority = { site: 1_490, space: 2_300 } as const;

const isWithin = (at: number, from: number): boolean =>
  at >= from && at < from + trafficClasses.length;
/** Whether a rule of ours is one of these. */
export const isClassRule = (at: number): boolean =>
  isWithin(at, priority.site) || isWithin(at, priority.space);

/** Whether a table, by its number as ip(8) shows it, is one of a class. */
export const isClassTable = (table: string): boolean =>
  trafficClasses.some((name) => `${classTable(name)}` === table);

export const markingTable = "weft_classes";

/** Of the field `path`: policy routes have the values from 16 on. */
const markOf = (name: TrafficClass): string =>
  markText(markValue("path", trafficClasses.indexOf(name) + 1));
const pathBits = markText(markMask("path"));
/** Packets that a policy route, or a WAN link, has taken already stay there. */
const taken = markText(markMask("path") + markMask("line"));

const markingOf = (classes: readonly ClassPath[]): string => {
  const rules = classes.flatMap(({ name, dscp }) => {
    const points = `{ ${[...dscp].sort((a, b) => a - b).join(", ")} }`;
    return ["ip", "ip6"].map(
      (family) => `${family} dscp ${points} meta mark set meta mark | ${markOf(name)}`,
    );
  });
  const lines = [
    "type filter hook prerouting priority mangle + 5; policy accept;",
    `meta mark & ${taken} != 0x0 return`,
    ...rules,
  ];
  return `table inet ${markingTable} {\nchain classify {\n${lines.join("\n")}\n}\n}\n`;
};

const rulesOf = (netns: string | null, classes: readonly ClassPath[]): ClassRule[] =>
  classes.flatMap(({ name }) => {
    const from = netns === null ? priority.site : priority.space;
    const text = `fwmark ${markOf(name)}/${pathBits} lookup ${classTable(name)}`;
    return ([4, 6] as const).map((family) => ({
      family,
      text,
      priority: from + trafficClasses.indexOf(name),
    }));
  });

export const classPlacesOf = (state: DesiredState | null): ClassPlace[] =>
  (state?.paths?.spaces ?? []).flatMap(({ spaceId, classes }): ClassPlace[] => {
    const routing = state?.routings.find((routing) => routing.spaceId === spaceId);
    if (!routing || classes.length === 0) return [];
    const { netns } = routing;
    return [{ netns, rules: rulesOf(netns, classes), marking: markingOf(classes) }];
  });

/** A link as routes of classes use it. */
export interface ClassLink {
  readonly id: number;
  readonly interfaceName: string;
  /** Next hops by family. */
  readonly peer: Readonly<Record<4 | 6, string>>;
  /** As the state has it: the higher is preferred. */
  readonly preference: number;
}

/** Where the traffic of classes can go in one space. */
export interface ClassSpace {
  readonly netns: string | null;
  readonly classes: readonly TrafficClass[];
  readonly links: readonly ClassLink[];
  /** Ids of those over special lines. */
  readonly special: readonly number[];
}

export const classSpacesOf = (state: DesiredState | null): ClassSpace[] =>
  (state?.paths?.spaces ?? []).flatMap(({ spaceId, classes, special = [] }): ClassSpace[] => {
    const routing = state?.routings.find((routing) => routing.spaceId === spaceId);
    if (!routing || classes.length === 0) return [];
    const links = routing.neighbors.map(
      ({ linkId, interfaceName, address4, address6, preference }) => ({
        id: linkId,
        interfaceName,
        preference,
        peer: { 4: address4, 6: address6 },
      }),
    );
    const names = classes.map(({ name }) => name);
    return [{ netns: routing.netns, classes: names, links, special }];
  });
