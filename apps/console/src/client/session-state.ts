import { useSyncExternalStore } from "react";
import { forgetAhead } from "./ahead.ts";
import { tokenStore } from "./call.ts";
import type { Session } from "./session.tsx";
import { forgetSessionOver } from "./session-over.ts";

let current: Session | null = null;
const listeners = new Set<() => void>();

const set = (session: Session | null): void => {
  current = session;
  for (const listener of listeners) listener();
};

/** Called with a session that starts, before anything of it is rendered. */
const onStart = new Set<(session: Session) => void>();
export const onSessionStart = (listener: (session: Session) => void): (() => void) => {
  onStart.add(listener);
  return () => void onStart.delete(listener);
};

/** What the menu load brought is in use from now on. */
export const startSession = (session: Session): void => {
  forgetSessionOver();
  for (const listener of onStart) listener(session);
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
  forgetAhead();
  for (const listener of onEnd) listener();
  if (current !== null) set(null);
};
