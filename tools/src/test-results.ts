import path from "node:path";
import { root } from "./repository.ts";

export type TestState = "passed" | "failed" | "skipped";

/** One line of build/test-results.json, which `npm run acceptance` reads. */
export interface TestResult {
  /** "file > suite > test" with the file relative to the root; steps have "stage > step". */
  id: string;
  title: string;
  state: TestState;
  ms: number;
  /** Why it failed, or why its skip is allowed. */
  message?: string;
}

/** One entry of expected-skips.json: something that a machine's kernel may be unable to do. */
export interface ExpectedSkip {
  id: string;
  reason: string;
  /** Id of the test that proves what Weft does where the capability is missing. */
  missingPathTest: string;
}

/** The part of Vitest's JSON report that is read here. */
export interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      duration?: number;
      failureMessages: string[];
    }[];
  }[];
}

/** Results of one Vitest run. A file that broke outside of its tests counts as one failed test. */
export function fromVitest(report: VitestReport): TestResult[] {
  return report.testResults.flatMap((file) => {
    const name = path.relative(root, file.name);
    const results = file.assertionResults.map((test): TestResult => {
      const title = [...test.ancestorTitles.filter((part) => part !== ""), test.title].join(" > ");
      return {
        id: `${name} > ${title}`,
        title,
        // "pending" and "todo" are tests that did not run either.
        state: test.status === "passed" || test.status === "failed" ? test.status : "skipped",
        ms: Math.round(test.duration ?? 0),
        ...(test.failureMessages.length > 0 && { message: test.failureMessages.join("\n") }),
      };
    });
    const broken = file.status === "failed" && !results.some(({ state }) => state === "failed");
    return broken ? [...results, failure(`${name} > (file)`, file.message)] : results;
  });
}

/** A failed result for something that is no test: a broken file, a crashed runner, a bad list. */
export function failure(id: string, message: string): TestResult {
  return { id, title: id, state: "failed", ms: 0, message };
}

/**
 * Turns every skip that is not expected into a failure. With `complete` (all stages ran) it also
 * refuses entries whose test no longer exists or whose missing path is not proven.
 */
export function judgeSkips(
  results: readonly TestResult[],
  expected: readonly ExpectedSkip[],
  complete: boolean,
): TestResult[] {
  const reasons = new Map(expected.map(({ id, reason }) => [id, reason]));
  const judged = results.map((result): TestResult => {
    if (result.state !== "skipped") return result;
    const reason = reasons.get(result.id);
    if (reason) return { ...result, message: reason };
    return { ...result, state: "failed", message: "skipped, and not in expected-skips.json" };
  });
  if (!complete) return judged;
  const states = new Map(results.map(({ id, state }) => [id, state]));
  for (const { id, missingPathTest } of expected) {
    if (!states.has(id)) judged.push(failure(`expected-skips.json > ${id}`, "no such test"));
    if (states.get(missingPathTest) !== "passed") {
      judged.push(failure(`expected-skips.json > ${id}`, `not passed: ${missingPathTest}`));
    }
  }
  return judged;
}

/** The closing line of `npm test` and `.ci/run`. Its form is fixed: machines read it. */
export function countLine(results: readonly TestResult[]): string {
  const count = (state: TestState) => results.filter((result) => result.state === state).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
