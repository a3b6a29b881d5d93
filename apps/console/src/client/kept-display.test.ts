import { describe, expect, it } from "vitest";
import {
  defaultDisplay,
  headStyles,
  layoutStyles,
  readDisplay,
  sideStyles,
  tabStyles,
} from "./kept-display.ts";

const preset = readDisplay(null);
const read = (value: unknown) => readDisplay(JSON.stringify(value));

describe("the remembered display preferences", () => {
  it("B-9-02: is light, with a fixed menu and tabs, at first", () => {
    expect(preset).toEqual(defaultDisplay);
    expect(preset).toMatchObject({ darkMode: false, fixedSidebar: true, showTabs: true });
    expect(preset).toMatchObject({ version: "1.0.0", color: null, sideStyle: 1, collapse: false });
  });
  it("comes back", () => {
    const selected = { ...preset, darkMode: true, color: "cyan", sideStyle: 0, collapse: true };
    expect(read(selected)).toEqual(selected);
  });
  it.each(["", "{", "null", "[]", "7", '{"darkMode":true}', '{"version":"0.9.0","darkMode":true}'])(
    "is the default for %j",
    (text) => {
      expect(readDisplay(text)).toEqual(preset);
    },
  );
  it("B-4-28, B-4-29, B-4-30, B-4-31: accepts its codes and no others", () => {
    expect(sideStyles).toEqual(["light", "dark"]);
    expect(headStyles).toEqual(["light", "dark", "primary"]);
    expect(layoutStyles).toEqual(["side", "top", "mix"]);
    expect(tabStyles).toEqual(["default", "dot", "card"]);
    const all = { sideStyle: 0, headStyle: 2, layoutStyle: 2, tabStyle: 2 };
    expect(read({ ...preset, ...all })).toMatchObject(all);
    const none = { sideStyle: 2, headStyle: 3, layoutStyle: -1, tabStyle: "1" };
    expect(read({ ...preset, ...none })).toEqual(preset);
  });
  it("ignores a colour that is not offered", () => {
    expect(read({ ...preset, color: "toString" })).toEqual(preset);
    expect(read({ ...preset, color: "default" }).color).toBeNull();
  });
});
