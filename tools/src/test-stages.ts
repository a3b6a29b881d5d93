/** What a test run is made of: steps of the repository, and groups of test files that Vitest runs. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { campaignRequirements, ensureInstalled } from "@weft/lab/requirements.ts";
import { runChecks } from "./check-steps.ts";
import { ensureConsoleBuilt } from "./console-build.ts";
import { aboveLimit, builtSizes } from "./console-size.ts";
import { bin, inRoot } from "./repository.ts";
import { isEnding, runCommand } from "./run-command.ts";
import { filesOf, type TestGroup } from "./test-groups.ts";
import { type ReportLine, reportVariable, type TestResult } from "./test-reporter.ts";

/** What Vitest reported of one test file. */
export interface FileOutcome {
  readonly file: string;
  readonly ms: number;
  readonly results: readonly TestResult[];
}

export interface StageOutcome {
  /** Results of steps that are no test file. */
  readonly steps: readonly TestResult[];
  readonly files: readonly FileOutcome[];
}

export interface Stage {
  readonly name: string;
  /** When it is ended, in minutes, whatever it waits for. */
  readonly limitMinutes: number;
  /** True: an infrastructure step. A failure is tried again once, and what follows needs it. */
  readonly isRequired?: boolean;
  run(limitMs: number): Promise<StageOutcome>;
  /** Runs some of its files again; undefined: it has no files. */
  rerun?(files: readonly string[], limitMs: number): Promise<StageOutcome>;
}

/** A failed result for something that is no test: a step, a crashed runner, a limit. */
export function failure(id: string, message: string): TestResult {
  return { id, title: id, state: "failed", ms: 0, message };
}

const ofSteps = (steps: readonly TestResult[]): StageOutcome => ({ steps, files: [] });

/**
 * Installs the programs that tests need, where that is possible. In CI what is still missing
 * fails; on a developer's machine it is reported, and the tests that need it fail for themselves.
 * @param campaign what this one needs, instead of what all tests need
 */
export async function installRequirements(campaign?: string): Promise<TestResult[]> {
  const { reasons } = await ensureInstalled(
    campaign === undefined ? undefined : campaignRequirements[campaign],
  );
  for (const reason of reasons) console.log(`system: ${reason}`);
  return process.env.CI ? reasons.map((reason) => failure("system > packages", reason)) : [];
}

export const systemStage: Stage = {
  name: "system",
  limitMinutes: 8,
  isRequired: true,
  run: async () => ofSteps(await installRequirements()),
};

export const checkStage: Stage = {
  name: "check",
  limitMinutes: 5,
  run: async () => ofSteps(await runChecks()),
};

export const buildStage: Stage = {
  name: "build",
  limitMinutes: 4,
  isRequired: true,
  async run() {
    const started = performance.now();
    console.log((await ensureConsoleBuilt()) ? "console built" : "console up to date");
    const ms = Math.round(performance.now() - started);
    const built: TestResult = { id: "build > console", title: "console", state: "passed", ms };
    const heavy = aboveLimit(builtSizes());
    const id = "build > size";
    const size: TestResult = { id, title: "size of the console", state: "passed", ms: 0 };
    return ofSteps([built, heavy.length === 0 ? size : failure(id, heavy.join("\n"))]);
  },
};

/** Where a prepared demonstration is; unset until there is one. Read by e2e/src/prepared.ts. */
const demonstrationVariable = "WEFT_TEST_DEMONSTRATION";

/**
 * Starts the demonstration once, until its rows have a past and its devices run their states. Browser
 * tests begin with copies of it: a first start each would take longer than most of them.
 */
export const demonstrationStage: Stage = {
  name: "demonstration",
  limitMinutes: 11,
  isRequired: true,
  async run(limitMs) {
    const folder = inRoot("build/demonstration");
    const argv = [process.execPath, inRoot("e2e/src/prepare.ts"), folder] as const;
    const { code, ms, isLate } = await runCommand(argv, { limitMs });
    const id = "demonstration > prepared";
    if (code !== 0) {
      const reason = isLate ? "was not ready within its limit" : `ended with code ${code}`;
      return ofSteps([failure(id, `${reason}: see above`)]);
    }
    process.env[demonstrationVariable] = folder;
    return ofSteps([{ id, title: "prepared", state: "passed", ms: Math.round(ms) }]);
  },
};

export function vitestStage(
  name: string,
  groups: readonly TestGroup[],
  limitMinutes: number,
): Stage {
  return {
    name,
    limitMinutes,
    run: (limitMs) => runVitest(name, groups, [], limitMs),
    rerun: (files, limitMs) => runVitest(name, groups, files, limitMs),
  };
}

/** @param files what of the groups runs; empty: all */
async function runVitest(
  stage: string,
  groups: readonly TestGroup[],
  files: readonly string[],
  limitMs: number,
): Promise<StageOutcome> {
  const report = inRoot(`build/vitest-${stage}.jsonl`);
  rmSync(report, { force: true });
  const named = groups.map(({ name }) => `--project=${name}`);
  const { code, isLate } = await runCommand([bin("vitest"), "run", ...named, ...files], {
    env: { [reportVariable]: report },
    limitMs,
  });
  const lines = existsSync(report)
    ? readFileSync(report, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as ReportLine)
    : [];
  const outcome = fromReport(stage, lines);
  if (isEnding()) return outcome;
  const expected = files.length > 0 ? files : groups.flatMap(filesOf);
  const reason = isLate ? `its limit of ${Math.round(limitMs / 60_000)} min` : `code ${code}`;
  const complete = withUnfinished(outcome, lines, expected, reason);
  if (code === 0 || resultsOf(complete).some(isFailed)) return complete;
  const crashed = failure(`${stage} > (runner)`, `vitest ended with code ${code}: see above`);
  return { ...complete, steps: [...complete.steps, crashed] };
}

/** All results of an outcome. */
export const resultsOf = ({ steps, files }: StageOutcome): TestResult[] => [
  ...steps,
  ...files.flatMap(({ results }) => results),
];

export const isFailed = ({ state }: TestResult): boolean => state !== "passed";

/** The outcome of what a report says has ended. */
export function fromReport(stage: string, lines: readonly ReportLine[]): StageOutcome {
  const files = lines
    .filter((line) => line.event === "file ended")
    .map(({ file, ms, results }) => ({ file, ms, results }));
  const steps = lines
    .filter((line) => line.event === "error")
    .map(({ message }, at) => failure(`${stage} > (error ${at + 1} outside of files)`, message));
  return { steps, files };
}

/**
 * Adds a failure for each expected file that has not ended, with the test that it was in.
 * @param reason by which the run ended
 */
export function withUnfinished(
  { steps, files }: StageOutcome,
  lines: readonly ReportLine[],
  expected: readonly string[],
  reason: string,
): StageOutcome {
  const inTest = new Map<string, string>();
  for (const line of lines) {
    if (line.event === "file started") inTest.set(line.file, "(file)");
    if (line.event === "test started") inTest.set(line.file, line.title);
  }
  const ended = new Set(files.map(({ file }) => file));
  const unfinished = expected
    .filter((file) => !ended.has(file))
    .map((file): FileOutcome => {
      const title = inTest.get(file);
      const result =
        title === undefined
          ? failure(`${file} > (file)`, `did not begin: the run ended by ${reason}`)
          : failure(`${file} > ${title}`, `was running when the run ended by ${reason}`);
      return { file, ms: 0, results: [result] };
    });
  return { steps, files: [...files, ...unfinished] };
}
