// The runner itself: stages with planted outcomes, and files that are run by Vitest as `npm test` runs its groups.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inRoot, root } from "./repository.ts";
import { filesOf, testGroups } from "./test-groups.ts";
import { failure, readReport, type TestResult } from "./test-reporter.ts";
import { countLine, maxFlaky, runPlan, summaryLines } from "./test-run.ts";
import type { Stage } from "./test-stages.ts";

const passed = (id: string): TestResult => ({
  id,
  state: "passed",
  ms: 1,
  file: id.split(" > ")[0] ?? "",
});
const skipped = (id: string): TestResult => ({ ...passed(id), state: "skipped" });
const failed = (id: string, message = "no"): TestResult => failure(id, message, id.split(" > ")[0]);

/** A stage of test files that gives these results, run after run. */
function stageOf(...runs: readonly TestResult[][]): Stage {
  const next = runs.values();
  const run = async () => next.next().value ?? [];
  return { name: "unit", limitMinutes: 1, hasFiles: true, run };
}

/** Runs a plan with an hour's time, without lines of progress. */
const run = (plan: readonly (readonly Stage[])[], limitMs = 3_600_000) =>
  runPlan(plan, limitMs, () => undefined);

test("a file that fails once and then passes alone is flaky, and the run passes", async () => {
  const first = [passed("a > 1"), failed("a > 2", "late"), passed("b > 1")];
  const record = await run([[stageOf(first, [passed("a > 1"), passed("a > 2")])]]);
  expect(record.flaky).toEqual([{ name: "a", failed: [failed("a > 2", "late")] }]);
  expect(summaryLines(record, "1 s").slice(-4)).toEqual([
    "flaky   a: failed, and passed when it ran again alone",
    "        a > 2: late",
    "1 flaky",
    "3 passed, 0 failed, 0 skipped",
  ]);
});

test.each([
  ["fails again", [failed("a > 1", "first")], [failed("a > 1", "second")]],
  ["runs fewer tests", [passed("a > 1"), failed("a > 2", "late")], [passed("a > 1")]],
  ["skips a test", [skipped("a > 1")], [skipped("a > 1")]],
  ["runs another test", [passed("a > 1"), failed("a > 2")], [passed("a > 1"), passed("a > 3")]],
])("a file that %s the second time has failed", async (_, first, second) => {
  const record = await run([[stageOf(first, second)]]);
  expect(record).toMatchObject({ flaky: [], results: first });
});

test("what broke outside of tests is no test that is missing afterwards", async () => {
  const stage = stageOf([skipped("a > 1"), failed("a > (file)")], [passed("a > 1")]);
  const { results, flaky } = await run([[stage]]);
  expect(flaky).toHaveLength(1);
  expect(results).toEqual([passed("a > 1")]);
});

test("a stage that failed outside of its files runs again as a whole", async () => {
  const stage = stageOf([passed("a > 1"), failure("unit > (runner)", "no")], [passed("a > 1")]);
  const { results, flaky } = await run([[stage]]);
  expect(flaky).toEqual([{ name: "unit", failed: [failure("unit > (runner)", "no")] }]);
  expect(results).toEqual([passed("a > 1")]);
});

test(`more than ${maxFlaky} flaky files fail the run`, async () => {
  const names = Array.from({ length: maxFlaky + 1 }, (_, at) => `f${at}`);
  const first = names.map((name) => failed(`${name} > 1`));
  const { results, flaky } = await run([
    [stageOf(first, ...names.map((name) => [passed(`${name} > 1`)]))],
  ]);
  expect(flaky).toHaveLength(maxFlaky + 1);
  expect(results.filter(({ state }) => state === "failed")).toEqual([
    failure("(run)", `${maxFlaky + 1} flaky files, at most ${maxFlaky}`),
  ]);
});

test("a stage that ran again as a whole is as many flaky files as failed in it, and has all of its tests", async () => {
  const names = Array.from({ length: maxFlaky }, (_, at) => `f${at} > 1`);
  const first = [...names.map((name) => failed(name)), failure("unit > (runner)", "no")];
  const { results } = await run([[stageOf(first, names.map(passed))]]);
  expect(results.filter(({ state }) => state === "failed")).toEqual([
    failure("(run)", `${maxFlaky + 1} flaky files, at most ${maxFlaky}`),
  ]);
  const lost = [passed("a > 1"), passed("b > 1"), failure("unit > (runner)", "no")];
  expect(await run([[stageOf(lost, [passed("a > 1")])]])).toMatchObject({
    flaky: [],
    results: lost,
  });
});

test("a required step that fails is tried once more, and what follows needs it", async () => {
  const step = { ...stageOf([failure("step", "no")], [passed("step")]), isRequired: true };
  const { results, flaky } = await run([[step], [stageOf([passed("b > 1")])]]);
  expect(flaky).toEqual([{ name: "unit", failed: [failure("step", "no")] }]);
  expect(countLine(results)).toBe("2 passed, 0 failed, 0 skipped");
  const broken: Stage = { ...step, hasFiles: false, run: async () => [failure("step", "no")] };
  const without = await run([[broken], [stageOf([passed("b > 1")])]]);
  expect(without.results).toEqual([failure("step", "no")]);
});

test("a stage that throws fails, and the others run", async () => {
  const run1 = () => Promise.reject(new Error("no disk"));
  const thrower: Stage = { name: "check", limitMinutes: 1, run: run1 };
  const { results } = await run([[thrower], [stageOf([passed("a > 1")])]]);
  expect(results).toEqual([failure("check > (stage)", "Error: no disk"), passed("a > 1")]);
});

