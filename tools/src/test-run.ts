/**
 * Runs stages and tells noise from faults: every file that failed runs once more by itself when all stages have ended.
 * What passes then is flaky: reported, counted, and no failure, unless there are too many.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { duration } from "./duration.ts";
import { afterSignal, graceMs, isEnding } from "./run-command.ts";
import { failure, type TestResult } from "./test-reporter.ts";
import { isFailed, type Stage } from "./test-stages.ts";

/** A file, or a stage, that failed and passed when it ran again by itself. */
export interface Flaky {
  /** The file relative to the root, or the name of the stage. */
  readonly name: string;
  /** What failed first. */
  readonly failed: readonly TestResult[];
}

export interface RunRecord {
  readonly results: readonly TestResult[];
  readonly flaky: readonly Flaky[];
  readonly stages: readonly { readonly name: string; readonly ms: number }[];
}

/** More flaky files mean that the machine or the change is broken. */
export const maxFlaky = 5;

/** With more failed files there is no second run: this many do not fail of noise. */
const maxReruns = 20;

/** Most files need seconds to run again; some of `npm run test:full` take a quarter of an hour. */
const rerunMinutes = (stage: Stage): number => Math.max(6, stage.limitMinutes / 2);

/** A stage that was begun, with its last results. */
interface Run {
  readonly stage: Stage;
  results: readonly TestResult[];
  ms: number;
}

/**
 * @param plan steps one after the other; the stages of a step run in parallel
 * @param limitMs for everything together, from now on
 * @param print takes a line of progress
 */
export async function runPlan(
  plan: readonly (readonly Stage[])[],
  limitMs: number,
  print: (line: string) => void = console.log,
): Promise<RunRecord> {
  const deadline = performance.now() + limitMs;
  const runs: Run[] = [];
  const flaky: Flaky[] = [];

  /** A stage that throws or does not end is a failed stage, and the others still have something to report. */
  async function execute(run: Run, minutes: number, file?: string): Promise<TestResult[]> {
    const failed = (message: string) => [failure(`${run.stage.name} > (stage)`, message)];
    const started = performance.now();
    const leftMs = Math.min(minutes * 60_000, deadline - started);
    if (leftMs <= 0) return failed("not begun: the run's time was up");
    // Commands end at the limit; this is for what a stage waits for in this process.
    const message = `did not end within ${Math.round(leftMs / 60_000)} min`;
    const late = sleep(leftMs + 60_000, failed(message));
    const ended = afterSignal(graceMs + 5_000).then(() => failed("was ended by a signal"));
    const done = run.stage.run(leftMs, file).catch((error: unknown) => failed(String(error)));
    const results = await Promise.race([done, late, ended]);
    run.ms += performance.now() - started;
    return results.length > 0 ? results : failed("ran nothing");
  }

  async function executeAgain(run: Run, file?: string): Promise<void> {
    const name = file ?? run.stage.name;
    print(`\n== again${file === undefined ? "" : ", alone"}: ${name}`);
    const first = run.results.filter((result) => file === undefined || result.file === file);
    const minutes = file === undefined ? run.stage.limitMinutes : rerunMinutes(run.stage);
    const second = await execute(run, minutes, file);
    const isClean = !second.some(isFailed);
    const hasPassed = isClean && isWhole(first, second);
    if (hasPassed) flaky.push({ name, failed: first.filter(isFailed) });
    // What a file showed first is the better report of one that fails again, and of tests that are missing.
    if (!hasPassed && (file !== undefined || isClean)) return;
    run.results = [...run.results.filter((result) => !first.includes(result)), ...second];
  }

  for (const step of plan) {
    const begun = step.map((stage): Run => ({ stage, results: [], ms: 0 }));
    runs.push(...begun);
    await Promise.all(
      begun.map(async (run) => {
        print(`\n== ${run.stage.name}`);
        run.results = await execute(run, run.stage.limitMinutes);
        if (run.stage.isRequired && run.results.some(isFailed) && !isEnding()) {
          await executeAgain(run);
        }
      }),
    );
    // Tests that fail because the console or a program is missing would only hide the real message.
    const isBroken = begun.some((run) => run.stage.isRequired && run.results.some(isFailed));
    if (isBroken || isEnding()) break;
  }

  for (const run of runs) {
    // Something outside of files failed.
    const isBroken = run.results.some((result) => isFailed(result) && result.file === undefined);
    if (isBroken && run.stage.hasFiles && !isEnding()) await executeAgain(run);
  }
  const failedFiles = runs.flatMap((run) => {
    const files = run.results.filter(isFailed).flatMap(({ file }) => file ?? []);
    return [...new Set(files)].map((file) => ({ run, file }));
  });
  if (failedFiles.length > maxReruns) {
    print(`\n${failedFiles.length} files failed: too many to be noise, none runs again`);
  } else {
    for (const { run, file } of failedFiles) {
      if (!isEnding() && performance.now() < deadline) await executeAgain(run, file);
    }
  }

  const results = runs.flatMap((run) => run.results);
  if (isEnding()) results.push(failure("(run)", "ended by a signal"));
  const flakyFiles = flaky.flatMap(({ name, failed }) => [
    ...new Set(failed.map(({ file = name }) => file)),
  ]);
  if (flakyFiles.length > maxFlaky) {
    results.push(failure("(run)", `${flakyFiles.length} flaky files, at most ${maxFlaky}`));
  }
  const stages = runs.map(({ stage, ms }) => ({ name: stage.name, ms: Math.round(ms) }));
  return { results, flaky, stages };
}

export const hasPassed = (results: readonly TestResult[]): boolean =>
  results.length > 0 && !results.some(isFailed);

/** Without what failed outside of tests, which is no result of a run that passes. */
const testsOf = (results: readonly TestResult[]): TestResult[] =>
  results.filter(({ id, file }) => file !== undefined && !id.endsWith(" > (file)"));

/** Whether a second run had as many tests as the first one, and each that failed in it. */
function isWhole(first: readonly TestResult[], second: readonly TestResult[]): boolean {
  const ids = new Set(second.map(({ id }) => id));
  const tests = testsOf(first);
  const isThere = tests.filter(isFailed).every(({ id }) => ids.has(id));
  return isThere && testsOf(second).length >= tests.length;
}

/** The end of a run for people: what failed, what was flaky, times, and the counts in the last line. */
export function summaryLines({ results, flaky, stages }: RunRecord, inAll: string): string[] {
  const failed = results.filter(({ state }) => state === "failed");
  const skipped = results.filter(({ state }) => state === "skipped");
  const excerpt = (message = "", lines = 6): string[] =>
    message.split("\n", lines).map((line) => `        ${line}`);
  return [
    "",
    ...failed.flatMap(({ id, message }) => [`FAILED  ${id}`, ...excerpt(message)]),
    ...skipped.map(({ id }) => `SKIPPED ${id}: a test that does not run proves nothing`),
    "",
    ...stages.map(({ name, ms }) => `${duration(ms).padStart(14)}  ${name}`),
    `${inAll.padStart(14)}  in all`,
    "",
    ...flaky.flatMap(({ name, failed: first }) => [
      `flaky   ${name}: failed, and passed when it ran again alone`,
      ...first.flatMap(({ id, message = "" }) => excerpt(`${id}: ${message}`, 1)),
    ]),
    `${flaky.length} flaky`,
    countLine(results),
  ];
}

/** The closing line of `npm test` and `.ci/run`. Its form is fixed: machines read it. */
export function countLine(results: readonly TestResult[]): string {
  const count = (state: TestResult["state"]): number =>
    results.filter((result) => result.state === state).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
