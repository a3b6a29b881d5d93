/**
 * Runs stages and tells noise from faults: every file that failed runs once more by itself when all stages have ended.
 * What passes then is flaky: reported, counted, and no failure, unless there are too many.
 */
import { performance } from "node:perf_hooks";
import { duration } from "./duration.ts";
import { isEnding } from "./run-command.ts";
import type { TestResult } from "./test-reporter.ts";
import {
  type FileOutcome,
  failure,
  isFailed,
  resultsOf,
  type Stage,
  type StageOutcome,
} from "./test-stages.ts";

/** A file, or a step, that failed and passed when it ran again by itself. */
export interface Flaky {
  /** The file relative to the root, or the id of the step. */
  readonly name: string;
  /** What failed first. */
  readonly failed: readonly TestResult[];
}

export interface StageTime {
  readonly name: string;
  readonly ms: number;
  readonly files: readonly { readonly file: string; readonly ms: number }[];
}

export interface RunRecord {
  readonly results: readonly TestResult[];
  readonly flaky: readonly Flaky[];
  readonly stages: readonly StageTime[];
}

/** More flaky files mean that the machine or the change is broken. */
export const maxFlaky = 5;

/** With more failed files there is no second run: this many do not fail of noise. */
const maxReruns = 20;

/** A file that is run again has this long; most need seconds. */
const rerunMinutes = 6;

type Print = (line: string) => void;

interface Run {
  readonly stage: Stage;
  outcome: StageOutcome;
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
  print: Print = console.log,
): Promise<RunRecord> {
  const deadline = performance.now() + limitMs;
  const left = (): number => deadline - performance.now();
  const runs: Run[] = [];
  const flaky: Flaky[] = [];
  for (const step of plan) {
    await Promise.all(
      step.map(async (stage) => {
        const run = await attempt(stage, left(), print);
        runs.push(run);
        if (stage.isRequired && isBroken(run.outcome))
          await attemptAgain(run, flaky, left(), print);
      }),
    );
    if (isEnding()) break;
    // Tests that fail because the console or a program is missing would only hide the real message.
    const broken = runs.find(({ stage, outcome }) => stage.isRequired && isBroken(outcome));
    if (broken) break;
  }
  if (!isEnding()) await rerunFailed(runs, flaky, left, print);
  const results = runs.flatMap(({ outcome }) => resultsOf(outcome));
  if (isEnding()) results.push(failure("(run)", "ended by a signal"));
  if (flaky.length > maxFlaky) {
    results.push(failure("(run)", `${flaky.length} flaky files, at most ${maxFlaky}`));
  }
  return { results, flaky, stages: runs.map(timeOf) };
}

const isBroken = (outcome: StageOutcome): boolean => resultsOf(outcome).some(isFailed);

const timeOf = ({ stage, outcome, ms }: Run): StageTime => ({
  name: stage.name,
  ms: Math.round(ms),
  files: outcome.files.map((one) => ({ file: one.file, ms: one.ms })),
});

async function attempt(stage: Stage, leftMs: number, print: Print): Promise<Run> {
  print(`\n== ${stage.name}`);
  const started = performance.now();
  const limitMs = Math.min(stage.limitMinutes * 60_000, leftMs);
  const outcome = await outcomeOf(stage.name, limitMs, () => stage.run(limitMs));
  return { stage, outcome, ms: performance.now() - started };
}

/** A stage that throws or does not end is a failed stage, and the others still have something to report. */
async function outcomeOf(
  name: string,
  limitMs: number,
  run: () => Promise<StageOutcome>,
): Promise<StageOutcome> {
  const failed = (message: string): StageOutcome => ({
    steps: [failure(`${name} > (stage)`, message)],
    files: [],
  });
  if (limitMs <= 0) return failed("not begun: the run's time was up");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StageOutcome>((resolve) => {
    // Commands end at the limit; this is for what a stage waits for in this process.
    const message = `did not end within ${Math.round(limitMs / 60_000)} min`;
    timer = setTimeout(() => resolve(failed(message)), limitMs + 60_000);
  });
  const ended = run().catch((error: unknown) => failed(String(error)));
  const outcome = await Promise.race([ended, late]);
  clearTimeout(timer);
  return outcome;
}

async function attemptAgain(run: Run, flaky: Flaky[], leftMs: number, print: Print): Promise<void> {
  print(`\n== ${run.stage.name} failed, and is tried once more`);
  const again = await attempt(run.stage, leftMs, print);
  run.ms += again.ms;
  if (!isBroken(again.outcome)) {
    flaky.push({ name: run.stage.name, failed: resultsOf(run.outcome).filter(isFailed) });
  }
  run.outcome = again.outcome;
}