test("a stage without results has failed", async () => {
  const { results } = await run([[stageOf([])]]);
  expect(results).toContainEqual(failure("unit > (stage)", "ran nothing"));
});

test("when the time of a run is up, its other stages fail and are not begun", async () => {
  const { results } = await run([[stageOf([])]], 0);
  expect(results).toEqual([failure("unit > (stage)", "not begun: the run's time was up")]);
});

test("every test file of the repository is in one group, and every file of a group is there", () => {
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((name) => /\.test\.tsx?$/.test(name) && existsSync(inRoot(name)));
  expect(files.length).toBeGreaterThan(400);
  expect(testGroups.flatMap(filesOf).toSorted()).toEqual(files.toSorted());
});

test("a report that a full disk cut keeps its whole lines, and fails", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = path.join(folder, "unit.jsonl");
  const [a, b] = ["a", "b"].map((file) =>
    JSON.stringify({ file, results: [passed(`${file} > 1`)] }),
  );
  writeFileSync(report, `${a}\n{"file":"c","resu${b}\n${b}\n{"file":"d","isIn":"1"`);
  expect(readReport(report, ["a", "b", "c", "d"], "ended")).toMatchObject([
    passed("a > 1"),
    { id: "(report)", state: "failed" },
    passed("b > 1"),
    failed("c > (file)", "had not begun when Vitest ended"),
    failed("d > (file)", "had not begun when Vitest ended"),
  ]);
});

test("what failed, hid, broke or did not end in a file is reported", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = path.join(folder, "unit.jsonl");
  const moduleOf = (file: string): string => JSON.stringify(inRoot(file));
  mkdirSync(path.join(folder, "tests"));
  writeFileSync(
    path.join(folder, "vitest.config.mjs"),
    `import { reportingInto } from ${moduleOf("tools/src/test-reporter.ts")};
     const reporting = reportingInto(${JSON.stringify(report)});
     export default { test: { include: ["tests/*.test.mjs"], ...reporting, maxWorkers: 1 } };`,
  );
  writeFileSync(
    path.join(folder, "tests/a.test.mjs"),
    `import { beforeAll, describe, expect, test } from ${moduleOf("node_modules/vitest/dist/index.js")};
     test("passes", () => expect(1).toBe(1));
     test("fails", () => expect(1).toBe(2));
     let runs = 0;
     test("passes at last", { retry: 1 }, () => expect(++runs).toBe(2));
     test("has no snapshot", () => expect("x").toMatchFileSnapshot("./none.txt"));
     describe("suite", () => {
       beforeAll(() => { throw new Error("no database"); });
       test("never runs", () => {});
     });
     test("leaves promises", async () => {
       Promise.reject(new Error("nobody awaits"));
       Promise.reject("no error");
       await new Promise(setImmediate);
     });`,
  );
  writeFileSync(
    path.join(folder, "tests/b.test.mjs"),
    `import { readFileSync } from "node:fs";
     import { setTimeout as sleep } from "node:timers/promises";
     import { test } from ${moduleOf("node_modules/vitest/dist/index.js")};
     test("kills the run", async () => {
       while (!readFileSync(${JSON.stringify(report)}, "utf8").includes("kills")) await sleep(10);
       process.kill(process.ppid, "SIGKILL");
       await sleep(60_000);
     });`,
  );
  writeFileSync(
    path.join(folder, "tests/c.test.mjs"),
    `import { describe } from ${moduleOf("node_modules/vitest/dist/index.js")};
     describe.todo("later");`,
  );
  const vitest = inRoot("node_modules/vitest/vitest.mjs");
  const runFile = (file: string): TestResult[] => {
    writeFileSync(report, "");
    // Without CI, as on a developer's machine.
    const { CI: _, ...inherited } = process.env;
    const env = { ...inherited, UPDATE_SNAPSHOT: "all" };
    spawnSync(process.execPath, [vitest, "run", "--root", folder, file], { cwd: root, env });
    const expected = [path.relative(root, path.join(folder, file))];
    return readReport(report, expected, "ended with code 137");
  };
  const shown = ({ id, state, message }: TestResult) => [
    id.replace(/^.*\.test\.mjs > /, ""),
    state,
    message?.split(" // ")[0],
  ];
  expect(runFile("tests/a.test.mjs").map(shown)).toEqual([
    ["passes", "passed", undefined],
    ["fails", "failed", "expected 1 to be 2"],
    ["passes at last", "failed", "failed, then passed: expected 1 to be 2"],
    ["has no snapshot", "failed", expect.stringContaining("mismatched")],
    ["suite > never runs", "skipped", undefined],
    ["leaves promises", "passed", undefined],
    ["(file)", "failed", "no database"],
    ["(file)", "failed", 'Unhandled Rejection: nobody awaits, while or after "leaves promises"'],
    ["unit > (outside of files)", "failed", "Unhandled Rejection: no error"],
  ]);
  expect(runFile("tests/b.test.mjs").map(shown)).toEqual([
    ["kills the run", "failed", "was running when Vitest ended with code 137"],
  ]);
  expect(runFile("tests/c.test.mjs").map(shown)).toEqual([
    ["(file)", "failed", "no test in this file"],
  ]);
  expect(runFile("tests/none.test.mjs").map(shown)).toEqual([
    ["(file)", "failed", "had not begun when Vitest ended with code 137"],
  ]);
});
