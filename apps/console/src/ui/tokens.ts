/**
 * Colours of the console, by role. Texts keep at least 4.5 : 1 and state glyphs 3 : 1 on every
 * background they may have, so a change here needs the contrasts computed again.
 */
const light = {
  layout: "#f4f6f9",
  container: "#ffffff",
  elevated: "#ffffff",
  fillAlter: "#f7f8fa",
  rowHover: "#f2f5f9",
  hairline: "#e4e8ee",
  edge: "#808896",
  text: "#1b2028",
  textSecondary: "#4a5260",
  textTertiary: "#626b79",
  disabled: "#99a1ad",
  sidebar: "#101828",
  sidebarText: "#c3cad5",
  /** Ink on a fill of the theme's colour. */
  onFill: "#ffffff",
  ok: "#00785a",
  bad: "#b5102b",
  warn: "#b87a00",
  /** Text in the tone of a warning: its icon is too light to be read. */
  warnText: "#9a5c00",
  diff: "#531dab",
  run: "#2a78e4",
  off: "#7b8492",
  major: "#c2540a",
};

/** A role of a colour; CSS reads it as `--w-<role>`. */
export type ColourRole = keyof typeof light;
export type Palette = Readonly<Record<ColourRole, string>>;

const dark: Palette = {
  layout: "#0a0a0a",
  container: "#141414",
  elevated: "#1f1f1f",
  fillAlter: "#1a1a1a",
  rowHover: "#1e1e1e",
  hairline: "#2e3136",
  edge: "#757d8b",
  text: "#e4e7eb",
  textSecondary: "#b4bac4",
  textTertiary: "#98a0ac",
  disabled: "#5f6672",
  sidebar: "#101828",
  sidebarText: "#c3cad5",
  onFill: "#141414",
  ok: "#52d6a8",
  bad: "#f4525f",
  warn: "#faad14",
  warnText: "#ffc53d",
  diff: "#d3adf7",
  run: "#2f7de1",
  off: "#8a929e",
  major: "#ff9248",
};

export const palettes = { light, dark } as const;
export type Mode = keyof typeof palettes;

/** Lines of charts, in this order and whatever the theme: neighbours are distinguishable for all users. */
export const chartLines = {
  light: ["#1668dc", "#ac8e03", "#772143", "#0e9bd2", "#3d743b", "#aa567f"],
  dark: ["#4096ff", "#d9c24a", "#b3508f", "#7fe0e8", "#3a8f4d", "#fa7da8"],
} as const satisfies Record<Mode, readonly string[]>;

/** Latin first, for its digits. */
export const textFont =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "PingFang SC", "HarmonyOS Sans SC", ' +
  '"Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
export const codeFont =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace';

const channels = (hex: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** `share` of `colour` mixed into `ground`; both as #rrggbb. */
export const mix = (colour: string, ground: string, share: number): string => {
  const [over, under] = [channels(colour), channels(ground)];
  const mixed = over.map((value, at) => value * share + (under[at] ?? 0) * (1 - share));
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
};

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Gives the whole page its colours, as custom properties of the root element. Screens without the
 * component library (login) use nothing else.
 * @param fill the theme's colour for this mode
 */
export const paintRoot = (root: HTMLElement, mode: Mode, fill: string): void => {
  for (const [role, value] of Object.entries(palettes[mode])) {
    root.style.setProperty(`--w-${kebab(role)}`, value);
  }
  root.style.setProperty("--w-fill", fill);
  root.style.setProperty(
    "--w-fill-hover",
    mode === "dark" ? mix(fill, "#ffffff", 0.82) : mix(fill, "#000000", 0.86),
  );
  root.style.setProperty(
    "--w-fill-soft",
    mix(fill, palettes[mode].container, mode === "dark" ? 0.14 : 0.08),
  );
  // White is read on it in both modes: dark fills are too light for that.
  root.style.setProperty("--w-head-fill", mode === "dark" ? mix(fill, "#000000", 0.5) : fill);
  root.style.setProperty("--w-link", mode === "dark" ? fill : mix(fill, "#000000", 0.86));
  root.style.setProperty("--w-font", textFont);
  root.style.setProperty("--w-code-font", codeFont);
  root.style.colorScheme = mode;
};
