import { duration } from "./duration.ts";
import { bin, workspaces } from "./repository.ts";
import { isEnding, runCommand } from "./run-command.ts";
import type { TestResult } from "./test-reporter.ts";

interface CheckStep {
  name: string;
  argv: readonly [string, ...string[]];
}

/**
 * Arguments that check the types of a workspace. The compiler's four checkers share no types, and each works
 * out those of the contract for itself: together they take three times as much processor time as one, and
 * longer on two cores.
 */
export const typesOf = (folder: string) => ["--project", folder, "--singleThreaded"] as const;

/** What a change must pass before any test runs. Another check is another line here. */
export const checkSteps: readonly CheckStep[] = [
  { name: "format and lint", argv: [bin("biome"), "ci", "--error-on-warnings"] },
  ...workspaces().map(
    (folder): CheckStep => ({
      name: `types of ${folder}`,
      argv: [bin("tsc"), ...typesOf(folder)],
    }),
  ),
  { name: "unused code", argv: [bin("knip")] },
  { name: "OpenAPI document", argv: [process.execPath, "tools/src/open-api.ts"] },
  { name: "tables in the docs", argv: [process.execPath, "tools/src/tables.ts", "--check"] },
];

/** Most steps use one core for most of their time. */
const stepsAtOnce = 2;

/** Runs all steps, two at a time, and prints for each its time, and its output when it failed. */
export async function runChecks(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  const waiting = checkSteps.values();
  const runWaiting = async (): Promise<void> => {
    for (const step of waiting) {
      if (isEnding()) break;
      results.push(await runStep(step));
    }
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, runWaiting));
  return results;
}

async function runStep({ name, argv }: CheckStep): Promise<TestResult> {
  const { code, ms, output } = await runCommand(argv, { capture: true });
  const state = code === 0 ? "passed" : "failed";
  console.log(`${state === "passed" ? "ok    " : "FAILED"} ${duration(ms).padStart(8)}  ${name}`);
  if (state === "failed") console.log(output);
  const message = state === "failed" ? { message: output } : {};
  return { id: `check > ${name}`, title: name, state, ms: Math.round(ms), ...message };
}
