import { session as sessionCall } from "@weft/contract/calls/session.ts";
import { useSyncExternalStore } from "react";
import { call, tokenStore } from "./call.ts";
import { wearColour } from "./display.ts";
import { menuTree, withHiddenRoutes } from "./menus.ts";
import { keepPerson } from "./person.ts";
import type { Session } from "./session.tsx";
import { browserStores } from "./token.ts";
import { markVisit } from "./visit.ts";

let current: Session | null = null;
const listeners = new Set<() => void>();

const set = (session: Session | null): void => {
  current = session;
  for (const listener of listeners) listener();
};

/** The session in use; for code outside of React. */
export const currentSession = (): Session | null => current;

export const useSessionState = (): Session | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => current,
  );

/** Called when a session ends, so that nothing of it is left: kept answers, tabs, searches. */
const onEnd = new Set<() => void>();
export const onSessionEnd = (listener: () => void): void => void onEnd.add(listener);

/** Forgets the session; the guard then shows the log-in. */
export const endSession = (): void => {
  tokenStore().clear();
  for (const listener of onEnd) listener();
  if (current !== null) set(null);
};

/** The call of the menu load: a site may have another url for it (section 7.1). */
let menuLoad = sessionCall;

/** Set once at the start. @param url from `MENU_URL` of config.json; a path below the base URL. */
export const setMenuUrl = (url: `/${string}`): void => {
  menuLoad = { ...sessionCall, path: url };
};

/**
 * Loads menus, roles and authorities with the stored token. Whatever fails ends the session
 * (specification section 2.2).
 * @throws CallError, for a screen that wants to say why.
 */
export const loadSession = async (): Promise<void> => {
  try {
    const { data } = await call(menuLoad, {});
    const isVisit = Boolean(data.visitEndTime);
    markVisit(isVisit);
    // A visitor is no person of this browser, and has no screens but those that were sent.
    if (!isVisit) keepPerson(browserStores(), data);
    void wearColour(data.color ?? "");
    const menus = menuTree(data.menus);
    set({ ...data, menus: isVisit ? menus : withHiddenRoutes(menus) });
  } catch (error) {
    endSession();
    throw error;
  }
};
