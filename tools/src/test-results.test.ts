import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { duration } from "./duration.ts";
import { bin, inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import type { FileRecord } from "./test-file-reporter.ts";
import {
  countLine,
  evaluateSkips,
  failureLines,
  fromVitest,
  type TestResult,
  type VitestReport,
} from "./test-results.ts";

const result = (id: string, state: TestResult["state"]): TestResult => ({
  id,
  title: id,
  state,
  ms: 1,
});
const skip = { id: "lab > vrf", reason: "this kernel has no VRF", missingPathTest: "lab > no vrf" };
const states = (results: readonly TestResult[]) => results.map(({ state }) => state);

test("a skip that is not expected fails", () => {
  const evaluated = evaluateSkips([result("lab > vrf", "skipped")], [], false);
  expect(states(evaluated)).toEqual(["failed"]);
  expect(evaluated[0]?.message).toContain("expected-skips.json");
});

test("an expected skip stays one, with its reason", () => {
  const results = [result("lab > vrf", "skipped"), result("lab > no vrf", "passed")];
  const evaluated = evaluateSkips(results, [skip], true);
  expect(states(evaluated)).toEqual(["skipped", "passed"]);
  expect(evaluated[0]?.message).toBe(skip.reason);
});

test("an expected skip that ran is evaluated by what it did", () => {
  const results = [result("lab > vrf", "failed"), result("lab > no vrf", "passed")];
  expect(states(evaluateSkips(results, [skip], true))).toEqual(["failed", "passed"]);
});

test("a full run refuses a skip whose missing path no test proves", () => {
  const results = [result("lab > vrf", "skipped"), result("lab > no vrf", "skipped")];
  expect(countLine(evaluateSkips(results, [skip], true))).toBe("0 passed, 2 failed, 1 skipped");
});

test("a full run refuses an entry without a test, a partial run does not know", () => {
  const results = [result("lab > no vrf", "passed")];
  expect(states(evaluateSkips(results, [skip], true))).toEqual(["passed", "failed"]);
  expect(states(evaluateSkips(results, [skip], false))).toEqual(["passed"]);
});

test("what broke outside of tests comes first, once, with the number of tests that did not run", () => {
  const cause = "a.test.ts > (file)";
  const evaluated = evaluateSkips(
    [
      { ...result("b.test.ts > fails", "failed"), message: "expected 1 to be 2\nat b" },
      ...["one", "two", "three"].map((name) => ({
        ...result(`a.test.ts > ${name}`, "skipped"),
        cause,
      })),
      { ...result(cause, "failed"), message: "no server\nat a" },
      result("c.test.ts > left", "skipped"),
    ],
    [],
    false,
  );
  expect(failureLines(evaluated)).toEqual([
    "FAILED  a.test.ts > (file)",
    "        no server",
    "        3 tests did not run because of this",
    "FAILED  b.test.ts > fails",
    "        expected 1 to be 2",
    "FAILED  c.test.ts > left",
    "        skipped, and not in expected-skips.json",
  ]);
  expect(countLine(evaluated)).toBe("0 passed, 6 failed, 0 skipped");
});

test("durations are readable", () => {
  expect([340, 9_949, 42_400, 185_000].map(duration)).toEqual([
    "0.3 s",
    "9.9 s",
    "42 s",
    "3 min 5 s",
  ]);
});

// Vitest itself writes the report: its form is not guaranteed, and a new version may change it.
test("every way to end in Vitest's report becomes a result", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "weft-report-"));
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  write("good.test.js", 'describe("a", () => test("b", () => {}));\ntest("c", () => {});\n');
  write(
    "mixed.test.js",
    'test("bad", () => expect(1).toBe(2));\ntest.skip("left", () => {});\ntest.todo("later");\n',
  );
  write("broken.test.js", 'throw new Error("no file");\n');
  write(
    "hook.test.js",
    'beforeAll(() => { throw new Error("no hook"); });\ntest("d", () => {});\n',
  );
  write(
    "suite.test.js",
    `describe("e", () => { beforeAll(() => { throw new Error("no suite"); });
      describe("f", () => test("g", () => {})); });
    test("h", () => { throw new Error("bad"); });`,
  );
  try {
    const report = path.join(folder, "report.json");
    const files = path.join(folder, "files.json");
    const reporter = JSON.stringify(inRoot("tools/src/test-file-reporter.ts"));
    write(
      "vitest.config.mjs",
      `import { fileReporter } from ${reporter};
      const json = ["json", { outputFile: ${JSON.stringify(report)} }];
      export default { test: { reporters: [json, fileReporter(${JSON.stringify(files)})] } };`,
    );
    const options = ["--globals"] as const;
    const argv = [bin("vitest"), "run", "--root", folder, ...options] as const;
    const { code } = await runCommand(argv, { cwd: folder, capture: true });
    expect(code).toBe(1);
    const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
    const records: FileRecord[] = read(files);
    const errors = Object.fromEntries(records.map((one) => [one.file, one.errors]));
    const results = fromVitest(read(report) as VitestReport, errors);
    const ends = results.map(({ id, state }) => `${id.slice(id.lastIndexOf("/") + 1)}: ${state}`);
    expect(ends.sort()).toEqual([
      "broken.test.js > (file): failed",
      "good.test.js > a > b: passed",
      "good.test.js > c: passed",
      "hook.test.js > (file): failed",
      "hook.test.js > d: skipped",
      "mixed.test.js > bad: failed",
      "mixed.test.js > later: skipped",
      "mixed.test.js > left: skipped",
      "suite.test.js > e > (file): failed",
      "suite.test.js > e > f > g: skipped",
      "suite.test.js > h: failed",
    ]);
    const causes = results.map(({ id, cause }) => [id, cause].map((one) => one?.split("/").at(-1)));
    expect(causes.filter(([, cause]) => cause)).toEqual([
      ["hook.test.js > d", "hook.test.js > (file)"],
      ["suite.test.js > e > f > g", "suite.test.js > e > (file)"],
    ]);
    expect(results.find(({ id }) => id.endsWith("e > (file)"))?.message).toBe("no suite");
    expect(results.find(({ id }) => id.endsWith("> bad"))?.message).toContain("expected 1 to be 2");
    expect(results.find(({ id }) => id.includes("broken"))?.message).toContain("no file");
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);
