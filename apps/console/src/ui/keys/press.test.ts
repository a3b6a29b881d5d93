import { describe, expect, it } from "vitest";
import { type Key, keyIds, keyTable } from "./key-table.ts";
import { capsOf, isSingle, keyOf, leads, type Pressed } from "./press.ts";

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...more,
});

describe("a key of the table", () => {
  it("is identified by the character, wherever a keyboard has it", () => {
    expect(keyOf(press("/"), false)).toBe("search");
    expect(keyOf(press("/", { shiftKey: true }), false)).toBe("search");
    expect(keyOf(press("?", { shiftKey: true }), false)).toBe("help");
    expect(keyOf(press("ArrowUp"), false)).toBe("move");
    expect(keyOf(press(" "), false)).toBe("select");
  });
  it("is a lower-case letter without Shift, with or without Caps Lock", () => {
    expect(keyOf(press("e"), false)).toBe("edit");
    expect(keyOf(press("E"), false)).toBe("edit");
    expect(keyOf(press("E", { shiftKey: true }), false)).toBeNull();
    expect(keyOf(press("Enter", { shiftKey: true }), false)).toBeNull();
  });
  it("is pressed with Ctrl, on a Mac with ⌘, and never with another modifier", () => {
    const held = press("s", { ctrlKey: true });
    expect(keyOf(held, false)).toBe("save");
    expect(keyOf(held, true)).toBeNull();
    expect(keyOf(press("k", { metaKey: true }), true)).toBe("palette");
    expect(keyOf(press("k", { metaKey: true }), false)).toBeNull();
    expect(keyOf(press("S", { ctrlKey: true, shiftKey: true }), false)).toBeNull();
    expect(keyOf(press("e", { ctrlKey: true }), false)).toBeNull();
    expect(keyOf(press("e", { altKey: true }), false)).toBeNull();
  });
  it("is not in the table, or belongs to the input method while it composes", () => {
    expect(keyOf(press("x"), false)).toBeNull();
    expect(keyOf(press("e", { isComposing: true }), false)).toBeNull();
  });
  it("is used for one action only", () => {
    const all = keyIds.flatMap((id) => (keyTable[id] as Key).press);
    expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
  });
});

it("the switch is for single characters without a modifier key (WCAG 2.1.4)", () => {
  expect(keyIds.filter(isSingle)).toEqual([
    "search",
    "refresh",
    "help",
    "next",
    "previous",
    "edit",
    "acknowledge",
    "snooze",
    "own",
    "logs",
  ]);
});

describe("a letter after g", () => {
  it("waits for a second key for a moment only", () => {
    const lead = leads();
    expect(lead(press("c"), 0, false)).toBeNull();
    expect(lead(press("g"), 10, false)).toBe("");
    expect(lead(press("c"), 900, false)).toBe("c");
    expect(lead(press("c"), 901, false)).toBeNull();
    expect(lead(press("g"), 1_000, false)).toBe("");
    expect(lead(press("c"), 2_500, false)).toBeNull();
  });
  it("is cancelled by any other key", () => {
    const lead = leads();
    lead(press("g"), 0, false);
    expect(lead(press("ArrowDown"), 1, false)).toBeNull();
    expect(lead(press("c"), 2, false)).toBeNull();
    lead(press("g"), 3, false);
    expect(lead(press("c", { ctrlKey: true }), 4, false)).toBeNull();
  });
  it("may be g itself", () => {
    const lead = leads();
    lead(press("g"), 0, false);
    expect(lead(press("g"), 1, false)).toBe("g");
    expect(lead(press("c"), 2, false)).toBeNull();
  });
});

it("keys are written as they are labelled", () => {
  expect(capsOf("Mod k", false)).toEqual(["Ctrl", "K"]);
  expect(capsOf("Mod k", true)).toEqual(["⌘", "K"]);
  expect(capsOf(" ", false)).toEqual(["Space"]);
  expect(capsOf("ArrowDown", false)).toEqual(["↓"]);
  expect(capsOf("?", false)).toEqual(["?"]);
});
