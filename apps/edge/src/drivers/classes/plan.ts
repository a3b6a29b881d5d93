/** Steps to the marking of classes and the rules to their tables. Pure. */
import { phases, type Step } from "#drivers/driver.ts";
import type { ClassPlace, ClassRule } from "./render.ts";

export type ClassesPart = readonly ClassPlace[];

export interface FoundClasses {
  readonly netns: string | null;
  readonly rules: readonly ClassRule[];
  /** As it was asked for, if it is still what came of it; empty: another. Null: there is none. */
  readonly marking: string | null;
}

interface Placed extends Step {
  readonly driver: "classes";
  readonly netns: string | null;
}
export type ClassesStep =
  | (Placed & { readonly kind: "mark"; readonly text: string })
  | (Placed & { readonly kind: "unmark" })
  | (Placed & { readonly kind: "add-rule" | "del-rule"; readonly rule: ClassRule });

const keyOf = ({ family, priority, text }: ClassRule): string => `IPv${family} ${priority} ${text}`;

const beyond = (some: readonly ClassRule[], others: readonly ClassRule[]): ClassRule[] => {
  const there = new Set(others.map(keyOf));
  return some.filter((classRule) => !there.has(keyOf(classRule)));
};

const placeSteps = (
  netns: string | null,
  wanted: Omit<FoundClasses, "netns">,
  found: Omit<FoundClasses, "netns">,
): ClassesStep[] => {
  const add = { driver: "classes", phase: phases.addRouting, netns } as const;
  const remove = { driver: "classes", phase: phases.removeRouting, netns } as const;
  const marks: ClassesStep[] =
    wanted.marking === null || wanted.marking === found.marking
      ? []
      : [{ ...add, kind: "mark", text: wanted.marking, summary: "mark classes of traffic" }];
  const unmarks: ClassesStep[] =
    wanted.marking !== null || found.marking === null
      ? []
      : [{ ...remove, kind: "unmark", summary: "no longer mark classes of traffic" }];
  return [
    ...marks,
    ...beyond(wanted.rules, found.rules).map(
      (rule): ClassesStep => ({
        ...add,
        kind: "add-rule",
        rule,
        summary: `add rule ${keyOf(rule)}`,
      }),
    ),
    ...beyond(found.rules, wanted.rules).map(
      (rule): ClassesStep => ({
        ...remove,
        kind: "del-rule",
        rule,
        summary: `delete rule ${keyOf(rule)}`,
      }),
    ),
    // Last: until then the place is known to have something.
    ...unmarks,
  ];
};

const none = { rules: [], marking: null };

export const planClasses = (
  part: ClassesPart,
  observed: readonly FoundClasses[],
): ClassesStep[] => [
  ...part.flatMap((place) =>
    placeSteps(place.netns, place, observed.find(({ netns }) => netns === place.netns) ?? none),
  ),
  ...observed
    .filter(({ netns }) => !part.some((place) => place.netns === netns))
    .flatMap((place) => placeSteps(place.netns, none, place)),
];
