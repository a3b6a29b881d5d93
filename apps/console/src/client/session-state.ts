import { useSyncExternalStore } from "react";
import { tokenStore } from "./call.ts";
import type { Session } from "./session.tsx";
import { forgetSessionOver } from "./session-over.ts";

let current: Session | null = null;
const listeners = new Set<() => void>();

const set = (session: Session | null): void => {
  current = session;
  for (const listener of listeners) listener();
};

/** What the menu load brought is in use from now on. */
export const startSession = (session: Session): void => {
  forgetSessionOver();
  set(session);
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
export const onSessionEnd = (listener: () => void): (() => void) => {
  onEnd.add(listener);
  return () => void onEnd.delete(listener);
};

/** Forgets the session; the guard then shows the login. */
export const endSession = (): void => {
  tokenStore().clear();
  for (const listener of onEnd) listener();
  if (current !== null) set(null);
};
