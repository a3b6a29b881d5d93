import { describe, expect, it } from "vitest";
import {
  defaultDisplay,
  headStyles,
  layoutStyles,
  readDisplay,
  sideStyles,
  tabStyles,
} from "./display.ts";

const usual = readDisplay(null);
const read = (value: unknown) => readDisplay(JSON.stringify(value));

describe("the remembered look", () => {
  it("B-9-02: is light, with a fixed menu and tabs, at first", () => {
    expect(usual).toEqual(defaultDisplay);
    expect(usual).toMatchObject({ darkMode: false, fixedSidebar: true, showTabs: true });
    expect(usual).toMatchObject({ version: "1.0.0", color: null, sideStyle: 1, collapse: false });
  });
  it("comes back", () => {
    const chosen = { ...usual, darkMode: true, color: "cyan", sideStyle: 0, collapse: true };
    expect(read(chosen)).toEqual(chosen);
  });
  it.each(["", "{", "null", "[]", "7", '{"darkMode":true}', '{"version":"0.9.0","darkMode":true}'])(
    "is the default for %j",
    (text) => {
      expect(readDisplay(text)).toEqual(usual);
    },
  );
  it("B-4-28, B-4-29, B-4-30, B-4-31: knows its codes and no others", () => {
    expect(sideStyles).toEqual(["light", "dark"]);
    expect(headStyles).toEqual(["light", "dark", "primary"]);
    expect(layoutStyles).toEqual(["side", "top", "mix"]);
    expect(tabStyles).toEqual(["default", "dot", "card"]);
    const all = { sideStyle: 0, headStyle: 2, layoutStyle: 2, tabStyle: 2 };
    expect(read({ ...usual, ...all })).toMatchObject(all);
    const none = { sideStyle: 2, headStyle: 3, layoutStyle: -1, tabStyle: "1" };
    expect(read({ ...usual, ...none })).toEqual(usual);
  });
  it("ignores a colour that is not offered", () => {
    expect(read({ ...usual, color: "toString" })).toEqual(usual);
    expect(read({ ...usual, color: "default" }).color).toBeNull();
  });
});
