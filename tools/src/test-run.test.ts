// The runner itself: files of a folder that are run by Vitest as `npm test` runs its groups.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inRoot, root } from "./repository.ts";
import { filesOf, testGroups } from "./test-groups.ts";
import type { TestResult } from "./test-reporter.ts";
import { countLine, maxFlaky, runPlan, summaryLines } from "./test-run.ts";
import {
  type FileOutcome,
  failure,
  fromReport,
  type Stage,
  withUnfinished,
} from "./test-stages.ts";

const passed = (id: string): TestResult => ({ id, title: id, state: "passed", ms: 1 });
const file = (name: string, ...results: TestResult[]): FileOutcome => ({
  file: name,
  ms: 1,
  results,
});

/** A stage whose files have these outcomes, run after run. */
function stageOf(name: string, runs: readonly (readonly FileOutcome[])[]): Stage {
  const next = runs.values();
  const take = async () => ({ steps: [], files: next.next().value ?? [] });
  return { name, limitMinutes: 1, run: take, rerun: take };
}

/** Runs a plan with an hour's time, without lines of progress. */
const run = (plan: readonly (readonly Stage[])[], limitMs = 3_600_000) =>
  runPlan(plan, limitMs, () => undefined);

test("a file that fails once and then passes alone is flaky, and the run passes", async () => {
  const first = [file("a", passed("a > 1"), failure("a > 2", "late")), file("b", passed("b > 1"))];
  const again = [file("a", passed("a > 1"), passed("a > 2"))];
  const record = await run([[stageOf("unit", [first, again])]]);
  expect(record.flaky).toEqual([{ name: "a", failed: [failure("a > 2", "late")] }]);
  expect(countLine(record.results)).toBe("3 passed, 0 failed, 0 skipped");
  const lines = summaryLines(record, "1 s");
  expect(lines.slice(-4)).toEqual([
    "flaky   a: failed, and passed when it ran again alone",
    "        a > 2: late",
    "1 flaky",
    "3 passed, 0 failed, 0 skipped",
  ]);
});

test("a file that fails again is failed, with both messages", async () => {
  const first = [file("a", failure("a > 1", "first"))];
  const again = [file("a", failure("a > 1", "second"))];
  const { results, flaky } = await run([[stageOf("unit", [first, again])]]);
  expect(flaky).toEqual([]);
  expect(results).toEqual([failure("a > 1", "first\nAgain, alone: second")]);
});

test("a file of which fewer tests run the second time has not passed", async () => {
  const first = [file("a", passed("a > 1"), failure("a > 2", "late"))];
  const { results, flaky } = await run([[stageOf("unit", [first, [file("a", passed("a > 1"))]])]]);
  expect(flaky).toEqual([]);
  expect(countLine(results)).toBe("1 passed, 1 failed, 0 skipped");
});

test("what broke outside of tests is no test that is missing afterwards", async () => {
  const first = [file("a", { ...passed("a > 1"), state: "skipped" }, failure("a > (file)", "no"))];
  const { results, flaky } = await run([[stageOf("unit", [first, [file("a", passed("a > 1"))]])]]);
  expect(flaky).toHaveLength(1);
  expect(results).toEqual([passed("a > 1")]);
});

test("a skipped test fails its file", async () => {
  const skipped = file("a", { ...passed("a > 1"), state: "skipped" });
  const { results } = await run([[stageOf("unit", [[skipped], [skipped]])]]);
  expect(results.every(({ state }) => state === "passed")).toBe(false);
});

test(`more than ${maxFlaky} flaky files fail the run`, async () => {
  const names = Array.from({ length: maxFlaky + 1 }, (_, at) => `f${at}`);
  const first = names.map((name) => file(name, failure(`${name} > 1`, "late")));
  const again = names.map((name) => [file(name, passed(`${name} > 1`))]);
  const { results, flaky } = await run([[stageOf("unit", [first, ...again])]]);
  expect(flaky).toHaveLength(maxFlaky + 1);
  expect(results.filter(({ state }) => state === "failed")).toHaveLength(1);
});

test("a required step that fails is tried once more, and what follows needs it", async () => {
  const outcomes = [
    [failure("demonstration > prepared", "no")],
    [passed("demonstration > prepared")],
  ];
  const next = outcomes.values();
  const step: Stage = {
    name: "demonstration",
    limitMinutes: 1,
    isRequired: true,
    run: async () => ({ steps: next.next().value ?? [], files: [] }),
  };
  const browser = stageOf("browser", [[file("b", passed("b > 1"))]]);
  const { results, flaky } = await run([[step], [browser]]);
  expect(flaky.map(({ name }) => name)).toEqual(["demonstration"]);
  expect(countLine(results)).toBe("2 passed, 0 failed, 0 skipped");
  const broken: Stage = {
    ...step,
    run: async () => ({ steps: [failure("demonstration > prepared", "no")], files: [] }),
  };
  const without = await run([[broken], [browser]]);
  expect(without.stages.map(({ name }) => name)).toEqual(["demonstration"]);
  expect(countLine(without.results)).toBe("0 passed, 1 failed, 0 skipped");
});

