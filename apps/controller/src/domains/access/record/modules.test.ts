import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { moduleTitles } from "./modules.ts";

const src = join(import.meta.dirname, "../../..");

/** Modules that audit rows are written for, by their key. */
const written = new Set(
  globSync("**/*.ts", { cwd: src })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(src, file), "utf8").matchAll(/\bresource: "([\w.]+)"/g),
    ])
    .map(([, module]) => module ?? ""),
);

test("the operation log names everything that it has rows of", () => {
  expect(written.size).toBeGreaterThan(10);
  const nameless = [...written].filter((module) => !moduleTitles.has(module));
  const advice = "give it a title in domains/access/record-modules.ts of the contract";
  expect(nameless, advice).toEqual([]);
});
