import { existsSync, readFileSync, rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { runChecks } from "./check-steps.ts";
import { ensureConsoleBuilt } from "./console-build.ts";
import { judgeBuilt } from "./console-size.ts";
import { bin, inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";
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
  run(): Promise<StageOutcome>;
}

const vitest = (name: VitestStage, options: VitestOptions = {}): Stage => ({
  name,
  needsSystem: true,
  run: () => runVitest(name, options),
});

/**
 * The stages of `npm test` in their order: quick answers first. Those of one row run side by side.
 * A browser computes, a lab waits for packets and deadlines: its processes come first whenever they
 * have something to do, so that a pause that it measures is not the browsers'.
 */
export const rows: readonly (readonly Stage[])[] = [
  [{ name: "check", needsSystem: false, run: async () => ({ results: await runChecks() }) }],
  [vitest("unit")],
  [{ name: "build", needsSystem: false, run: async () => ({ results: await runBuild() }) }],
  [{ name: "demonstration", needsSystem: false, run: prepareDemonstration }],
  [
    vitest("lab", { isBeside: true }),
    vitest("e2e", { isBeside: true, yields: true }),
    vitest("look", { isBeside: true, yields: true }),
  ],
];

export const stages: readonly Stage[] = rows.flat();

interface Requirements {
  /** `reasons`: why something is still missing; empty when all is there. */
  ensureInstalled(): Promise<{ readonly reasons: readonly string[] }>;
}

/**
 * Installs the programs that tests need, where that is possible. In CI what is still missing
 * fails; on someone's own machine it is said, and the tests that need it fail for themselves.
 */
export async function installRequirements(): Promise<TestResult[]> {
  // By path and only now: the tools have no package of another workspace among their own.
  const file = pathToFileURL(inRoot("lab/src/requirements.ts")).href;
  const { ensureInstalled } = (await import(file)) as Requirements;
  const { reasons } = await ensureInstalled();
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
  const { code, ms } = await runCommand([process.execPath, inRoot("e2e/src/prepare.ts"), folder]);
  const id = "demonstration > prepared";
  if (code !== 0) return { results: [failure(id, `ended with code ${code}: see above`)] };
  process.env[demonstrationVariable] = folder;
  return { results: [{ id, title: "prepared", state: "passed", ms: Math.round(ms) }] };
}

interface VitestOptions {
  /** Others run at the same time, and print to the same terminal. */
  readonly isBeside?: boolean;
  /** Gives way to what runs beside it. */
  readonly yields?: boolean;
}

/** Runs the Vitest projects of one stage; every project must have run at least one test. */
async function runVitest(
  stage: VitestStage,
  { isBeside = false, yields = false }: VitestOptions,
): Promise<StageOutcome> {
  const projects = testProjects.filter((project) => project.stage === stage);
  const report = inRoot(`build/vitest-${stage}`);
  const [reportFile, timesFile] = [`${report}.json`, `${report}-times.json`];
  for (const file of [reportFile, timesFile]) rmSync(file, { force: true });
  const named = projects.map(({ name }) => `--project=${name}`);
  const argv = [bin("vitest"), "run", ...named] as const;
  const { code } = await runCommand(yields ? ["nice", ...argv] : argv, {
    env: { [reportVariable]: report },
    plain: isBeside,
  });
  const results = existsSync(reportFile)
    ? fromVitest(JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport)
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
  const times = existsSync(timesFile)
    ? (JSON.parse(readFileSync(timesFile, "utf8")) as FileTime[])
    : [];
  return { results, times };
}
