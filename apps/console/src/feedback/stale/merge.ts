import type { StaleRow } from "@weft/contract/kernel/row-version.ts";

type Values = Readonly<Record<string, unknown>>;

/** What two edits of one row come to, field by field. */
export interface Merge {
  /** Changed by the other alone: taken over. */
  readonly theirs: readonly string[];
  /** Changed here alone: kept. */
  readonly mine: readonly string[];
  /** Changed by both, to different values: the user has to choose. */
  readonly both: readonly string[];
}

/** What an edit met, and how the two came together. */
export interface Met {
  readonly changes: StaleRow["changes"];
  readonly base: Values;
  readonly stored: Values;
  readonly mine: Values;
  readonly merge: Merge;
}

const known = (value: unknown): unknown => (value === "" || value === undefined ? null : value);

/** Empty text, null and what is missing are the same nothing. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(known(one)) === JSON.stringify(known(other));

/**
 * Compares three states of a row: what the form began with, what it holds, and what is stored now.
 * Only fields that the stored row has can have been changed by someone else.
 */
export const mergeOf = (base: Values, mine: Values, stored: Values): Merge => {
  const merge = { theirs: [] as string[], mine: [] as string[], both: [] as string[] };
  for (const name of new Set([...Object.keys(mine), ...Object.keys(stored)])) {
    const byMe = !isSame(base[name], mine[name]);
    const byThem = name in stored && !isSame(base[name], stored[name]);
    if (byMe && byThem) {
      if (!isSame(mine[name], stored[name])) merge.both.push(name);
    } else if (byMe) merge.mine.push(name);
    else if (byThem) merge.theirs.push(name);
  }
  return merge;
};