/** Runs each failed file again, by itself, and stages that failed outside of files as a whole. */
async function rerunFailed(
  runs: readonly Run[],
  flaky: Flaky[],
  left: () => number,
  print: Print,
): Promise<void> {
  const failedFiles = runs.flatMap(({ outcome }) =>
    outcome.files.filter(({ results }) => results.some(isFailed)),
  );
  if (failedFiles.length > maxReruns) {
    print(`\n${failedFiles.length} files failed: too many to be noise, none runs again`);
    return;
  }
  for (const run of runs) {
    const { rerun } = run.stage;
    if (!rerun || isEnding()) continue;
    if (run.outcome.steps.some(isFailed)) await attemptAgain(run, flaky, left(), print);
    for (const first of run.outcome.files.filter(({ results }) => results.some(isFailed))) {
      if (isEnding() || left() <= 0) return;
      print(`\n== again, alone: ${first.file}`);
      const limitMs = Math.min(rerunMinutes * 60_000, left());
      const again = await outcomeOf(run.stage.name, limitMs, () => rerun([first.file], limitMs));
      run.outcome = replaced(run.outcome, first, again, flaky);
    }
  }
}

/** Without what failed outside of tests, which is no result of a run that passes. */
const countTests = ({ results }: FileOutcome): number =>
  results.filter(({ id }) => !/ > \((file|hooks)\)$/.test(id)).length;

/** An outcome with the second run of a file instead of its first one. */
function replaced(
  { steps, files }: StageOutcome,
  first: FileOutcome,
  again: StageOutcome,
  flaky: Flaky[],
): StageOutcome {
  const second = again.files.find(({ file }) => file === first.file);
  const broken = [...again.steps, ...(second?.results ?? [])].filter(isFailed);
  // A file of which fewer tests ran has not passed.
  const isWhole = second !== undefined && countTests(second) >= countTests(first);
  const failed = first.results.filter(isFailed);
  if (broken.length > 0 || !isWhole) {
    const messages = new Map(broken.map(({ id, message }) => [id, message]));
    const results = first.results.map((result): TestResult => {
      if (!isFailed(result)) return result;
      const then = messages.get(result.id) ?? "passed, but the file failed again";
      const message = result.message ?? "did not run";
      return { ...result, state: "failed", message: `${message}\nAgain, alone: ${then}` };
    });
    const known = new Set(first.results.map(({ id }) => id));
    const added = broken.filter(({ id }) => !known.has(id));
    const file = { ...first, results: [...results, ...added] };
    return { steps, files: files.map((one) => (one === first ? file : one)) };
  }
  flaky.push({ name: first.file, failed });
  return { steps, files: files.map((one) => (one === first ? second : one)) };
}

const firstLine = (text = ""): string => text.split("\n")[0] ?? "";

/** The end of a run for people: what failed, what was flaky, times, and the counts in the last line. */
export function summaryLines({ results, flaky, stages }: RunRecord, inAll: string): string[] {
  const failed = results.filter(({ state }) => state === "failed");
  const skipped = results.filter(({ state }) => state === "skipped");
  return [
    "",
    ...failed.flatMap(({ id, message = "" }) => [
      `FAILED  ${id}`,
      ...message
        .split("\n")
        .slice(0, 6)
        .map((line) => `        ${line}`),
    ]),
    ...skipped.map(({ id }) => `SKIPPED ${id}: a test that does not run proves nothing`),
    ...slowest(stages),
    "",
    ...stages.map(({ name, ms }) => `${duration(ms).padStart(14)}  ${name}`),
    `${inAll.padStart(14)}  in all`,
    "",
    ...flaky.flatMap((one) => [
      `flaky   ${one.name}: failed, and passed when it ran again alone`,
      ...one.failed.map(({ id, message }) => `        ${id}: ${firstLine(message)}`),
    ]),
    `${flaky.length} flaky`,
    countLine(results),
  ];
}

function slowest(stages: readonly StageTime[]): string[] {
  return stages.flatMap(({ name, files }) => {
    if (files.length === 0) return [];
    const slow = files.toSorted((one, other) => other.ms - one.ms).slice(0, 8);
    return [
      `\nslowest files of ${name}:`,
      ...slow.map(({ file, ms }) => `${duration(ms).padStart(14)}  ${file}`),
    ];
  });
}

/** The closing line of `npm test` and `.ci/run`. Its form is fixed: machines read it. */
export function countLine(results: readonly TestResult[]): string {
  const count = (state: TestResult["state"]): number =>
    results.filter((result) => result.state === state).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
