import { expect, test } from "vitest";
import { type MarkFieldName, markFields, markMask, markText, markValue } from "./mark.ts";

const names = Object.keys(markFields) as MarkFieldName[];

test.each(["packet", "connection"] as const)("no two fields of a %s share a bit", (of) => {
  const here = names.filter((name) => [of, "both"].includes(markFields[name].in));
  const bits = here.flatMap((name) =>
    Array.from({ length: 32 }, (_, bit) => bit).filter(
      (bit) => Math.floor(markMask(name) / 2 ** bit) % 2 === 1,
    ),
  );
  expect(new Set(bits).size).toBe(bits.length);
});

test("masks and values are those of the layout", () => {
  expect(names.map((name) => [name, markText(markMask(name))])).toEqual([
    ["app", "0xff"],
    ["pipe", "0xff00"],
    ["path", "0x7f0000"],
    ["evaluated", "0x800000"],
    ["line", "0x7000000"],
    ["known", "0x8000000"],
    ["late", "0x8000000"],
    ["underway", "0x10000000"],
    ["ask", "0x10000000"],
    ["generation", "0xe0000000"],
    ["control", "0x40000000"],
    ["outer", "0x80000000"],
  ]);
  expect(markText(markValue("line", 4))).toBe("0x4000000");
  expect(markText(markValue("generation", 7))).toBe("0xe0000000");
  expect(() => markValue("line", 8)).toThrow(RangeError);
});
