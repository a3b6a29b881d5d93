/** What a run of Vitest reports to the runner, line by line: it is complete up to the moment when the run is killed. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { InlineConfig, Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { root } from "./repository.ts";

/** Informs vitest.config.ts that a run reports: names the file for its lines; "" or unset: none. */
export const reportVariable = "WEFT_TEST_REPORT";

/** One test, or one step that is no test, as build/test-results.json has it. */
export interface TestResult {
  /** "file > suite > test"; steps have "stage > step". */
  readonly id: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly ms: number;
  /** Test file relative to the root; absent for a step. */
  readonly file?: string | undefined;
  /** Why it failed. */
  readonly message?: string | undefined;
}

/** A failed result for something that is no test: a step, a crashed runner, a limit. */
export const failure = (id: string, message: string, file?: string): TestResult => ({
  id,
  state: "failed",
  ms: 0,
  message,
  file,
});

interface ReportLine {
  /** Absent: an error that belongs to no known file. */
  readonly file?: string;
  /** The test that the file is in; "(file)" before its first one. */
  readonly isIn?: string;
  /** Results of a file that has ended, or an error outside of tests. */
  readonly results?: readonly TestResult[];
}

const fileOf = (module: { readonly moduleId: string }): string =>
  path.relative(root, module.moduleId);

const messagesOf = (errors: readonly { readonly message: string }[] = []): string =>
  errors.map(({ message }) => message).join("\n");

function resultOf(file: string, test: TestCase): TestResult {
  const { state, errors } = test.result();
  const id = `${file} > ${test.fullName}`;
  // With `retry` a test hides what failed; the runner repeats files itself, and reports it.
  if (test.diagnostic()?.flaky)
    return failure(id, `failed, then passed: ${messagesOf(errors)}`, file);
  return {
    id,
    state: state === "pending" ? "skipped" : state,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
    file,
    message: state === "failed" ? messagesOf(errors) : undefined,
  };
}

/**
 * What broke in a file outside of its tests: on import, or in a hook of one of its suites. Also that it has no tests,
 * which Vitest takes for a pass when a suite without tests is skipped or to be written.
 */
function brokenOf(file: string, module: TestModule): TestResult[] {
  const inHooks = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const broken = [...module.errors(), ...inHooks];
  const isEmpty = broken.length === 0 && module.children.allTests().next().done === true;
  const errors = isEmpty ? [{ message: "no test in this file" }] : broken;
  return errors.length > 0 ? [failure(`${file} > (file)`, messagesOf(errors), file)] : [];
}

/**
 * Failures for an error outside of tests, for example of a promise that nobody awaits: of each test file that its stack
 * names, or else of the one that ran in its worker, as Vitest adds it; else of no file.
 */
function unhandledOf(stage: string, error: SerializedError): TestResult[] {
  const { type = "Error", message, stack = "" } = error;
  const { VITEST_TEST_PATH: ran, VITEST_TEST_NAME: test } = error;
  const text = `${type}: ${message}${test === undefined ? "" : `, while or after "${test}"`}`;
  const files = [...stack.matchAll(/\/[^\s():]+\.test\.\w+(?=:\d)/g)].map(([file]) => file);
  if (files.length === 0 && typeof ran === "string") files.push(ran);
  if (files.length === 0) return [failure(`${stage} > (outside of files)`, text)];
  return [...new Set(files)].map((absolute) => {
    const file = path.relative(root, absolute);
    return failure(`${file} > (file)`, text, file);
  });
}

/** A reporter of Vitest that writes events as lines of JSON (`ReportLine`) into a file, which is named after the stage. */
function lineReporter(outputFile: string): Reporter {
  const write = (line: ReportLine): void => appendFileSync(outputFile, `${JSON.stringify(line)}\n`);
  const stage = path.parse(outputFile).name;
  return {
    onTestModuleStart: (module) => write({ file: fileOf(module), isIn: "(file)" }),
    onTestCaseReady: (test) => write({ file: fileOf(test.module), isIn: test.fullName }),
    onTestModuleEnd(module) {
      const file = fileOf(module);
      const tests = [...module.children.allTests()].map((test) => resultOf(file, test));
      write({ file, results: [...tests, ...brokenOf(file, module)] });
    },
    onTestRunEnd: (_, errors) =>
      write({ results: errors.flatMap((error) => unhandledOf(stage, error)) }),
  };
}

/**
 * Settings of Vitest for a run that reports into a file. Snapshots are compared and never written, whatever
 * UPDATE_SNAPSHOT says: without CI a missing one would be written, and pass.
 */
export const reportingInto = (outputFile: string) =>
  ({
    reporters: [["default", { summary: false }], lineReporter(outputFile)],
    update: "none",
  }) satisfies InlineConfig;

/** A line, or what a full disk left of it. */
function parsed(line: string): ReportLine {
  try {
    return JSON.parse(line);
  } catch {
    return { results: [failure("(report)", `a line of it is not whole: ${line.slice(0, 200)}`)] };
  }
}

/**
 * The results of a run, with a failure for each expected file that has not ended.
 * @param end how the run ended: "ended with code 1"
 */
export function readReport(report: string, expected: readonly string[], end: string): TestResult[] {
  const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n").slice(0, -1) : [];
  const ended: TestResult[] = [];
  const unfinished = new Map<string, string | undefined>(expected.map((file) => [file, undefined]));
  for (const { file = "", isIn, results } of lines.map(parsed)) {
    if (results) {
      ended.push(...results);
      unfinished.delete(file);
    } else if (unfinished.has(file)) {
      // The start of a short test may be reported after the end of its file.
      unfinished.set(file, isIn);
    }
  }
  const others = [...unfinished].map(([file, isIn]) => {
    const message = `${isIn === undefined ? "had not begun" : "was running"} when Vitest ${end}`;
    return failure(`${file} > ${isIn ?? "(file)"}`, message, file);
  });
  return [...ended, ...others];
}
