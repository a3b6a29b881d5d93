import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Messages, placeholdersOf } from "@weft/contract/kernel/message.ts";
import { contractMessages } from "@weft/contract/messages.ts";
import { describe, expect, it } from "vitest";
import "./contract-texts.ts";
import { commonTexts } from "./texts.ts";

/** Beside its texts a file may have the hook that gives them. */
type Module = Readonly<Record<string, Messages | ((...args: never[]) => unknown)>>;
const modules = import.meta.glob<Module>(["../**/*messages.ts", "!**/node_modules/**"], {
  eager: true,
});
const ofModules = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, set]) =>
    typeof set === "function" ? [] : [{ file: `${file} ${name}`, set }],
  ),
);

/** Texts that one file uses stand in it and are not exported: they are literals, read from its source. */
const folder = path.resolve(import.meta.dirname, "..");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/messages\.ts$|\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(folder, file), "utf8") }));
const ofPages = sources.flatMap(({ file, source }) =>
  [...source.matchAll(/const (\w+) = defineMessages\((\{.*?\n\})\)/gs)].map(([, name, literal]) => {
    const set = new Function(`return ${literal}`)() as Messages;
    return { file: `${file} ${name}`, set };
  }),
);
const sets = [...ofModules, ...ofPages];

describe("texts", () => {
  it("have a key of their own: all features share one space of keys", () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const { file, set } of [...sets, { file: "contract", set: contractMessages }]) {
      for (const key of Object.keys(set)) {
        if (seen.has(key)) twice.push(`${key}: ${seen.get(key)}, ${file}`);
        seen.set(key, file);
      }
    }
    expect(ofModules.length).toBeGreaterThan(20);
    const calls = sources.flatMap(({ source }) => [...source.matchAll(/\bdefineMessages\(/g)]);
    expect(calls.length).toBeGreaterThan(20);
    expect(ofPages.length).toBe(calls.length);
    expect(twice).toEqual([]);
  });

  it.each(sets)("of $file have the same placeholders in both languages", ({ set }) => {
    for (const [key, [chinese, english]] of Object.entries(set)) {
      expect(chinese, key).not.toBe("");
      expect(english, key).not.toBe("");
      // One language may say a number twice, but both know the same ones.
      expect(new Set(placeholdersOf(english)), key).toEqual(new Set(placeholdersOf(chinese)));
    }
  });

  it.each(sets)("of $file have a singular in English for what they count", ({ set }) => {
    const plural = /\{(?:count|links|nodes|clients)\} (?:\w+ )?\w+s\b/;
    for (const [key, [, english]] of Object.entries(set)) expect(english, key).not.toMatch(plural);
  });

  it("fill their placeholders, whatever these hold", () => {
    const t = commonTexts();
    expect(t("list.asOf", { time: "10:32:05" })).toBe("截至 10:32:05");
    expect(t("removal.title", { name: "<b>{x}$t(done)" })).toBe("删除 <b>{x}$t(done)？");
    expect(t.code("flag", true)).toBe("是");
    expect(t.code("xMode", null)).toBe("—");
    expect(t.issue({ path: "mtu", rule: "mtu", params: { min: 1_000, max: 1_450 } })).toBe(
      "MTU 应为 1000–1450",
    );
  });
});