test("a stage that throws fails, and the others run", async () => {
  const thrower: Stage = {
    name: "check",
    limitMinutes: 1,
    run: () => Promise.reject(new Error("no disk")),
  };
  const { results } = await run([[thrower], [stageOf("unit", [[file("a", passed("a"))]])]]);
  expect(results).toEqual([failure("check > (stage)", "Error: no disk"), passed("a")]);
});

test("when the time of a run is up, its other stages fail and are not begun", async () => {
  const { results } = await run([[stageOf("unit", [])]], 0);
  expect(results).toEqual([failure("unit > (stage)", "not begun: the run's time was up")]);
});

test("files that a run did not finish are named with the test that they were in", () => {
  const lines = [
    { event: "file started", file: "a" },
    { event: "file ended", file: "a", ms: 5, results: [passed("a > 1")] },
    { event: "file started", file: "b" },
    { event: "test started", file: "b", title: "waits" },
    { event: "error", message: "no database" },
  ] as const;
  const outcome = withUnfinished(fromReport("unit", lines), lines, ["a", "b", "c"], "its limit");
  expect(outcome.steps.map(({ message }) => message)).toEqual(["no database"]);
  expect(outcome.files.flatMap(({ results }) => results)).toEqual([
    passed("a > 1"),
    failure("b > waits", "was running when the run ended by its limit"),
    failure("c > (file)", "did not begin: the run ended by its limit"),
  ]);
});

test("every test file of the repository is in one group, and every file of a group is there", () => {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((name) => /\.test\.tsx?$/.test(name) && existsSync(inRoot(name)));
  expect(files.length).toBeGreaterThan(400);
  const grouped = testGroups.flatMap(filesOf);
  expect(files.filter((name) => !grouped.includes(name))).toEqual([]);
  expect(grouped.filter((name) => !files.includes(name))).toEqual([]);
  expect(grouped.filter((name, at) => grouped.indexOf(name) !== at)).toEqual([]);
});

// Below: Vitest itself, on files that fail as tests do.
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "weft-runner-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a file with the reporter of `npm test`; its lines. */
function reportOf(source: string): string[] {
  mkdirSync(path.join(folder, "tests"));
  writeFileSync(path.join(folder, "tests/planted.test.mjs"), source);
  const reporter = JSON.stringify(inRoot("tools/src/test-reporter.ts"));
  const report = path.join(folder, "lines.jsonl");
  writeFileSync(
    path.join(folder, "vitest.config.mjs"),
    `import { lineReporter } from ${reporter};
     export default { test: { include: ["tests/*.test.mjs"], reporters: [lineReporter(${JSON.stringify(report)})] } };`,
  );
  const vitest = inRoot("node_modules/vitest/vitest.mjs");
  try {
    execFileSync(process.execPath, [vitest, "run", "--root", folder], { stdio: "pipe", cwd: root });
  } catch {
    // It fails by design; the lines tell how.
  }
  return readFileSync(report, "utf8").trim().split("\n");
}

const vitestModule = JSON.stringify(inRoot("node_modules/vitest/dist/index.js"));

test("the reporter writes failed tests, failed hooks, and errors that nobody awaits", () => {
  const lines = reportOf(`
    import { beforeAll, describe, expect, test } from ${vitestModule};
    test("passes", () => expect(1).toBe(1));
    test("fails", () => expect(1).toBe(2));
    describe("suite", () => {
      beforeAll(() => { throw new Error("no database"); });
      test("never runs", () => {});
    });
    test("leaves a promise", () => { Promise.reject(new Error("nobody awaits")); });
  `).map((line) => JSON.parse(line));
  const ended = lines.find(({ event }) => event === "file ended");
  const states = ended.results.map(({ title, state }: TestResult) => [
    title.replace(/^.*test\.mjs > /, ""),
    state,
  ]);
  expect(states).toEqual([
    ["passes", "passed"],
    ["fails", "failed"],
    ["suite > never runs", "skipped"],
    ["leaves a promise", "passed"],
    ["suite > (hooks)", "failed"],
  ]);
  expect(lines.filter(({ event }) => event === "error").map(({ message }) => message)).toEqual([
    "nobody awaits",
  ]);
});
