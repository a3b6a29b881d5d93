import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "#contract/device/v1/canonical.ts";
import { deltaOf } from "./delta.ts";
import { divideSpace, partsOf, replacedParts, type SpacePart, wholeSections } from "./space.ts";

const hashOf = (content: unknown): string =>
  createHash("sha256").update(canonicalJson(content)).digest("hex");
const networks = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`).sort();
const section = { spaceId: 3, netns: null, networks };
const bytes = (content: unknown): number => Buffer.byteLength(canonicalJson(content));

test("a list in parts is the same list", () => {
  const { index, parts } = divideSpace(section, hashOf);
  expect(partsOf("space.3", index)).toEqual([...parts.keys()]);
  const sections = new Map<string, unknown>([
    ["node", { parts: ["x"] }],
    ["space.3", index],
    ["space.4", { ...section, spaceId: 4 }],
  ]);
  const whole = wholeSections(sections, (hash) => parts.get(hash));
  expect(whole.get("space.3")).toEqual(section);
  expect(whole.get("space.4")).toEqual({ ...section, spaceId: 4 });
  expect(whole.get("node")).toEqual({ parts: ["x"] });
});

test("one network more changes one part and the index, which are small", () => {
  const before = divideSpace(section, hashOf);
  const after = divideSpace({ ...section, networks: [...networks, "10.9.7.0/25"].sort() }, hashOf);
  const news = [...after.parts].filter(([hash]) => !before.parts.has(hash));
  // At most two, where the network itself ends a part.
  expect(news.length).toBeLessThanOrEqual(2);
  const sent = bytes(after.index) + news.reduce((sum, [, part]) => sum + bytes(part), 0);
  expect(sent).toBeLessThan(64_000);
  expect(sent / bytes(section)).toBeLessThan(1 / 8);
});

test("one network more is sent in some hundred bytes to who has the list, wherever it is put", () => {
  const textOf = (content: unknown) => ({
    hash: hashOf(content),
    text: canonicalJson(content),
  });
  const delta = (base: unknown, content: unknown) =>
    JSON.stringify(deltaOf(textOf(base), canonicalJson(content))).length;
  const before = divideSpace(section, hashOf);
  const sizes = networks
    .filter((_, at) => at % 97 === 0)
    .map((network) => {
      const more = [...networks, network.replace("/24", "/25")].sort();
      const after = divideSpace({ ...section, networks: more }, hashOf);
      const pairs = new Map(replacedParts(before.index.parts, after.index.parts));
      const parts = [...after.parts].filter(([hash]) => !before.parts.has(hash));
      expect([...pairs.keys()]).toEqual(parts.map(([hash]) => hash));
      return parts.reduce(
        (sum, [hash, part]) =>
          sum + delta(before.parts.get(pairs.get(hash) ?? "") as SpacePart, part),
        delta(before.index, after.index),
      );
    });
  expect(Math.max(...sizes)).toBeLessThan(700);
});

test("parts that came and went are paired with those in their place", () => {
  expect(replacedParts(["a", "b", "c", "d"], ["a", "x", "c", "d"])).toEqual([["x", "b"]]);
  expect(replacedParts(["a", "b", "c"], ["a", "x", "y", "c"])).toEqual([
    ["x", "b"],
    ["y", "b"],
  ]);
  expect(replacedParts(["a", "b", "c"], ["a", "x"])).toEqual([["x", "b"]]);
  expect(replacedParts(["a", "b", "c", "d"], ["x", "b", "c", "y"])).toEqual([
    ["x", "a"],
    ["y", "d"],
  ]);
  expect(replacedParts([], ["x"])).toEqual([]);
  expect(replacedParts(["a"], ["a", "x"])).toEqual([]);
});

test("an empty list has no part", () => {
  const { index, parts } = divideSpace({ ...section, networks: [] }, hashOf);
  expect(parts.size).toBe(0);
  const whole = wholeSections(new Map([["space.3", index]]), () => undefined);
  expect(whole.get("space.3")).toEqual({ ...section, networks: [] });
});

test("a list of which a part is missing, or is none, is refused", () => {
  const { index, parts } = divideSpace(section, hashOf);
  const [first] = parts.keys();
  const without = (hash: string) => (hash === first ? undefined : parts.get(hash));
  const sections = new Map([["space.3", index]]);
  expect(() => wholeSections(sections, without)).toThrow("a part of section space.3 is missing");
  expect(() => wholeSections(sections, () => ({ networks: ["elsewhere"] }))).toThrow();
});
