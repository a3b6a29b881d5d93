import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { acceptanceLists, evaluate } from "./acceptance-lists.ts";
import { inRoot, readJson } from "./repository.ts";
import type { TestResult } from "./test-reporter.ts";

const result = (title: string, state: TestResult["state"] = "passed"): TestResult => ({
  id: `some.test.ts > ${title}`,
  state,
  ms: 1,
});
const proven = (ids: string[], results: TestResult[]) =>
  evaluate([{ name: "list", ids }], results)[0]?.proofs.map(({ test }) => test !== null);

test("an id is proven by a passed test whose title names it, and that test is listed", () => {
  const results = [result("B-6-01, B-6-02: user 1 holds all"), result("endpoints:user.add > x")];
  expect(proven(["B-6-01", "B-6-02", "endpoints:user.add"], results)).toEqual([true, true, true]);
  expect(evaluate([{ name: "list", ids: ["B-6-02"] }], results)[0]?.proofs).toEqual([
    { id: "B-6-02", test: "some.test.ts > B-6-01, B-6-02: user 1 holds all" },
  ]);
});

test("an id inside a longer token is not named", () => {
  const results = [result("B-6-010 and endpoints:user.addMany and xB-6-02")];
  expect(proven(["B-6-01", "endpoints:user.add", "B-6-02"], results)).toEqual([
    false,
    false,
    false,
  ]);
});

test("a failed or skipped test that names it leaves an id unproven", () => {
  for (const state of ["failed", "skipped"] as const) {
    expect(proven(["enums:xMode"], [result("enums:xMode"), result("enums:xMode", state)])).toEqual([
      false,
    ]);
  }
});

test("every behaviour is owed by one group of the plan, and no id occurs twice", () => {
  const lists = acceptanceLists((file) => readJson(`packages/contract/spec/${file}`));
  const planned = lists
    .filter(({ name }) => ["foundation", "shell", "resources", "later"].includes(name))
    .flatMap(({ ids }) => ids);
  const { behaviours } = readJson<{ behaviours: { id: string }[] }>(
    "packages/contract/spec/behaviours.json",
  );
  expect([...planned].sort()).toEqual(behaviours.map(({ id }) => id).sort());
  for (const { name, ids } of lists) expect(new Set(ids).size, name).toBe(ids.length);
  expect(lists.find(({ name }) => name === "permissions")?.ids).toHaveLength(110);
});

test("a list that there is not is refused, and those that there are are named", () => {
  const run = () =>
    execFileSync(process.execPath, [inRoot("tools/src/acceptance.ts"), "nonsense"], {
      stdio: "pipe",
      encoding: "utf8",
    });
  expect(run).toThrow(/no list nonsense; there are validators, enums, permissions/);
});
