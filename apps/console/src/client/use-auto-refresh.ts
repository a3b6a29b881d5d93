/** What is known of auto refresh below the switch: on or off, here and in this browser. */
import { createContext, useContext } from "react";

export const AutoRefreshContext = createContext(true);

/** False: nothing on this screen asks again by itself. */
export const useAutoRefresh = (): boolean => useContext(AutoRefreshContext);

const storageKey = "autoRefreshOff";

const readOff = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
};

/** Whether auto refresh was switched off on a screen when it was open last. */
export const isOff = (screen: string): boolean => readOff().includes(screen);

export const remember = (screen: string, isOn: boolean): void => {
  const others = readOff().filter((text) => text !== screen);
  try {
    localStorage.setItem(storageKey, JSON.stringify(isOn ? others : [...others, screen]));
  } catch {
    // Not remembered, still switched.
  }
};

let paused = 0;

/** Events refresh nothing while a screen has it switched off. @returns ends the pause. */
export const pauseLive = (): (() => void) => {
  paused += 1;
  return () => {
    paused -= 1;
  };
};

export const isLivePaused = (): boolean => paused > 0;
