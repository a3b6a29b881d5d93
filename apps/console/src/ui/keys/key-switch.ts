import { useSyncExternalStore } from "react";

/**
 * WCAG 2.1.4 (Character Key Shortcuts) asks that keys of a single character can be turned off:
 * who speaks to the computer, or hits keys by mistake, would otherwise set them off. Keys with Ctrl
 * and those that act on what has the focus (arrows, Space, Enter, Esc) are not meant.
 */
const storageKey = "keys";

const remembered = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
};

let isOn: boolean | undefined;
const listeners = new Set<() => void>();

/** Whether keys of a single letter or sign do something. */
export const areKeysOn = (): boolean => {
  isOn ??= remembered();
  return isOn;
};

/** Turns keys of a single letter on or off, immediately and for the next time in this browser. */
export const setKeysOn = (wanted: boolean): void => {
  isOn = wanted;
  try {
    localStorage.setItem(storageKey, wanted ? "on" : "off");
  } catch {
    // Not remembered, still changed.
  }
  for (const listener of listeners) listener();
};

export const useKeysOn = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    areKeysOn,
    () => true,
  );
