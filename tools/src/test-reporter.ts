import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { root } from "./repository.ts";

/** Informs vitest.config.ts that a run reports: names the file for its lines; "" or unset: none. */
export const reportVariable = "WEFT_TEST_REPORT";

export type TestState = "passed" | "failed" | "skipped";

/** One test, or one step that is no test, as build/test-results.json has it. */
export interface TestResult {
  /** "file > suite > test" with the file relative to the root; steps have "stage > step". */
  readonly id: string;
  readonly title: string;
  readonly state: TestState;
  readonly ms: number;
  /** Why it failed. */
  readonly message?: string;
}

/** A line of the file that the reporter writes: it is complete up to the moment when a run is killed. */
export type ReportLine =
  | { readonly event: "file started"; readonly file: string }
  | { readonly event: "test started"; readonly file: string; readonly title: string }
  | {
      readonly event: "file ended";
      readonly file: string;
      readonly ms: number;
      readonly results: readonly TestResult[];
    }
  /** An error outside of any file, for example of a global setup or of a promise that nobody awaits. */
  | { readonly event: "error"; readonly message: string };

const fileOf = (moduleId: string): string => path.relative(root, moduleId);

const messagesOf = (errors: readonly { readonly message: string }[]): string =>
  errors.map(({ message }) => message).join("\n");

function resultOf(file: string, test: TestCase): TestResult {
  const { state, errors } = test.result();
  const result = {
    id: `${file} > ${test.fullName}`,
    title: test.fullName,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
  };
  if (state === "passed") return { ...result, state };
  if (state === "failed") return { ...result, state, message: messagesOf(errors ?? []) };
  return { ...result, state: "skipped" };
}

/** What broke in a file outside of its tests: on import, or in a hook of one of its suites. */
function brokenOf(file: string, module: TestModule): TestResult[] {
  const suites = [...module.children.allSuites()].map((suite) => ({
    id: `${file} > ${suite.fullName} > (hooks)`,
    errors: suite.errors(),
  }));
  return [{ id: `${file} > (file)`, errors: module.errors() }, ...suites]
    .filter(({ errors }) => errors.length > 0)
    .map(({ id, errors }) => ({
      id,
      title: id,
      state: "failed",
      ms: 0,
      message: messagesOf(errors),
    }));
}

/** A reporter of Vitest that writes every event as one line of JSON (`ReportLine`). */
export function lineReporter(outputFile: string): Reporter {
  const write = (line: ReportLine): void => appendFileSync(outputFile, `${JSON.stringify(line)}\n`);
  return {
    onInit(): void {
      writeFileSync(outputFile, "");
    },
    onTestModuleStart({ moduleId }): void {
      write({ event: "file started", file: fileOf(moduleId) });
    },
    onTestCaseReady(test): void {
      write({
        event: "test started",
        file: fileOf(test.module.moduleId),
        title: test.fullName,
      });
    },
    onTestModuleEnd(module): void {
      const file = fileOf(module.moduleId);
      // What several files import counts to the first of them.
      const { collectDuration, duration } = module.diagnostic();
      const tests = [...module.children.allTests()].map((test) => resultOf(file, test));
      const results = [...tests, ...brokenOf(file, module)];
      write({ event: "file ended", file, ms: Math.round(collectDuration + duration), results });
    },
    onTestRunEnd(_, errors): void {
      for (const { message } of errors) write({ event: "error", message });
    },
  };
}
