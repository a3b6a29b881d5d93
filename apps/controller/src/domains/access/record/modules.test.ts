import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allEndpoints, allResources } from "@weft/contract/all-endpoints.ts";
import { expect, test } from "vitest";
import { moduleTitles } from "./modules.ts";
import { nameFieldsOf } from "./object-name.ts";

const src = join(import.meta.dirname, "../../..");

/** Modules of exports: an export is written down by the first part of its call's id. */
const exported = allEndpoints
  .filter(({ id }) => id.endsWith(".export"))
  .map(({ id }) => id.slice(0, id.indexOf(".")));

/** Modules that audit rows are written for, by their key. */
const written = new Set([
  ...exported,
  ...globSync("**/*.ts", { cwd: src })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(src, file), "utf8").matchAll(
        /\bresource: (?:[^",;]+\? "([\w.]+)" : )?"([\w.]+)"/g,
      ),
    ])
    .flatMap(([, first = "", second = ""]) => [first, second].filter((one) => one !== "")),
]);

test("the operation log names everything that it has rows of", () => {
  expect(written.size).toBeGreaterThan(10);
  const nameless = [...written].filter((module) => !moduleTitles.has(module));
  const advice = "give it a title in domains/access/record-modules.ts of the contract";
  expect(nameless, advice).toEqual([]);
});

test.each(Object.values(allResources).map((resource) => [resource.name, resource] as const))(
  "rows of %s are called by a field that they have",
  (name, { draft, row }) => {
    const fields = new Set([...Object.keys(draft.shape), ...Object.keys(row.shape)]);
    expect(nameFieldsOf(name).filter((field) => fields.has(field))).not.toEqual([]);
  },
);
