/**
 * Which hosts of a site the same rules about names are tried for. Each such class has a resolver of its own on the device,
 * so there are at most `nameFilters` of them. Pure.
 */
import { stateLimits } from "#contract/device/v1/limits.ts";
import { formatAddress, spanOf } from "#rules/address.ts";

type Family = 4 | 6;

/** Addresses that rules name: each an address, a range `from-to`, or a prefix. */
interface HostSet {
  readonly id: number;
  readonly members: readonly string[];
}

/** What of a rule decides which hosts it is tried for. */
export interface Sourced {
  /** Id of a set; null: all hosts. */
  readonly sources: number | null;
  readonly denies: boolean;
}

/** Hosts for which the same rules are tried. */
export interface HostClass<Rule extends Sourced> {
  /** In their order; what comes after the last one that denies decides nothing. */
  readonly rules: readonly Rule[];
  /** "first-last" or one address, in order; null: all hosts that are in no other class. */
  readonly hosts: Readonly<Record<Family, readonly string[]>> | null;
}

interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

const textOf = (family: Family, { first, last }: Span): string =>
  first === last
    ? formatAddress(family, first)
    : `${formatAddress(family, first)}-${formatAddress(family, last)}`;

interface Edge {
  readonly at: bigint;
  readonly set: number;
  readonly change: 1 | -1;
}

/** Where sets begin and end, in order. */
const edgesOf = (sets: readonly HostSet[], family: Family): Edge[] =>
  sets
    .flatMap(({ id, members }) =>
      members.flatMap((member): Edge[] => {
        const span = spanOf(member);
        return span?.family === family
          ? [
              { at: span.first, set: id, change: 1 },
              { at: span.last + 1n, set: id, change: -1 },
            ]
          : [];
      }),
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** Addresses that are in sets, with the sets that they are in: each stretch as one span. */
const stretches = (
  sets: readonly HostSet[],
  family: Family,
): { readonly span: Span; readonly within: readonly number[] }[] => {
  const open = new Map<number, number>();
  const parts: { span: Span; within: number[] }[] = [];
  let from = 0n;
  for (const { at, set, change } of edgesOf(sets, family)) {
    if (at > from && open.size > 0)
      parts.push({ span: { first: from, last: at - 1n }, within: [...open.keys()] });
    from = at;
    const count = (open.get(set) ?? 0) + change;
    if (count === 0) open.delete(set);
    else open.set(set, count);
  }
  return parts;
};

/** Places of the rules that are tried for hosts in these sets; after the last one that denies there is nothing to decide. */
const triedFor = (rules: readonly Sourced[], within: readonly number[]): number[] => {
  const tried = [...rules.entries()].filter(
    ([, { sources }]) => sources === null || within.includes(sources),
  );
  const last = tried.findLastIndex(([, { denies }]) => denies);
  return tried.slice(0, last + 1).map(([at]) => at);
};

/** A span that goes on where the last one ends becomes one with it. */
const append = (spans: Span[], span: Span): void => {
  const before = spans.at(-1);
  if (before && before.last + 1n === span.first)
    spans[spans.length - 1] = { first: before.first, last: span.last };
  else spans.push(span);
};

/**
 * Classes of hosts that rules are tried for, in an order that follows from rules and sets alone; that of all other hosts is the last one.
 * @param sets those that rules name, and maybe others
 */
export const hostClasses = <Rule extends Sourced>(
  rules: readonly Rule[],
  sets: readonly HostSet[],
): HostClass<Rule>[] => {
  const named = new Set(rules.flatMap(({ sources }) => sources ?? []));
  const used = sets.filter(({ id }) => named.has(id));
  const byPlaces = new Map<string, { places: number[]; spans: Record<Family, Span[]> }>();
  const rest = triedFor(rules, []);
  for (const family of [4, 6] as const)
    for (const { span, within } of stretches(used, family)) {
      const places = triedFor(rules, within);
      const key = places.join();
      // As all other hosts.
      if (key === rest.join()) continue;
      const known = byPlaces.get(key) ?? { places, spans: { 4: [], 6: [] } };
      byPlaces.set(key, known);
      append(known.spans[family], span);
    }
  const rulesAt = (places: readonly number[]): Rule[] =>
    places.flatMap((place) => rules[place] ?? []);
  const classes = [...byPlaces.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { places, spans }]) => ({
      rules: rulesAt(places),
      hosts: {
        4: spans[4].map((span) => textOf(4, span)),
        6: spans[6].map((span) => textOf(6, span)),
      },
    }));
  return rest.length > 0 ? [...classes, { rules: rulesAt(rest), hosts: null }] : classes;
};

/** Whether a device has room for the classes of hosts that IP groups make. */
export const hasFilterRoom = (rules: readonly Sourced[], sets: readonly HostSet[]): boolean =>
  hostClasses(rules, sets).filter(({ hosts }) => hosts !== null).length <= stateLimits.nameFilters;

/**
 * How many of the first rules a device has room for. All after one that it has no room for are left out with it: without
 * an exception before it, a rule would deny too much.
 */
export const actingRules = (rules: readonly Sourced[], sets: readonly HostSet[]): number => {
  if (hasFilterRoom(rules, sets)) return rules.length;
  // A further rule divides classes, and never joins two.
  let [fitting, tooMany] = [0, rules.length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (hasFilterRoom(rules.slice(0, middle), sets)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
};

export const rulesThatDeny = <Rule extends Pick<Sourced, "denies">>(
  rules: readonly Rule[],
): Rule[] => rules.filter(({ denies }) => denies);
