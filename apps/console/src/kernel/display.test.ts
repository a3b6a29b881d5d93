import { describe, expect, it } from "vitest";
import { readDisplay } from "./display.ts";

const usual = readDisplay(null);
const read = (value: unknown) => readDisplay(JSON.stringify(value));

describe("the remembered look", () => {
  it("is light, blue and with a dark menu at first", () => {
    expect(usual).toEqual({
      version: "1.0.0",
      darkMode: false,
      color: null,
      sideStyle: 1,
      collapse: false,
    });
  });
  it("comes back", () => {
    const chosen = { ...usual, darkMode: true, color: "cyan", sideStyle: 0, collapse: true };
    expect(read(chosen)).toEqual(chosen);
  });
  it.each(["", "{", "null", "[]", "7", '{"darkMode":true}', '{"version":"0.9.0","darkMode":true}'])(
    "is the usual one for %j",
    (text) => {
      expect(readDisplay(text)).toEqual(usual);
    },
  );
  it("ignores a colour that is not offered", () => {
    expect(read({ ...usual, color: "toString" })).toEqual(usual);
    expect(read({ ...usual, color: "default" }).color).toBeNull();
  });
});
