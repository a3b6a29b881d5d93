/** Consequences of the last save, which its screen shows (save-warnings.tsx). */
import { useSyncExternalStore } from "react";

const none: readonly string[] = [];
let shown = none;
const listeners = new Set<() => void>();

/** In place of those of the save before. @param texts one sentence each */
export const showWarnings = (texts: readonly string[]): void => {
  if (texts.length === 0 && shown.length === 0) return;
  shown = texts;
  for (const listener of listeners) listener();
};

export const forgetWarnings = (): void => showWarnings(none);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const read = (): readonly string[] => shown;

export const useWarnings = (): readonly string[] => useSyncExternalStore(subscribe, read, read);
