import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Case, type CaseList, evaluateCase } from "#rules/cases.ts";
import { conversions, validators } from "#rules/registry.ts";

const file = path.join(import.meta.dirname, "../../spec/validators.json");
const lists: CaseList[] = JSON.parse(fs.readFileSync(file, "utf8")).validators;

const titled = (cases: readonly Case[]) =>
  cases.map((one, place) => [`${place + 1}: ${JSON.stringify(one.input)}`, one] as const);

describe.each(lists.map((list) => [list.id, list] as const))("validators:%s", (_, list) => {
  test.each(titled(list.valid))("valid %s", (_, one) =>
    expect(evaluateCase(list, one, "valid")).toBeNull(),
  );
  test.each(titled(list.invalid))("invalid %s", (_, one) =>
    expect(evaluateCase(list, one, "invalid")).toBeNull(),
  );
  const decided = (list.ambiguous ?? []).filter(
    (one) => list.kind === "validator" && ["valid", "invalid"].includes(one.resolution ?? ""),
  );
  if (decided.length > 0) {
    test.each(titled(decided))("decided %s", (_, one) =>
      expect(evaluateCase(list, one, one.resolution as "valid" | "invalid")).toBeNull(),
    );
  }
});

test("every rule of the table has its list", () => {
  const ids = lists.map((list) => list.id).sort();
  expect([...Object.keys(validators), ...Object.keys(conversions)].sort()).toEqual(ids);
});
