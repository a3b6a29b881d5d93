import { expect, test } from "vitest";
import { appliedDelta, deltaOf } from "./delta.ts";

const hash = "a".repeat(64);

/** All texts of so many characters at most. */
const textsOf = (characters: readonly string[], length: number): string[] =>
  length === 0
    ? [""]
    : [
        "",
        ...textsOf(characters, length - 1).flatMap((text) =>
          characters.map((character) => text + character),
        ),
      ];

test("a delta gives the text that it was made from, whatever the two are", () => {
  // Of few characters: texts that begin and end alike, that repeat, and that hold each other.
  for (const texts of [
    textsOf(["a", "b"], 5),
    // Two that have one half of a pair in common.
    textsOf(["\u{1f600}", "\u{1f601}", "é"], 3),
  ])
    for (const base of texts)
      for (const text of texts) {
        const delta = JSON.parse(JSON.stringify(deltaOf({ hash, text: base }, text)));
        expect(appliedDelta(delta, base)).toBe(text);
      }
});

test("it has what was put between, and nothing else", () => {
  const base = '["10.1.0.0/24","10.3.0.0/24"]';
  const delta = deltaOf({ hash, text: base }, '["10.1.0.0/24","10.2.0.0/24","10.3.0.0/24"]');
  expect(delta.base).toBe(hash);
  expect(delta.text).toHaveLength('"10.2.0.0/24",'.length);
});

test("a base that is shorter than what stays of it gives no text", () => {
  expect(appliedDelta({ base: hash, start: 3, end: 2, text: "" }, "abcd")).toBeNull();
});
