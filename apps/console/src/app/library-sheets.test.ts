/** The stylesheets that the build makes of the component library are what the browser would have made. */
import { expect, test } from "vitest";
import { sheets, sheetsOf } from "../../antd-styles.ts";
import { libraryTheme } from "./theme.ts";

const themes = [
  libraryTheme("light", "#1668dc", false),
  libraryTheme("dark", "#b37feb", false),
  libraryTheme("light", "#cf1322", true),
];

test.each(Object.keys(sheets))(
  "%s has one text for all themes, about its own classes",
  (module) => {
    const text = sheetsOf(module);
    for (const [name] of Object.values(sheets[module] ?? {})) expect(text).toContain(`.${name}`);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
    for (const theme of themes) expect(sheetsOf(module, theme)).toBe(text);
  },
);
