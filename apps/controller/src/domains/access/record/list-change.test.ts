import { expect, test } from "vitest";
import { listChange } from "./value-texts.ts";

test("of two lists only what went and what came is left", () => {
  expect(listChange([1, 2, 3], [3, 4])).toEqual({ gone: [1, 2], come: [4] });
  expect(listChange(["a"], ["a"])).toEqual({ gone: [], come: [] });
  expect(listChange([{ a: 1 }], [{ a: 1 }, { a: 2 }])).toEqual({ gone: [], come: [{ a: 2 }] });
});

test("a list that was not there is empty", () => {
  expect(listChange(null, ["a"])).toEqual({ gone: [], come: ["a"] });
  expect(listChange(["a"], null)).toEqual({ gone: ["a"], come: [] });
});
