/** What a run of Vitest reports to the runner, line by line: it is complete up to the moment when the run is killed. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { root } from "./repository.ts";

/** Informs vitest.config.ts that a run reports: names the file for its lines; "" or unset: none. */
export const reportVariable = "WEFT_TEST_REPORT";

export type TestState = "passed" | "failed" | "skipped";

/** One test, or one step that is no test, as build/test-results.json has it. */
export interface TestResult {
  /** "file > suite > test"; steps have "stage > step". */
  readonly id: string;
  readonly title: string;
  readonly state: TestState;
  readonly ms: number;
  /** Test file relative to the root; absent for a step. */
  readonly file?: string;
  /** Why it failed. */
  readonly message?: string;
}

/** A failed result for something that is no test: a step, a crashed runner, a limit. */
export function failure(id: string, message: string, file?: string): TestResult {
  const result = { id, title: id, state: "failed", ms: 0, message } as const;
  return file === undefined ? result : { ...result, file };
}

/** An error that Vitest caught outside of tests, with what it adds. */
interface UnhandledError {
  readonly message: string;
  readonly stack?: string;
  /** "Unhandled Rejection" */
  readonly type?: string;
  /** Absolute. */
  readonly VITEST_TEST_PATH?: string;
  readonly VITEST_TEST_NAME?: string;
}

type ReportLine =
  /** The test that a file is in; "(file)" before its first one. */
  | { readonly file: string; readonly isIn: string }
  /** All results of a file that has ended. */
  | { readonly file: string; readonly results: readonly TestResult[] }
  /**
   * An error outside of tests, for example of a global setup or of a promise that nobody awaits, and the files that it
   * is of; none: that is not known.
   */
  | { readonly error: string; readonly files: readonly string[] };

const fileOf = (module: { readonly moduleId: string }): string =>
  path.relative(root, module.moduleId);

/**
 * The files that an error outside of tests is of: those that its stack names, or else the one that ran in its worker
 * when it was thrown.
 */
function filesOfError({ stack = "", VITEST_TEST_PATH: current }: UnhandledError): string[] {
  const named = [...stack.matchAll(/\/[^\s():]+\.test\.\w+(?=:\d)/g)].map(([file]) => file);
  if (named.length === 0 && current !== undefined) named.push(current);
  return [...new Set(named)].map((file) => path.relative(root, file));
}

function textOfError({ type = "Error", message, VITEST_TEST_NAME: test }: UnhandledError): string {
  return `${type}: ${message}${test === undefined ? "" : `, while or after "${test}"`}`;
}

const messagesOf = (errors: readonly { readonly message: string }[]): string =>
  errors.map(({ message }) => message).join("\n");

function resultOf(file: string, test: TestCase): TestResult {
  const { state, errors = [] } = test.result();
  const result = {
    id: `${file} > ${test.fullName}`,
    title: test.fullName,
    state: state === "pending" ? "skipped" : state,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
    file,
  };
  return state === "failed" ? { ...result, message: messagesOf(errors) } : result;
}

/** What broke in a file outside of its tests: on import, or in a hook of one of its suites. */
function brokenOf(file: string, module: TestModule): TestResult[] {
  const inHooks = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const errors = [...module.errors(), ...inHooks];
  return errors.length > 0 ? [failure(`${file} > (file)`, messagesOf(errors), file)] : [];
}

/** A reporter of Vitest that writes events as lines of JSON (`ReportLine`). */
export function lineReporter(outputFile: string): Reporter {
  const write = (line: ReportLine): void => appendFileSync(outputFile, `${JSON.stringify(line)}\n`);
  return {
    onTestModuleStart: (module) => write({ file: fileOf(module), isIn: "(file)" }),
    onTestCaseReady: (test) => write({ file: fileOf(test.module), isIn: test.fullName }),
    onTestModuleEnd(module) {
      const file = fileOf(module);
      const tests = [...module.children.allTests()].map((test) => resultOf(file, test));
      write({ file, results: [...tests, ...brokenOf(file, module)] });
    },
    onTestRunEnd(_, errors) {
      for (const error of errors) write({ error: textOfError(error), files: filesOfError(error) });
    },
  };
}

/**
 * The results of a run, with a failure for each expected file that has not ended.
 * @param stage names errors that belong to no file
 * @param end how the run ended: "ended with code 1"
 */
export function readReport(
  report: string,
  stage: string,
  expected: readonly string[],
  end: string,
): TestResult[] {
  const text = existsSync(report) ? readFileSync(report, "utf8").trim() : "";
  const lines = text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as ReportLine);
  const results: TestResult[] = [];
  const unfinished = new Map<string, string | null>(expected.map((file) => [file, null]));
  for (const line of lines) {
    if ("error" in line) {
      const named = line.files.map((file) => failure(`${file} > (file)`, line.error, file));
      results.push(...named);
      if (named.length === 0) results.push(failure(`${stage} > (outside of files)`, line.error));
    } else if ("results" in line) {
      results.push(...line.results);
      unfinished.delete(line.file);
    } else if (unfinished.has(line.file)) {
      // The start of a short test may be reported after the end of its file.
      unfinished.set(line.file, line.isIn);
    }
  }
  for (const [file, isIn] of unfinished) {
    const message = `${isIn === null ? "had not begun" : "was running"} when Vitest ${end}`;
    results.push(failure(`${file} > ${isIn ?? "(file)"}`, message, file));
  }
  return results;
}
