import { type ThemeColour, themeColours } from "@weft/contract/domains/access/theme.ts";
import { useSyncExternalStore } from "react";
import { defaultFill, loadFill } from "#ui/palettes.ts";
import type { Mode } from "#ui/tokens.ts";

/** Codes of specification section 4, in the order of their values. */
export const sideStyles = ["light", "dark"] as const;
export const headStyles = ["light", "dark", "primary"] as const;
export const layoutStyles = ["side", "top", "mix"] as const;
export const tabStyles = ["default", "dot", "card"] as const;

/** How the console looks to one person; remembered in the browser (specification sections 2.5, 4). */
export interface Display {
  readonly version: string;
  /** null: the default blue. */
  readonly color: Exclude<ThemeColour, "default"> | null;
  readonly darkMode: boolean;
  /** 0 light, 1 dark. */
  readonly sideStyle: number;
  /** 0 light, 1 dark, 2 primary colour. */
  readonly headStyle: number;
  /** 0 left menu, 1 top menu, 2 mixed. */
  readonly layoutStyle: number;
  /** 0 default, 1 dot, 2 card. */
  readonly tabStyle: number;
  /** Content as wide as the window; otherwise a column in the middle. */
  readonly bodyFull: boolean;
  readonly fixedHeader: boolean;
  readonly fixedSidebar: boolean;
  /** Only the content area scrolls; otherwise the page does. */
  readonly fixedBody: boolean;
  /** The place of the logo is as wide as the logo, not as the side menu. */
  readonly logoAutoSize: boolean;
  readonly colorfulIcon: boolean;
  /** One open branch of the side menu at a time. */
  readonly sideUniqueOpen: boolean;
  readonly weakMode: boolean;
  readonly showTabs: boolean;
  /** The side menu is folded to its icons. */
  readonly collapse: boolean;
}

export const themeKey = "theme";
/** What another version wrote is not read: its fields may mean something else (section 3). */
const displayVersion = "1.0.0";

export const defaultDisplay: Display = {
  version: displayVersion,
  color: null,
  darkMode: false,
  sideStyle: 1,
  headStyle: 0,
  layoutStyle: 0,
  tabStyle: 0,
  bodyFull: true,
  fixedHeader: true,
  fixedSidebar: true,
  fixedBody: true,
  logoAutoSize: false,
  colorfulIcon: false,
  sideUniqueOpen: false,
  weakMode: false,
  showTabs: true,
  collapse: false,
};

/** How many codes a style has. */
const codes: Readonly<Partial<Record<keyof Display, number>>> = {
  sideStyle: sideStyles.length,
  headStyle: headStyles.length,
  layoutStyle: layoutStyles.length,
  tabStyle: tabStyles.length,
};

/** "default" is written as null. */
const isOffered = (color: unknown): boolean =>
  color === null || (color !== "default" && themeColours.includes(color as ThemeColour));

const isUnderstood = (field: keyof Display, value: unknown): boolean => {
  if (field === "color") return isOffered(value);
  const count = codes[field];
  if (count === undefined) return typeof value === typeof defaultDisplay[field];
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
};

/** Reads what was remembered; whatever is not understood has its default value. */
export const readDisplay = (text: string | null): Display => {
  let found: Record<string, unknown> | null = null;
  try {
    found = JSON.parse(text ?? "null") as Record<string, unknown> | null;
  } catch {
    return defaultDisplay;
  }
  if (typeof found !== "object" || found?.version !== displayVersion) return defaultDisplay;
  const kept = (Object.keys(defaultDisplay) as (keyof Display)[])
    .filter((field) => field in found && isUnderstood(field, found[field]))
    .map((field) => [field, found[field]]);
  return { ...defaultDisplay, ...Object.fromEntries(kept) };
};

const remembered = (): Display => {
  try {
    return readDisplay(localStorage.getItem(themeKey));
  } catch {
    return defaultDisplay;
  }
};

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
export const modeOf = (display: Display): Mode => (display.darkMode ? "dark" : "light");
/** The colour of who chose none: the brand's, where there is one. */
let defaultColour: ThemeColour = "default";
const colourOf = (display: Display): ThemeColour => display.color ?? defaultColour;

/** Takes up what this browser remembers. A colour that cannot be fetched is replaced by the default. */
export const startDisplay = async (): Promise<void> => {
  const display = remembered();
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
