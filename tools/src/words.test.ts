import { expect, test } from "vitest";
import { wordList } from "./word-list.ts";
import { findWords, readOwnTexts } from "./words.ts";

const texts = readOwnTexts();
const found = findWords(texts);

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
  const uses = found.find((one) => one.word === word)?.uses ?? [];
  const places = uses.map(({ file, line, text }) => `${file}:${line}: ${text.trim()}`);
  expect(places).toEqual([]);
});

test("every allowance is needed", () => {
  expect(found.filter(({ unused }) => unused.length > 0)).toEqual([]);
});
