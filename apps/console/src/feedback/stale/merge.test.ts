import { expect, test } from "vitest";
import { mergeOf } from "./merge.ts";

test.each([
  ["nothing was changed", { a: 1 }, { a: 1 }, { a: 1 }, [], [], []],
  ["each changed another field", { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 }, ["b"], ["a"], []],
  ["both the same field", { a: 1 }, { a: 2 }, { a: 3 }, [], [], ["a"]],
  ["both to the same value", { a: 1 }, { a: 2 }, { a: 2 }, [], [], []],
  [
    "to zero and to false",
    { a: 1, b: true },
    { a: 1, b: true },
    { a: 0, b: false },
    ["a", "b"],
    [],
    [],
  ],
  ["nothing has several forms", { a: null }, { a: "" }, { a: null }, [], [], []],
  ["lists by what is in them", { a: [1] }, { a: [1] }, { a: [1, 2] }, ["a"], [], []],
  [
    "dates by their time",
    { a: new Date(0) },
    { a: new Date(0) },
    { a: new Date(1) },
    ["a"],
    [],
    [],
  ],
  ["what a row does not show is mine", { psw: "" }, { psw: "x" }, {}, [], ["psw"], []],
])("%s", (_, base, mine, stored, theirs, kept, both) => {
  expect(mergeOf(base, mine, stored)).toEqual({ theirs, mine: kept, both });
});
