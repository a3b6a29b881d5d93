import { expect, test } from "vitest";
import { wordList } from "./word-list.ts";
import { findWords, readOwnTexts } from "./words.ts";
import pendingLines from "./words-pending.json" with { type: "json" };

const texts = readOwnTexts();
const found = findWords(texts);

// Lines that still use a word. A number may only sink; a word that is not listed has none.
const pendingOf = new Map(Object.entries(pendingLines));

test("the texts that are read are those of the repository", () => {
  expect(texts.has("README.md")).toBe(true);
  expect(texts.size).toBeGreaterThan(1_000);
});

test("a planted word is found, in prose and inside identifiers", () => {
  const planted = new Map([["a.ts", "// The box answers.\nconst readBoxes = () => boxes;\n"]]);
  const { uses } = findWords(planted).find(({ word }) => word === "box") ?? { uses: [] };
  expect(uses.map(({ line }) => line)).toEqual([1, 2]);
});

test.each(wordList)("$word: $use", ({ word }) => {
  const pending = pendingOf.get(word) ?? 0;
  const uses = found.find((one) => one.word === word)?.uses ?? [];
  const places = uses.map(({ file, line, text }) => `${file}:${line}: ${text.trim()}`);
  expect(places.length, `at most ${pending}:\n${places.join("\n")}`).toBeLessThanOrEqual(pending);
});

test("only words of the list have pending lines, and at least one", () => {
  const known = new Set(wordList.map(({ word }) => word));
  const odd = [...pendingOf].filter(([word, lines]) => !known.has(word) || lines < 1);
  expect(odd).toEqual([]);
});

test("every allowance is needed", () => {
  expect(found.filter(({ unused }) => unused.length > 0)).toEqual([]);
});
