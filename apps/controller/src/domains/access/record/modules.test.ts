import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allEndpoints, allResources } from "@weft/contract/all-endpoints.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { sheetFields } from "@weft/contract/sheet-fields.ts";
import { expect, test } from "vitest";
import { moduleTitles } from "./modules.ts";
import { nameFieldsOf } from "./object-name.ts";
import { fieldIn } from "./value-texts.ts";

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

/** Values that a write records in code: `old: { heldAt }`, `new: { state: "approved" }`. */
const recordedFields = new Set(
  globSync("**/*.ts", { cwd: src })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(src, file), "utf8").matchAll(/\b(?:old|new): \{([^{}]*)\}/g),
    ])
    .flatMap(([, body = ""]) => body.split(/[,\n]/))
    .flatMap((part) => /^\s*([A-Za-z_]\w*)\s*(?::|$)/.exec(part)?.[1] ?? []),
);
/** Fields of rows, and of calls that leave a row of the log. */
const resourceFields = [
  ...Object.values(allResources),
  ...policyFamilies.map(({ manage }) => manage.resource),
].flatMap(({ draft }) => Object.keys(draft.shape));
const inputFields = allEndpoints
  .filter(({ method, acts }) => method === "POST" || acts)
  .flatMap(({ input }) => ("shape" in input ? Object.keys(input.shape as object) : []));

test("no field of the operation log is shown by its key, in either language", () => {
  expect(recordedFields).toContain("heldAt");
  const all = new Set([...recordedFields, ...resourceFields, ...inputFields]);
  const nameless = [...all].filter(
    (field) => fieldIn(field, "en_gb") === field || fieldIn(field, "zh_cn") === field,
  );
  const advice = "give it a name in domains/access/record-fields.ts of the contract";
  expect(nameless, advice).toEqual([]);
});

test("no code of a field that has a list of values is shown as it is", () => {
  const raw = [
    ...Object.values(allResources),
    ...policyFamilies.map(({ manage }) => manage.resource),
  ].flatMap((resource) =>
    sheetFields(resource).flatMap(({ name, schema, isChoice, labels }) => {
      const checked = isChoice ? checkWire(schema, "\u0001") : null;
      const issue =
        checked?.ok === false ? checked.issues.find(({ rule }) => rule === "oneOf") : null;
      const codes = issue ? String(issue.params.values).split(", ") : [];
      return codes
        .filter((code) => !labels.has(code))
        .map((code) => `${resource.name}.${name}=${code}`);
    }),
  );
  expect(raw, "give them labels (enum.LIST.CODE), and the list in recordCodes").toEqual([]);
});

test.each(Object.values(allResources).map((resource) => [resource.name, resource] as const))(
  "rows of %s are called by a field that they have",
  (name, { draft, row }) => {
    const fields = new Set([...Object.keys(draft.shape), ...Object.keys(row.shape)]);
    expect(nameFieldsOf(name).filter((field) => fields.has(field))).not.toEqual([]);
  },
);
