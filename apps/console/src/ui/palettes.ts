import type { ThemeColour } from "@weft/contract/domains/access/theme.ts";
import type { Mode } from "./tokens.ts";

/** What a colour is like, for choosing it; a test holds it against the files. */
export const swatches: Readonly<Record<ThemeColour, Readonly<Record<Mode, string>>>> = {
  default: { light: "#1668dc", dark: "#4096ff" },
  dust: { light: "#cf1322", dark: "#ff7875" },
  sunset: { light: "#a66300", dark: "#ffc53d" },
  volcano: { light: "#c93a08", dark: "#ff9c6e" },
  purple: { light: "#722ed1", dark: "#b37feb" },
  cyan: { light: "#08807e", dark: "#36cfc9" },
  green: { light: "#2b7f0f", dark: "#73d13d" },
  geekblue: { light: "#2f54eb", dark: "#85a5ff" },
};

/** The default blue in light mode is part of the first file: nothing is fetched for it. */
export const defaultFill = swatches.default.light;

type Load = () => Promise<{ readonly fill: string }>;

/** Each colour has a file for light and one for dark ground, fetched when it is asked for. */
const files: Readonly<Record<ThemeColour, Readonly<Record<Mode, Load>>>> = {
  default: {
    light: async () => ({ fill: defaultFill }),
    dark: () => import("./palettes/default-dark.ts"),
  },
  dust: {
    light: () => import("./palettes/dust-light.ts"),
    dark: () => import("./palettes/dust-dark.ts"),
  },
  sunset: {
    light: () => import("./palettes/sunset-light.ts"),
    dark: () => import("./palettes/sunset-dark.ts"),
  },
  volcano: {
    light: () => import("./palettes/volcano-light.ts"),
    dark: () => import("./palettes/volcano-dark.ts"),
  },
  purple: {
    light: () => import("./palettes/purple-light.ts"),
    dark: () => import("./palettes/purple-dark.ts"),
  },
  cyan: {
    light: () => import("./palettes/cyan-light.ts"),
    dark: () => import("./palettes/cyan-dark.ts"),
  },
  green: {
    light: () => import("./palettes/green-light.ts"),
    dark: () => import("./palettes/green-dark.ts"),
  },
  geekblue: {
    light: () => import("./palettes/geekblue-light.ts"),
    dark: () => import("./palettes/geekblue-dark.ts"),
  },
};

/**
 * The fill of a theme colour (#rrggbb) for a mode.
 * @throws Error when its file cannot be fetched
 */
export const loadFill = async (colour: ThemeColour, mode: Mode): Promise<string> =>
  (await files[colour][mode]()).fill;
