/** Steps to the rules of segment routes. Pure. */
import { phases, type Step } from "#drivers/driver.ts";
import type { KeptRoute, SegmentPlace, SegmentRule } from "./render.ts";

export type SegmentPart = readonly SegmentPlace[];

export interface FoundPlace {
  readonly netns: string | null;
  readonly rules: readonly SegmentRule[];
  readonly kept: readonly KeptRoute[];
}

interface Placed extends Step {
  readonly driver: "segment";
  readonly netns: string | null;
}
interface RuleStep extends Placed {
  readonly kind: "add-rule" | "del-rule";
  readonly rule: SegmentRule;
}
interface KeptStep extends Placed {
  readonly kind: "keep" | "unkeep";
  readonly route: KeptRoute;
}
export type SegmentStep = RuleStep | KeptStep;

const ruleText = ({ family, priority, text }: SegmentRule): string =>
  `IPv${family} ${priority} ${text}`;
const keptText = ({ table, network }: KeptRoute): string => `${network} out of table ${table}`;

/** Those of the first list that the second one lacks. */
const beyond = <Item>(
  items: readonly Item[],
  others: readonly Item[],
  text: (item: Item) => string,
): Item[] => {
  const there = new Set(others.map(text));
  return items.filter((item) => !there.has(text(item)));
};

const none: Omit<FoundPlace, "netns"> = { rules: [], kept: [] };

const placeSteps = (
  netns: string | null,
  wanted: Omit<FoundPlace, "netns">,
  found: Omit<FoundPlace, "netns">,
): SegmentStep[] => {
  const add = { driver: "segment", phase: phases.addRouting, netns } as const;
  const remove = { driver: "segment", phase: phases.removeRouting, netns } as const;
  return [
    // Before the rule: what is kept must not be led away for a moment.
    ...beyond(wanted.kept, found.kept, keptText).map(
      (route): SegmentStep => ({ ...add, kind: "keep", route, summary: `keep ${keptText(route)}` }),
    ),
    ...beyond(wanted.rules, found.rules, ruleText).map(
      (rule): SegmentStep => ({
        ...add,
        kind: "add-rule",
        rule,
        summary: `add rule ${ruleText(rule)}`,
      }),
    ),
    ...beyond(found.rules, wanted.rules, ruleText).map(
      (rule): SegmentStep => ({
        ...remove,
        kind: "del-rule",
        rule,
        summary: `delete rule ${ruleText(rule)}`,
      }),
    ),
    ...beyond(found.kept, wanted.kept, keptText).map(
      (route): SegmentStep => ({
        ...remove,
        kind: "unkeep",
        route,
        summary: `no longer keep ${keptText(route)}`,
      }),
    ),
  ];
};

export const planSegments = (part: SegmentPart, observed: readonly FoundPlace[]): SegmentStep[] => [
  ...part.flatMap((place) =>
    placeSteps(place.netns, place, observed.find(({ netns }) => netns === place.netns) ?? none),
  ),
  ...observed
    .filter(({ netns }) => !part.some((place) => place.netns === netns))
    .flatMap((place) => placeSteps(place.netns, none, place)),
];
