import { themeColours } from "@weft/contract/domains/access/theme.ts";
import { describe, expect, it } from "vitest";
import { contrast } from "#ui/contrast.ts";
import { swatches } from "#ui/palettes.ts";
import { paintRoot, palettes } from "#ui/tokens.ts";
import { libraryTheme } from "./theme.ts";

const modes = ["light", "dark"] as const;
const themes = themeColours.flatMap((colour) => modes.map((mode) => [colour, mode] as const));

/** What the page's custom properties are set to. */
const painted = (mode: (typeof modes)[number], fill: string): Map<string, string> => {
  const set = new Map<string, string>();
  const style = { setProperty: (name: string, value: string) => void set.set(name, value) };
  paintRoot({ style } as unknown as HTMLElement, mode, fill);
  return set;
};

describe.each(themes)("%s in %s", (colour, mode) => {
  const fill = swatches[colour][mode];
  const { token: made, components } = libraryTheme(mode, fill, false);
  const token = (made ?? {}) as Readonly<Record<string, string>>;
  const menu = components?.Menu as Readonly<Record<string, string>>;
  const root = painted(mode, fill);
  const p = palettes[mode];
  const worst = (inks: readonly string[], grounds: readonly string[]): number =>
    Math.min(...inks.flatMap((ink) => grounds.map((ground) => contrast(ink, ground))));

  it("keeps texts, links and states distinguishable on a selected background", () => {
    const grounds = [token.controlItemBgActive ?? "", root.get("--w-fill-soft") ?? ""];
    const inks = [p.text, p.textSecondary, p.textTertiary, token.colorLink ?? ""];
    expect(worst(inks, grounds)).toBeGreaterThanOrEqual(4.5);
    const states = [p.ok, p.bad, p.warn, p.diff, p.run, p.off, p.major];
    expect(worst(states, grounds)).toBeGreaterThanOrEqual(3);
  });
  it("lets links be read on every ground, and the labels of buttons in every state of them", () => {
    const grounds = [p.layout, p.container, p.elevated, p.fillAlter, p.rowHover];
    expect(worst([token.colorLink ?? "", root.get("--w-link") ?? ""], grounds)).toBeGreaterThan(
      4.5,
    );
    const fills = ["colorPrimary", "colorPrimaryHover", "colorPrimaryActive"];
    const dangers = ["colorError", "colorErrorHover"];
    const buttons = [...fills, ...dangers].map((name) => token[name] ?? "");
    expect(worst([p.onFill], [...buttons, root.get("--w-fill-hover") ?? ""])).toBeGreaterThan(4.5);
  });
  it("keeps a coloured header and the selected entry of a dark menu legible", () => {
    const grounds = [root.get("--w-head-fill") ?? "", menu.darkItemSelectedBg ?? ""];
    expect(worst(["#ffffff"], grounds)).toBeGreaterThanOrEqual(4.5);
  });
  it("shows edges of controls and the ring of the focus", () => {
    const grounds = [p.layout, p.container, p.elevated, p.fillAlter];
    const rings = [root.get("--w-fill"), token.colorPrimaryBorder, token.controlOutline];
    const lines = [p.edge, ...rings.map((ring) => ring ?? "")];
    expect(worst(lines, grounds)).toBeGreaterThanOrEqual(3);
  });
});
