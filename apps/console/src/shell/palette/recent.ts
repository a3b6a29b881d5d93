/** The last selections of a user, stored in this browser for each user. */
import { type Kind, kinds } from "./choice.ts";

/** How many are stored. */
const maxRecent = 8;

/** A stored selection: a row keeps its texts, because it is not fetched while nothing is typed. */
export interface Recent {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  readonly note: string;
}

type Store = Pick<Storage, "getItem" | "setItem">;

const keyOf = (userId: number): string => `palette.${userId}`;

const isRecent = (value: unknown): value is Recent => {
  const { id, kind, title, note } = (value ?? {}) as Record<string, unknown>;
  const areTexts = [id, title, note].every((text) => typeof text === "string");
  return areTexts && kinds.some((known) => known === kind);
};

/** The last selections of a user, newest first. Entries that cannot be read are ignored. */
export const readRecent = (userId: number, store: Store = localStorage): Recent[] => {
  try {
    const kept: unknown = JSON.parse(store.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, maxRecent) : [];
  } catch {
    return [];
  }
};

/** Deletes the selections of a user: at logout, because the next user of this browser may be another. */
export const forgetRecent = (userId: number, store: Pick<Storage, "removeItem"> = localStorage) => {
  try {
    store.removeItem(keyOf(userId));
  } catch {
    // Where nothing can be stored, nothing was stored.
  }
};

/** Puts a selection first. */
export const keepRecent = (userId: number, selected: Recent, store: Store = localStorage): void => {
  const { id, kind, title, note } = selected;
  const others = readRecent(userId, store).filter((recent) => recent.id !== id);
  try {
    const kept = [{ id, kind, title, note }, ...others].slice(0, maxRecent);
    store.setItem(keyOf(userId), JSON.stringify(kept));
  } catch {
    // Not stored, but still selected.
  }
};
