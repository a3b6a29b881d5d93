import { existsSync, readFileSync, rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { runChecks } from "./check-steps.ts";
import { ensureConsoleBuilt } from "./console-build.ts";
import { judgeBuilt } from "./console-size.ts";
import { bin, inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import { type TestProject, testProjects } from "./test-projects.ts";
import { failure, fromVitest, type TestResult, type VitestReport } from "./test-results.ts";

export interface Stage {
  name: string;
  /** True where programs of the system are used (tunnels, routing, a browser). */
  needsSystem: boolean;
  run(): Promise<TestResult[]>;
}

/** The stages of `npm test` in their order: quick answers first. */
export const stages: readonly Stage[] = [
  { name: "check", needsSystem: false, run: runChecks },
  { name: "unit", needsSystem: true, run: () => runVitest("unit") },
  { name: "build", needsSystem: false, run: runBuild },
  { name: "lab", needsSystem: true, run: () => runVitest("lab") },
  { name: "e2e", needsSystem: true, run: () => runVitest("e2e") },
];

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

/** Runs the Vitest projects of one stage; every project must have run at least one test. */
async function runVitest(stage: TestProject["stage"]): Promise<TestResult[]> {
  const projects = testProjects.filter((project) => project.stage === stage);
  const reportFile = inRoot(`build/vitest-${stage}.json`);
  rmSync(reportFile, { force: true });
  const { code } = await runCommand([
    bin("vitest"),
    "run",
    ...projects.map(({ name }) => `--project=${name}`),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportFile}`,
  ]);
  const results = existsSync(reportFile)
    ? fromVitest(JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport)
    : [];
  for (const { folder } of projects) {
    if (results.some(({ id }) => id.startsWith(`${folder}/`))) continue;
    results.push(failure(`${stage} > ${folder}`, "no test ran here"));
  }
  // Errors outside of any test (an unhandled rejection, a global setup) show in the exit code only.
  const isExplained = results.some(({ state }) => state === "failed");
  if (code !== 0 && !isExplained) {
    results.push(failure(`${stage} > (runner)`, `vitest ended with code ${code}: see above`));
  }
  return results;
}
