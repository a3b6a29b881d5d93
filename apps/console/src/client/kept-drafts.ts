/**
 * What forms held when the session ended, for the same person in the same tab: it is in the form again after the login.
 * Passwords and keys are never kept.
 */
import { entrance } from "./entrance.ts";

type Values = Readonly<Record<string, unknown>>;

interface Kept {
  readonly userId: number;
  readonly values: Values;
}

const storageKey = "drafts";
const isSecret = (name: string): boolean => /password|psw|secret|token|key/i.test(name);

/** Dates are the only values of forms that JSON does not bring back. */
const dateMark = "$date";

const toJson = (value: unknown): unknown => {
  if (value instanceof Date) return { [dateMark]: value.getTime() };
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toJson(one)]));
};

const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== "object" || value === null) return value;
  const at = (value as Values)[dateMark];
  if (at !== undefined) return new Date(typeof at === "number" ? at : Number.NaN);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fromJson(one)]));
};

const readAll = (storage: Storage): Record<string, Kept> => {
  try {
    return JSON.parse(storage.getItem(storageKey) ?? "{}") as Record<string, Kept>;
  } catch {
    return {};
  }
};

const write = (storage: Storage, all: Readonly<Record<string, Kept>>): void => {
  try {
    if (Object.keys(all).length === 0) storage.removeItem(storageKey);
    else storage.setItem(storageKey, JSON.stringify(all));
  } catch {
    // A browser without room or storage keeps no drafts.
  }
};

/** A form by its address, which the login leads back to, and by its fields: a page may have several. */
export const draftKey = (fields: readonly string[]): string | null =>
  location.pathname === entrance.login
    ? null
    : `${location.pathname}${location.search} ${fields.join()}`;

/** Keeps the changed values of a form. */
export function keepDraft(
  key: string,
  userId: number,
  values: Values,
  storage = sessionStorage,
): void {
  const open = Object.entries(values).filter(([name]) => !isSecret(name));
  if (open.length === 0) return;
  const kept = { userId, values: toJson(Object.fromEntries(open)) as Values };
  write(storage, { ...readAll(storage), [key]: kept });
}

/** What was kept of a form, once; null: nothing, or of somebody else. */
export function takeDraft(key: string, userId: number, storage = sessionStorage): Values | null {
  const { [key]: kept, ...others } = readAll(storage);
  if (!kept) return null;
  write(storage, others);
  return kept.userId === userId ? (fromJson(kept.values) as Values) : null;
}
