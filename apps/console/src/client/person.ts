/**
 * Who used this browser last, under the key `user` (specification section 9): nothing that opens
 * anything, only what the login page proposes and looks like. It goes where the token goes: with
 * "remember me" it outlives the browser.
 */
import { type Store, tokenKey } from "./token.ts";

export const userKey = "user";

/** What is kept of the session's user. */
export interface Person {
  readonly userId: number;
  readonly loginName: string;
}

interface Places {
  readonly local: Store;
  readonly session: Store;
}

/** Keeps the person beside the token. @param places the browser's stores, or those of a test. */
export const keepPerson = ({ local, session }: Places, { userId, loginName }: Person): void => {
  const isRemembered = local.getItem(tokenKey) !== null;
  for (const store of [local, session]) store.removeItem(userKey);
  (isRemembered ? local : session).setItem(userKey, JSON.stringify({ userId, loginName }));
};

/** The person who was stored; null: none, or what is stored was not written here. */
export const keptPerson = ({ local, session }: Places): Person | null => {
  try {
    const text = local.getItem(userKey) ?? session.getItem(userKey);
    const parsed = JSON.parse(text ?? "null") as Partial<Person> | null;
    const { userId, loginName } = parsed ?? {};
    return typeof userId === "number" && typeof loginName === "string"
      ? { userId, loginName }
      : null;
  } catch {
    return null;
  }
};
