import { existsSync, rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { runChecks } from "./check-steps.ts";
import { ensureConsoleBuilt } from "./console-build.ts";
import { judgeBuilt } from "./console-size.ts";
import { bin, inRoot, readJson } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import type { FileRecord } from "./test-file-reporter.ts";
import { isOf, reportVariable, testProjects, type VitestStage } from "./test-projects.ts";
import { failure, fromVitest, type TestResult, type VitestReport } from "./test-results.ts";
import type { FileTime } from "./test-times.ts";

/** What a stage found, and what each of its test files took. */
export interface StageOutcome {
  readonly results: TestResult[];
  readonly times?: readonly FileTime[];
}

export interface Stage {
  readonly name: string;
  /** True where programs of the system are used (tunnels, routing, a browser). */
  readonly needsSystem: boolean;
  /** Names of the stages that end before this one starts. */
  readonly after: readonly string[];
  run(): Promise<StageOutcome>;
}

const vitest = (name: VitestStage, after: readonly string[], yields = true): Stage => ({
  name,
  needsSystem: true,
  after,
  run: () => runVitest(name, yields),
});

/**
 * The stages of `npm test`. A lab starts thousands of programs and measures what a user waits for: nothing runs beside
 * it. On a machine where starting a program is expensive, unit tests beside it cost packets and deadlines although
 * they yield. Journeys in a browser come last, when all cores are theirs.
 */
export const stages: readonly Stage[] = [
  {
    name: "check",
    needsSystem: false,
    after: [],
    run: async () => ({ results: await runChecks() }),
  },
  {
    name: "build",
    needsSystem: false,
    after: ["check"],
    run: async () => ({ results: await runBuild() }),
  },
  vitest("lab", ["build"], false),
  vitest("unit", ["check", "lab"]),
  { name: "demonstration", needsSystem: false, after: ["lab"], run: prepareDemonstration },
  vitest("e2e", ["unit", "demonstration"]),
  vitest("shared", ["unit", "demonstration"]),
];

/** Runs each of these stages once those of them that it comes after have ended. */
export async function runStages<T extends Pick<Stage, "name" | "after">>(
  selected: readonly T[],
  run: (stage: T) => Promise<void>,
): Promise<void> {
  const runs = new Map<string, Promise<void>>();
  for (const stage of selected) {
    // A stage is listed behind those that it comes after; undefined: that one was not selected.
    const before = stage.after.map((name) => runs.get(name));
    runs.set(
      stage.name,
      Promise.all(before).then(() => run(stage)),
    );
  }
  await Promise.all(runs.values());
}

interface Requirements {
  readonly campaignRequirements: Readonly<Record<string, readonly unknown[]>>;
  /** `reasons`: why something is still missing; empty when all is there. */
  ensureInstalled(wanted?: readonly unknown[]): Promise<{ readonly reasons: readonly string[] }>;
}

/**
 * Installs the programs that tests need, where that is possible. In CI what is still missing
 * fails; on a developer's machine it is reported, and the tests that need it fail for themselves.
 * @param campaign what this one needs, instead of what all tests need
 */
export async function installRequirements(campaign?: string): Promise<TestResult[]> {
  // By path and only now: the tools have no package of another workspace among their own.
  const file = pathToFileURL(inRoot("lab/src/requirements.ts")).href;
  const { ensureInstalled, campaignRequirements } = (await import(file)) as Requirements;
  const { reasons } = await ensureInstalled(
    campaign === undefined ? undefined : campaignRequirements[campaign],
  );
  for (const reason of reasons) console.log(`system: ${reason}`);
  return process.env.CI ? reasons.map((reason) => failure("system > packages", reason)) : [];
}

async function runBuild(): Promise<TestResult[]> {
  const started = performance.now();
  console.log((await ensureConsoleBuilt()) ? "console built" : "console up to date");
  const ms = Math.round(performance.now() - started);
  const built: TestResult = { id: "build > console", title: "console", state: "passed", ms };
  return [built, ...judgeBuilt()];
}

/** Where a prepared demonstration is; unset until there is one. Read by e2e/src/prepared.ts. */
const demonstrationVariable = "WEFT_TEST_DEMONSTRATION";

/**
 * Starts the demonstration once, until its rows have a past and its devices run their states. Browser
 * tests begin with copies of it: nine first starts took four minutes of computing.
 */
async function prepareDemonstration(): Promise<StageOutcome> {
  const folder = inRoot("build/demonstration");
  const argv = [process.execPath, inRoot("e2e/src/prepare.ts"), folder] as const;
  const { code, ms } = await runCommand(argv, { yields: true });
  const id = "demonstration > prepared";
  if (code !== 0) return { results: [failure(id, `ended with code ${code}: see above`)] };
  process.env[demonstrationVariable] = folder;
  return { results: [{ id, title: "prepared", state: "passed", ms: Math.round(ms) }] };
}

/**
 * Runs the Vitest projects of one stage; every project must have run at least one test.
 * @param yields gives way to what runs beside it.
 */
async function runVitest(stage: VitestStage, yields: boolean): Promise<StageOutcome> {
  const projects = testProjects.filter((project) => project.stage === stage);
  const report = `build/vitest-${stage}`;
  const [reportFile, recordsFile] = [`${report}.json`, `${report}-files.json`];
  for (const file of [reportFile, recordsFile]) rmSync(inRoot(file), { force: true });
  const named = projects.map(({ name }) => `--project=${name}`);
  const argv = [bin("vitest"), "run", ...named] as const;
  const { code } = await runCommand(argv, {
    env: { [reportVariable]: inRoot(report) },
    plain: true,
    yields,
  });
  const records = existsSync(inRoot(recordsFile)) ? readJson<FileRecord[]>(recordsFile) : [];
  const errors = Object.fromEntries(records.map((one) => [one.file, one.errors]));
  const results = existsSync(inRoot(reportFile))
    ? fromVitest(readJson<VitestReport>(reportFile), errors)
    : [];
  for (const project of projects) {
    if (results.some(({ id }) => isOf(project, id.split(" > ")[0] ?? ""))) continue;
    results.push(failure(`${stage} > ${project.name}`, "no test ran here"));
  }
  // Errors outside of any test (an unhandled rejection, a global setup) show in the exit code only.
  const isExplained = results.some(({ state }) => state === "failed");
  if (code !== 0 && !isExplained) {
    results.push(failure(`${stage} > (runner)`, `vitest ended with code ${code}: see above`));
  }
  return { results, times: records.map(({ file, ms }) => ({ file, ms })) };
}
