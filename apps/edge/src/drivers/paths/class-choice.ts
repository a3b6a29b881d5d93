/**
 * A choice of links for each class of traffic, beside that of traffic without a class: the same rules over the limits of
 * the class. Pure but for what it remembers.
 */
import {
  type SpacePaths,
  type TrafficClass,
  trafficClasses,
} from "@weft/contract/device/v1/path-classes.ts";
import type { Group } from "./candidates.ts";
import { Choice, type Move, type Rank } from "./choice.ts";
import type { Measured } from "./quality.ts";
import { classPreference } from "./special-links.ts";

/** Ranks other than 0 by class and link. */
export type ClassRanks = ReadonlyMap<TrafficClass, ReadonlyMap<number, Rank>>;

export type MeasuredByClass = ReadonlyMap<number, ReadonlyMap<TrafficClass | null, Measured>>;

/** Of the links for one class; links of spaces without it are left out. */
export const measuredFor = (
  measured: MeasuredByClass,
  name: TrafficClass | null,
): ReadonlyMap<number, Measured> =>
  new Map(
    [...measured].flatMap(([id, byClass]) => {
      const ofClass = byClass.get(name);
      return ofClass ? [[id, ofClass] as const] : [];
    }),
  );

export class ClassChoices {
  readonly #returnAfterMs: () => number;
  readonly #choices = new Map<TrafficClass, Choice>();

  /** @param returnAfterMs for which a link that was left stays behind at least */
  constructor(returnAfterMs: () => number) {
    this.#returnAfterMs = returnAfterMs;
  }

  /** The spaces of a state; links that a class left before a restart of the program stay behind. */
  keep(
    spaces: readonly SpacePaths[],
    groups: readonly Group[],
    left: ClassRanks,
    now: number,
  ): void {
    const special = new Set(spaces.flatMap((space) => space.special ?? []));
    for (const name of trafficClasses) {
      const within = new Set(
        spaces.flatMap(({ spaceId, classes }) =>
          classes.some((candidate) => candidate.name === name) ? [spaceId] : [],
        ),
      );
      if (within.size === 0) {
        this.#choices.delete(name);
        continue;
      }
      const choice = this.#choices.get(name) ?? new Choice(this.#returnAfterMs);
      this.#choices.set(name, choice);
      const ownGroups = groups
        .filter(({ links: [first] }) => first && within.has(first.spaceId))
        .map(({ key, links }) => ({
          key,
          links: links.map((link) => ({
            ...link,
            preference: classPreference(name, link, special),
          })),
        }));
      choice.keep(ownGroups, left.get(name) ?? new Map(), now);
    }
  }

  get ranks(): ClassRanks {
    return new Map([...this.#choices].map(([name, { ranks }]) => [name, ranks]));
  }

  /** Links that carry traffic of some class. */
  get used(): ReadonlySet<number> {
    return new Set([...this.#choices.values()].flatMap(({ used }) => [...used]));
  }

  /** Links that carry traffic of one class. */
  usedBy(name: TrafficClass): ReadonlySet<number> {
    return this.#choices.get(name)?.used ?? new Set();
  }

  /** Links that carry traffic of a class to where other traffic goes by other links. */
  exceptions(others: ReadonlyMap<string, readonly number[]>): ReadonlySet<number> {
    const apart = [...this.#choices.values()].flatMap(({ usedByGroup }) =>
      [...usedByGroup].flatMap(([key, ids]) => ids.filter((id) => !others.get(key)?.includes(id))),
    );
    return new Set(apart);
  }

  /** Classes whose traffic goes by the link. */
  classesOn(id: number): TrafficClass[] {
    return [...this.#choices].flatMap(([name, { used }]) => (used.has(id) ? [name] : []));
  }

  /** @returns what moved */
  take(measured: MeasuredByClass, now: number): Move[] {
    return [...this.#choices].flatMap(([trafficClass, choice]) =>
      choice
        .take(measuredFor(measured, trafficClass), now)
        .map((move) => ({ ...move, trafficClass })),
    );
  }

  /** Links that might take the traffic of a bad one, and are not known well enough for it. */
  unsure(measured: MeasuredByClass): number[] {
    return [...this.#choices].flatMap(([name, choice]) =>
      choice.unsure(measuredFor(measured, name)),
    );
  }
}
