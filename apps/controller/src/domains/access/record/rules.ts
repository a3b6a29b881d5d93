/** One value that a write changed. */
export interface Difference {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** Columns with author and time of a write, which the record has itself. */
const bookkeeping = new Set(["id", "created_at", "created_by", "updated_at", "createTime"]);

type Values = Readonly<Record<string, unknown>>;

/**
 * What a write changed, field by field. Of an added or removed row these are all values that are
 * not empty.
 */
export function differences(old: Values | null, now: Values | null): Difference[] {
  const fields = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  return [...fields]
    .filter((field) => !bookkeeping.has(field))
    .map((field) => ({ field, old: old?.[field] ?? null, new: now?.[field] ?? null }))
    .filter((one) => !sameValue(one.old, one.new));
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

function sameValue(one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  return JSON.stringify(one) === JSON.stringify(other);
}
