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
  /** Id of the failure outside of tests that kept it from running. */
  cause?: string;
}

/** An error outside of tests: in a file itself, or in a hook of one of its suites. */
export interface SuiteError {
  /** Names of the suite and of those around it, joined by " > "; empty: the file. */
  readonly suite: string;
  readonly message: string;
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

type ReportedFile = VitestReport["testResults"][number];

/** Why a file failed outside of its tests; Vitest's report has no errors of the hooks of suites. */
function errorsOf(file: ReportedFile, known: readonly SuiteError[]): readonly SuiteError[] {
  if (known.length > 0) return known;
  const hasFailedTest = file.assertionResults.some(({ status }) => status === "failed");
  if (file.status !== "failed" || (hasFailedTest && file.message === "")) return [];
  return [{ suite: "", message: file.message || "the file did not finish" }];
}

const isIn = (suite: string, title: string): boolean =>
  suite === "" || title.startsWith(`${suite} > `);

/**
 * Results of one Vitest run. What broke outside of the tests of a file counts as one failed test,
 * and is the cause of every test there that did not run.
 * @param errors file relative to the root -> its errors outside of tests
 */
export function fromVitest(
  report: VitestReport,
  errors: Readonly<Record<string, readonly SuiteError[]>> = {},
): TestResult[] {
  return report.testResults.flatMap((file) => {
    const name = path.relative(root, file.name);
    const causes = Map.groupBy(errorsOf(file, errors[name] ?? []), ({ suite }) => suite);
    const idOf = (suite: string): string => [name, ...(suite ? [suite] : []), "(file)"].join(" > ");
    const results = file.assertionResults.map((test): TestResult => {
      const title = [...test.ancestorTitles.filter((part) => part !== ""), test.title].join(" > ");
      const isRun = test.status === "passed" || test.status === "failed";
      const cause = isRun ? undefined : [...causes.keys()].find((suite) => isIn(suite, title));
      return {
        id: `${name} > ${title}`,
        title,
        // "pending" and "todo" are tests that did not run either.
        state: isRun ? (test.status as TestState) : "skipped",
        ms: Math.round(test.duration ?? 0),
        ...(test.failureMessages.length > 0 && { message: test.failureMessages.join("\n") }),
        ...(cause !== undefined && { cause: idOf(cause) }),
      };
    });
    const broken = [...causes].map(([suite, all]) =>
      failure(idOf(suite), all.map(({ message }) => message).join("\n")),
    );
    return [...results, ...broken];
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
export function evaluateSkips(
  results: readonly TestResult[],
  expected: readonly ExpectedSkip[],
  complete: boolean,
): TestResult[] {
  const reasons = new Map(expected.map(({ id, reason }) => [id, reason]));
  const evaluated = results.map((result): TestResult => {
    if (result.state !== "skipped") return result;
    const reason = reasons.get(result.id);
    if (reason) return { ...result, message: reason };
    const message = result.cause ? "did not run" : "skipped, and not in expected-skips.json";
    return { ...result, state: "failed", message };
  });
  if (!complete) return evaluated;
  const states = new Map(results.map(({ id, state }) => [id, state]));
  for (const { id, missingPathTest } of expected) {
    if (!states.has(id)) evaluated.push(failure(`expected-skips.json > ${id}`, "no such test"));
    if (states.get(missingPathTest) !== "passed") {
      evaluated.push(failure(`expected-skips.json > ${id}`, `not passed: ${missingPathTest}`));
    }
  }
  return evaluated;
}

/**
 * Lines about what failed and what was skipped. What broke outside of tests comes first, once, with
 * the number of tests that did not run because of it: hundreds of these would bury the cause.
 */
export function failureLines(evaluated: readonly TestResult[]): string[] {
  const notRun = Map.groupBy(
    evaluated.filter(({ cause, state }) => cause && state === "failed"),
    ({ cause }) => cause,
  );
  const line = ({ id, state, message = "" }: TestResult): string[] => {
    if (state === "skipped") return [`skipped ${id}`, `        ${message}`];
    const count = notRun.get(id)?.length ?? 0;
    const lost = count > 0 ? [`        ${count} tests did not run because of this`] : [];
    return [`FAILED  ${id}`, `        ${message.split("\n")[0]}`, ...lost];
  };
  const isCause = ({ id }: TestResult): boolean => notRun.has(id);
  const listed = evaluated.filter(
    ({ cause, state }) => state !== "passed" && !(cause && state === "failed"),
  );
  return [...listed.filter(isCause), ...listed.filter((one) => !isCause(one))].flatMap(line);
}

/** The closing line of `npm test` and `.ci/run`. Its form is fixed: machines read it. */
export function countLine(results: readonly TestResult[]): string {
  const count = (state: TestState) => results.filter((result) => result.state === state).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
