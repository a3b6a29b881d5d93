import { files } from "virtual:palettes";
import { type ThemeColour, themeColours } from "@weft/contract/domains/access/theme.ts";
import { useSyncExternalStore } from "react";
import { defaultFill } from "#ui/palettes.ts";
import type { Mode } from "#ui/tokens.ts";
import { type Display, defaultDisplay, keptDisplay, modeOf, themeKey } from "./kept-display.ts";

/** What is rendered with: the settings, and the colour that was fetched for them (#rrggbb). */
export interface Appearance {
  readonly display: Display;
  readonly fill: string;
}

let appearance: Appearance = { display: defaultDisplay, fill: defaultFill };
const listeners = new Set<() => void>();

const onAppearance = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const show = (next: Appearance): void => {
  appearance = next;
  try {
    localStorage.setItem(themeKey, JSON.stringify(next.display));
  } catch {
    // Not remembered, still changed.
  }
  for (const listener of listeners) listener();
};

export const currentAppearance = (): Appearance => appearance;
/** The colour of who chose none: the brand's, where there is one. */
let defaultColour: ThemeColour = "default";
const colourOf = (display: Display): ThemeColour => display.color ?? defaultColour;

/**
 * The fill of a theme colour (#rrggbb) for a mode. Each has a file, fetched when it is selected.
 * @throws Error when its file cannot be fetched
 */
const loadFill = async (colour: ThemeColour, mode: Mode): Promise<string> =>
  colour === "default" && mode === "light"
    ? defaultFill
    : (await files[`${colour}-${mode}`]()).fill;

/** Takes up what this browser remembers. A colour that cannot be fetched is replaced by the default. */
export const startDisplay = async (): Promise<void> => {
  const display = keptDisplay();
  try {
    appearance = { display, fill: await loadFill(colourOf(display), modeOf(display)) };
  } catch {
    appearance = { display: { ...display, color: null, darkMode: false }, fill: defaultFill };
  }
};

/** Counts the colours that were asked for: one that comes late does not replace a later wish. */
let requests = 0;

/**
 * Changes how the console looks, immediately and for the next time; a change of colour or mode as soon
 * as its file is there.
 * @throws Error when a colour cannot be fetched: everything stays as it was.
 */
export const changeDisplay = async (change: Partial<Omit<Display, "version">>): Promise<void> => {
  const wanted = { ...appearance.display, ...change };
  if (
    wanted.color === appearance.display.color &&
    wanted.darkMode === appearance.display.darkMode
  ) {
    return show({ ...appearance, display: wanted });
  }
  requests += 1;
  const mine = requests;
  const fill = await loadFill(colourOf(wanted), modeOf(wanted));
  if (mine === requests) show({ display: { ...appearance.display, ...change }, fill });
};

/**
 * Applies the colour of a brand for users who selected none; empty or unknown: the default
 * blue. Not fetched means not changed.
 */
export const applyColour = async (colour: string): Promise<void> => {
  const known = themeColours.find((themeColour) => themeColour === colour) ?? "default";
  if (known === defaultColour) return;
  defaultColour = known;
  requests += 1;
  const mine = requests;
  const { display } = appearance;
  const fill = await loadFill(colourOf(display), modeOf(display)).catch(() => null);
  if (fill !== null && mine === requests) show({ display: appearance.display, fill });
};

export const useAppearance = (): Appearance =>
  useSyncExternalStore(onAppearance, currentAppearance, currentAppearance);
export const useDisplay = (): Display => useAppearance().display;
