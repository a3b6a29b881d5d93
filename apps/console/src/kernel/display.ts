import { useSyncExternalStore } from "react";
import { type Mode, type ThemeColour, themeColours } from "#ui/tokens.ts";

/** How the console looks to one person; remembered in the browser (specification sections 2.5, 4). */
export interface Display {
  readonly version: string;
  readonly darkMode: boolean;
  /** null: the default blue. */
  readonly color: Exclude<ThemeColour, "default"> | null;
  /** 0 light, 1 dark. */
  readonly sideStyle: 0 | 1;
  /** The side menu is folded to its icons. */
  readonly collapse: boolean;
}

const KEY = "theme";
/** What another version wrote is not read: its fields may mean something else. */
const VERSION = "1.0.0";

const usual: Display = {
  version: VERSION,
  darkMode: false,
  color: null,
  sideStyle: 1,
  collapse: false,
};

/** "default" is written as null. */
const isOffered = (color: unknown): color is NonNullable<Display["color"]> =>
  typeof color === "string" && color !== "default" && Object.hasOwn(themeColours, color);

/** Reads what was remembered; whatever is not understood has its usual value. */
export const readDisplay = (text: string | null): Display => {
  let found: Partial<Display> | null = null;
  try {
    found = JSON.parse(text ?? "null") as Partial<Display> | null;
  } catch {
    return usual;
  }
  if (typeof found !== "object" || found === null || found.version !== VERSION) return usual;
  const { color } = found;
  return {
    version: VERSION,
    darkMode: found.darkMode === true,
    color: isOffered(color) ? color : null,
    sideStyle: found.sideStyle === 0 ? 0 : 1,
    collapse: found.collapse === true,
  };
};

const remembered = (): Display => {
  try {
    return readDisplay(localStorage.getItem(KEY));
  } catch {
    return usual;
  }
};

let current: Display = remembered();
const listeners = new Set<() => void>();

export const currentDisplay = (): Display => current;

const onDisplay = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Changes how the console looks, at once and for the next time. */
export const changeDisplay = (change: Partial<Omit<Display, "version">>): void => {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Not remembered, still changed.
  }
  for (const listener of listeners) listener();
};

export const useDisplay = (): Display =>
  useSyncExternalStore(onDisplay, currentDisplay, currentDisplay);

export const modeOf = (display: Display): Mode => (display.darkMode ? "dark" : "light");
export const colourOf = (display: Display): ThemeColour => display.color ?? "default";
