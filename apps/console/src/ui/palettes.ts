import type { ThemeColour } from "@weft/contract/domains/access/theme.ts";

/** Fills of a theme colour (#rrggbb) by mode. */
interface Fills {
  readonly light: string;
  readonly dark: string;
}

/** The build makes a file of each fill (apps/console/palettes.ts). */
export const swatches: Readonly<Record<ThemeColour, Fills>> = {
  default: { light: "#1668dc", dark: "#4096ff" },
  dust: { light: "#cf1322", dark: "#ff7875" },
  sunset: { light: "#a66300", dark: "#ffc53d" },
  volcano: { light: "#c93a08", dark: "#ff9c6e" },
  purple: { light: "#722ed1", dark: "#b37feb" },
  cyan: { light: "#08807e", dark: "#36cfc9" },
  green: { light: "#2b7f0f", dark: "#73d13d" },
  geekblue: { light: "#2f54eb", dark: "#85a5ff" },
};

/** The default blue in light mode: nothing is fetched for it. */
export const defaultFill = swatches.default.light;
