import type { StaleRow } from "@weft/contract/kernel/row-version.ts";

type Values = Readonly<Record<string, unknown>>;

/** The result of two edits of one row, field by field. */
export interface Merge {
  /** Changed by the other user only: applied. */
  readonly theirs: readonly string[];
  /** Changed here only: kept. */
  readonly mine: readonly string[];
  /** Changed by both, to different values: the user must select one. */
  readonly both: readonly string[];
}

/** The row that an edit conflicted with, and the result of the merge. */
export interface Met {
  readonly changes: StaleRow["changes"];
  readonly base: Values;
  readonly stored: Values;
  readonly mine: Values;
  readonly merge: Merge;
}

const known = (value: unknown): unknown => (value === "" || value === undefined ? null : value);

/** An empty text, null and a missing value count as the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(known(one)) === JSON.stringify(known(other));

/**
 * Compares three states of a row: the initial values of the form, its current values, and the stored row.
 * Only fields of the stored row can have been changed by another user.
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
