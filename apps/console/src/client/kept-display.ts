/**
 * How the console looks to one person, as their browser remembers it. Without React: the page reads it before its first
 * script is there (early.ts).
 */
import { type ThemeColour, themeColours } from "@weft/contract/domains/access/theme.ts";
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
  let parsed: Record<string, unknown> | null = null;
  try {
    parsed = JSON.parse(text ?? "null") as Record<string, unknown> | null;
  } catch {
    return defaultDisplay;
  }
  if (typeof parsed !== "object" || parsed?.version !== displayVersion) return defaultDisplay;
  const kept = (Object.keys(defaultDisplay) as (keyof Display)[])
    .filter((field) => field in parsed && isUnderstood(field, parsed[field]))
    .map((field) => [field, parsed[field]]);
  return { ...defaultDisplay, ...Object.fromEntries(kept) };
};

/** What this browser remembers. */
export const keptDisplay = (): Display => {
  try {
    return readDisplay(localStorage.getItem(themeKey));
  } catch {
    return defaultDisplay;
  }
};

/** The ground that is chosen. */
export const modeOf = (display: Display): Mode => (display.darkMode ? "dark" : "light");
