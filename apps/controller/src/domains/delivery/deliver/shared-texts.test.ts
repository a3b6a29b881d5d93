import { expect, test } from "vitest";
import { SharedTexts } from "./shared-texts.ts";

test("a text is known in its space only", () => {
  const texts = new SharedTexts();
  texts.add(3, "a", "one");
  expect(texts.get(3, "a")).toBe("one");
  expect(texts.get(4, "a")).toBeUndefined();
});

test("those that were used last stay, and no more of them than there is room for", () => {
  const texts = new SharedTexts(10);
  texts.add(3, "a", "aaaa");
  texts.add(3, "b", "bbbb");
  expect(texts.get(3, "a")).toBe("aaaa");
  texts.add(3, "c", "cccc");
  expect(["a", "b", "c"].map((hash) => texts.get(3, hash))).toEqual(["aaaa", undefined, "cccc"]);
  texts.add(3, "d", "d".repeat(11));
  expect(["a", "c", "d"].map((hash) => texts.get(3, hash))).toEqual(["aaaa", "cccc", undefined]);
  // One that is added again takes no room.
  texts.add(3, "c", "cccc");
  expect(texts.get(3, "a")).toBe("aaaa");
});
