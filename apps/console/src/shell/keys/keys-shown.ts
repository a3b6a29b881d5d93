import { useSyncExternalStore } from "react";

/** Whether the table of all keys is open: `?` and the palette open it. */
let isShown = false;
const listeners = new Set<() => void>();

export const showKeys = (wanted: boolean): void => {
  isShown = wanted;
  for (const listener of listeners) listener();
};

export const useKeysShown = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isShown,
    () => false,
  );
