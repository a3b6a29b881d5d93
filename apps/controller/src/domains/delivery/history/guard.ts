/**
 * Which states wait for an operator (design section 3.2): a state that removes more than ten
 * objects, and more than its changes account for, may come from a read that went wrong. Pure.
 */
import type { Difference } from "./difference.ts";

/** A change behind the state, as far as it says what may go. */
export interface Accounting {
  /** "admin: lansection.add". */
  readonly cause: string;
  /** It names the node itself. */
  readonly own: boolean;
  /** How many other nodes it names. */
  readonly others: number;
  readonly spaces: readonly number[];
}

/** Rows that people changed or removed in those changes, by resource. */
export type WrittenRows = Readonly<Record<string, number>>;

/** Up to so many objects go without a question. */
const freeRemovals = 10;
/** Two nodes with four lines each have at most so many links in a space. */
const linksOfPair = 16;

/** Calls that change what a site brings along, but never which links it has. */
const siteOnly = /: (?:lansection|staticroute)\./;

/** An operator looked at the difference and chose the state. */
const chosen = /: nodeState\.(?:goBack|release)$/;

/** An object that people set, or that follows from what they set at another node. */
interface Removed {
  readonly kind: "line" | "lan" | "route" | "link" | "prefix";
  readonly spaceId: number | null;
  readonly key: string;
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

/** Values that a list field of an object lost. */
function lost(one: Difference, field: string): string[] {
  const values = one.fields.find((each) => each.field === field);
  const kept = new Set(textsOf(values?.new));
  return textsOf(values?.old).filter((value) => !kept.has(value));
}

/** Objects of the difference that go; what only follows from another one (a port) is not counted. */
function removedObjects(found: readonly Difference[]): Removed[] {
  const removed = found.flatMap((one): Removed[] => {
    const { kind, spaceId, change } = one;
    if (kind === "lan") return lost(one, "addresses").map((key) => ({ kind, spaceId, key }));
    if (kind === "neighbor" && change === "changed") {
      return lost(one, "accept").map((key) => ({ kind: "prefix", spaceId, key }));
    }
    if (change !== "removed") return [];
    if (kind === "announce") return [{ kind: "prefix", spaceId, key: one.key }];
    if (kind === "line" || kind === "route" || kind === "link") {
      return [{ kind, spaceId, key: one.key }];
    }
    return [];
  });
  // A prefix that is filtered at many links is one prefix.
  return [...new Map(removed.map((one) => [JSON.stringify(one), one])).values()];
}

/** How many objects of a kind the changes may take, besides what `isWide` says. */
function allowance(kind: Removed["kind"], causes: readonly Accounting[], rows: WrittenRows) {
  // An address of each family, and its prefix.
  const sections = 2 * (rows.lansection ?? 0);
  const routes = rows.staticroute ?? 0;
  const peers = causes.filter(({ cause }) => !siteOnly.test(cause));
  switch (kind) {
    case "line":
      return rows.line ?? 0;
    case "lan":
      return sections;
    case "route":
      return routes;
    case "prefix":
      return sections + routes;
    case "link":
      return peers.reduce((sum, { others }) => sum + others * linksOfPair, 0);
  }
}

/** True where a change reaches every link and network of the node in that space. */
const isWide = (spaceId: number | null, causes: readonly Accounting[]): boolean =>
  spaceId !== null &&
  causes.some(
    ({ own, spaces, cause }) => spaces.includes(spaceId) || (own && !siteOnly.test(cause)),
  );

export interface Removals {
  readonly removed: number;
  /** Removed objects that no change accounts for. */
  readonly unaccounted: number;
  readonly held: boolean;
}

/** Weighs what a new state takes away against the changes that it came from. */
export function weighRemovals(
  found: readonly Difference[],
  causes: readonly Accounting[],
  rows: WrittenRows,
): Removals {
  const removed = removedObjects(found);
  let unaccounted = 0;
  for (const kind of ["line", "lan", "route", "link", "prefix"] as const) {
    const open = removed.filter((one) => one.kind === kind && !isWide(one.spaceId, causes));
    unaccounted += Math.max(0, open.length - allowance(kind, causes, rows));
  }
  const isChosen = causes.some(({ own, cause }) => own && chosen.test(cause));
  const held = removed.length > freeRemovals && unaccounted > 0 && !isChosen;
  return { removed: removed.length, unaccounted, held };
}
