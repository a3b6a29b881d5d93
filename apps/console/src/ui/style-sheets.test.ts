/** Colours that style sheets name have to be there in the built page, which rewrites some functions. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { paintRoot } from "./tokens.ts";

const src = join(import.meta.dirname, "..");
const sheets = globSync("**/*.css", { cwd: src });
const textOf = (sheet: string): string => readFileSync(join(src, sheet), "utf8");

/** Names of the variables that the root element is painted with. */
const painted = (): Set<string> => {
  const names = new Set<string>();
  const style = { setProperty: (name: string) => void names.add(name), colorScheme: "" };
  paintRoot({ style } as unknown as HTMLElement, "light", "#1677ff");
  return names;
};

describe.each(sheets)("%s", (sheet) => {
  it("has no light-dark(), which the build turns into variables that are never set", () => {
    expect(textOf(sheet)).not.toContain("light-dark(");
  });

  it("uses colours that are set", () => {
    const set = painted();
    for (const own of textOf(sheet).matchAll(/(--w-[\w-]+)\s*:/g)) set.add(own[1] ?? "");
    for (const other of sheets) {
      for (const own of textOf(other).matchAll(/(--w-[\w-]+)\s*:/g)) set.add(own[1] ?? "");
    }
    const used = [...textOf(sheet).matchAll(/var\((--w-[\w-]+)\)/g)].map(([, name = ""]) => name);
    expect(used.filter((name) => !set.has(name))).toEqual([]);
  });
});
