/** What a test run is made of: steps of the repository, campaigns, and groups of test files that Vitest runs. */
import { rmSync } from "node:fs";
import { ensureInstalled, type Requirement } from "@weft/lab/requirements.ts";
import { runChecks } from "./check.ts";
import { aboveLimit, builtSizes } from "./console-size.ts";
import { bin, inRoot } from "./repository.ts";
import { isEnding, runCommand } from "./run-command.ts";
import { filesOf, type TestGroup } from "./test-groups.ts";
import { failure, readReport, reportVariable, type TestResult } from "./test-reporter.ts";

export interface Stage {
  readonly name: string;
  /** When it is ended, in minutes, whatever it waits for. */
  readonly limitMinutes: number;
  /** True: an infrastructure step. A failure is tried again at once, and what follows needs it. */
  readonly isRequired?: boolean;
  /** True: its files can run by themselves; a failed one does so at the end. */
  readonly hasFiles?: boolean;
  /** @param file what of it runs; absent: all */
  run(limitMs: number, file?: string): Promise<TestResult[]>;
}

/** Runs a command as a step that passes or fails; what it prints passes through. */
export async function runStep(
  id: string,
  argv: readonly [string, ...string[]],
  limitMs: number,
  env: Record<string, string> = {},
): Promise<TestResult> {
  const { code, ms, isLate } = await runCommand(argv, { env, limitMs });
  if (code === 0) return { id, state: "passed", ms: Math.round(ms) };
  const limit = `its limit of ${Math.round(limitMs / 60_000)} min`;
  return failure(id, isLate ? `did not end within ${limit}` : `ended with code ${code}: see above`);
}

/**
 * Installs the programs that tests need, where that is possible. In CI what is still missing
 * fails; on a developer's machine it is reported, and the tests that need it fail for themselves.
 * @param wanted absent: what all tests need
 */
export async function installRequirements(wanted?: readonly Requirement[]): Promise<TestResult[]> {
  const { reasons } = await ensureInstalled(wanted);
  for (const reason of reasons) console.log(`system: ${reason}`);
  const id = "system > packages";
  if (!process.env.CI || reasons.length === 0) return [{ id, state: "passed", ms: 0 }];
  return reasons.map((reason) => failure(id, reason));
}

const node = (id: string, program: string, limitMs: number, ...args: string[]) =>
  runStep(id, [process.execPath, inRoot(program), ...args], limitMs);

async function buildConsole(limitMs: number): Promise<TestResult[]> {
  const built = await node("build > console", "tools/src/console-build.ts", limitMs);
  const heavy = isFailed(built) ? [] : aboveLimit(builtSizes());
  return [built, ...heavy.map((line) => failure("build > size", line))];
}

/** What every run begins with. */
export const setUpStages: readonly Stage[] = [
  { name: "system", limitMinutes: 8, isRequired: true, run: () => installRequirements() },
  { name: "build", limitMinutes: 4, isRequired: true, run: buildConsole },
];

export const checkStage: Stage = { name: "check", limitMinutes: 5, run: runChecks };

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
    const id = "demonstration > prepared";
    const prepared = await node(id, "e2e/src/prepare.ts", limitMs, folder);
    if (prepared.state === "passed") process.env[demonstrationVariable] = folder;
    return [prepared];
  },
};

/**
 * Groups of test files, run by Vitest together.
 * @param only which files of the groups, and settings for them; absent: all
 */
export function vitestStage(
  name: string,
  groups: readonly TestGroup[],
  limitMinutes: number,
  only?: { readonly files: readonly string[]; readonly env: Record<string, string> },
): Stage {
  const report = inRoot(`build/${name}.jsonl`);
  const projects = groups.map((group) => `--project=${group.name}`);
  const needsDemonstration = groups.some((group) => group.needsDemonstration);
  return {
    name,
    limitMinutes,
    hasFiles: true,
    async run(limitMs, file) {
      const files = file === undefined ? (only?.files ?? []) : [file];
      if (needsDemonstration && process.env[demonstrationVariable] === undefined) {
        const prepared = await demonstrationStage.run(limitMs);
        if (prepared.some(isFailed)) return prepared;
      }
      rmSync(report, { force: true });
      const argv = [bin("vitest"), "run", ...projects, ...files] as const;
      const env = { ...only?.env, [reportVariable]: report };
      const step = await runStep(`${name} > (runner)`, argv, limitMs, env);
      const named = files.length > 0 ? files : groups.flatMap(filesOf);
      const results = readReport(report, isEnding() ? [] : named, step.message ?? "ended");
      return isFailed(step) && !results.some(isFailed) ? [...results, step] : results;
    },
  };
}

export const isFailed = ({ state }: TestResult): boolean => state !== "passed";
