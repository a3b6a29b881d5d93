/**
 * Which states wait for an operator (design section 3.2): a state that removes more than ten
 * objects, and more than its changes account for, may come from a read that went wrong. Pure.
 */

import { findDeclaration } from "@weft/contract/device/v1/sections.ts";
import type { Difference } from "#domains/delivery/history/public.ts";
import {
  type Account,
  accountOf,
  type Cause,
  isChosen,
  type Removed,
  type WrittenRow,
} from "./accounting.ts";

/** Up to this many objects are removed without approval. */
const freeRemovals = 10;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

/** Values that a list field of an object lost. */
function lost(difference: Difference, field: string): string[] {
  const values = difference.fields.find((each) => each.field === field);
  const kept = new Set(textsOf(values?.new));
  return textsOf(values?.old).filter((value) => !kept.has(value));
}

/** The rule of the list that an object is a member of. */
const ruleOf = (difference: Difference) =>
  Object.values(findDeclaration(difference.section)?.fields ?? {}).find(
    ({ list }) => list?.kind === difference.kind,
  );

/** What one entry of a difference takes away, each kind as the table says. */
function removedBy(difference: Difference): Removed[] {
  const { spaceId, change } = difference;
  const had = Object.fromEntries(difference.fields.map(({ field, old }) => [field, old]));
  if (difference.kind === "settings") {
    const rules = findDeclaration(difference.section)?.fields ?? {};
    const gone = difference.fields.filter(({ field, new: now, old }) => {
      const [name = field] = field.split(".");
      return rules[name]?.removal === "setting" && old !== null && now === null;
    });
    // A setting of several values (hour, minute) is one setting.
    const names = new Set(gone.map(({ field }) => `${difference.section}.${field.split(".")[0]}`));
    return [...names].map((key) => ({ kind: "setting", spaceId, key, had }));
  }
  const removal = ruleOf(difference)?.removal ?? "follows";
  if (removal === "follows") return [];
  if (typeof removal === "object") {
    if (removal.whileKept && change === "removed") return [];
    return lost(difference, removal.of).map((key) => ({ kind: removal.as, spaceId, key, had }));
  }
  return change === "removed" ? [{ kind: removal, spaceId, key: difference.key, had }] : [];
}

const idOf = ({ kind, spaceId, key }: Pick<Removed, "kind" | "spaceId" | "key">): string =>
  JSON.stringify([kind, spaceId, key]);

/**
 * Values that another object of their list has from now on: an address of a LAN section that is on another interface, as all
 * sections with a tag are once their device makes interfaces of VLANs.
 */
function moved(differences: readonly Difference[]): ReadonlySet<string> {
  return new Set(
    differences.flatMap((difference) => {
      const removal = ruleOf(difference)?.removal;
      if (typeof removal !== "object" || removal.whileKept) return [];
      const values = difference.fields.find(({ field }) => field === removal.of);
      const { spaceId } = difference;
      return textsOf(values?.new).map((key) => idOf({ kind: removal.as, spaceId, key }));
    }),
  );
}

/** Objects of the difference that go; what only follows from another one (a port) is not counted. */
function removedObjects(differences: readonly Difference[]): Removed[] {
  const isGone = ({ kind, change }: Difference) => kind === "settings" && change === "removed";
  const unrouted = new Set(
    differences
      .filter((difference) => difference.section === "routing" && isGone(difference))
      .map(({ spaceId }) => spaceId),
  );
  const placeOf = ({ spaceId, key }: Difference) => JSON.stringify([spaceId, key]);
  // The preference of a network goes with the network, which is counted itself.
  const withdrawn = new Set(
    differences
      .filter(({ kind, change }) => kind === "announce" && change === "removed")
      .map(placeOf),
  );
  // A link under a new key is a new link to the same other end: nothing is lost.
  const replaced = new Set(
    differences.filter(({ kind, change }) => kind === "link" && change === "added").map(peerOf),
  );
  const removed = differences
    .filter(({ kind, spaceId }) => kind !== "announce" || !unrouted.has(spaceId))
    .filter((difference) => difference.kind !== "rank" || !withdrawn.has(placeOf(difference)))
    .filter(
      (difference) =>
        difference.kind !== "link" ||
        difference.change !== "removed" ||
        !replaced.has(peerOf(difference)),
    )
    .flatMap(removedBy);
  const kept = moved(differences);
  // A prefix that is filtered at many links is one prefix.
  return [...new Map(removed.map((one) => [idOf(one), one])).values()].filter(
    (one) => !kept.has(idOf(one)),
  );
}

/** True when so few objects go that no change has to account for them. */
export const isFewRemovals = (differences: readonly Difference[]): boolean =>
  removedObjects(differences).length <= freeRemovals;

/** The other end of a link as far as a state shows: its key, and which line goes there. */
function peerOf({ spaceId, key, fields }: Difference): string {
  const of = (name: string): unknown => {
    const field = fields.find((one) => one.field === name);
    return field?.new ?? field?.old;
  };
  const peer = of("peerKey");
  return peer === undefined ? `link ${key}` : JSON.stringify([spaceId, peer, of("slot")]);
}

export interface Removals {
  readonly removed: number;
  /** Removed objects that no change accounts for. */
  readonly unaccounted: number;
  readonly held: boolean;
}

/** Input of assessRemovals. */
export interface RemovalInput {
  readonly nodeId: number;
  readonly found: readonly Difference[];
  readonly causes: readonly Cause[];
  readonly rows: readonly WrittenRow[];
  /** Ms since 1970: what ended by then went by itself. */
  readonly nowMs: number;
}

const unaccountedOf = (removed: readonly Removed[], { allowance, covers }: Account): number => {
  let unaccounted = 0;
  for (const [kind, some] of Map.groupBy(removed, (one) => one.kind)) {
    const open = some.filter((one) => !covers(one));
    unaccounted += Math.max(0, open.length - allowance[kind]);
  }
  return unaccounted;
};

/** Compares what a new state removes with the rows that users changed. */
export function assessRemovals({ nodeId, found, causes, rows, nowMs }: RemovalInput): Removals {
  const removed = removedObjects(found);
  const unaccounted = unaccountedOf(removed, accountOf({ nodeId, causes, rows, nowMs }));
  const held = removed.length > freeRemovals && unaccounted > 0 && !isChosen(causes);
  return { removed: removed.length, unaccounted, held };
}
