// npm run check: format, lint, types and unused code, without the long tests.
import "./assert-node.ts";
import { performance } from "node:perf_hooks";
import { duration } from "./duration.ts";
import { bin, workspaces } from "./repository.ts";
import { isEnding, runCommand } from "./run-command.ts";
import { failure, type TestResult } from "./test-reporter.ts";

type Command = readonly [string, ...string[]];

/**
 * Arguments that check the types of a workspace. The compiler's four checkers share no types, and each works
 * out those of the contract for itself: together they take three times as much processor time as one, and
 * longer on two cores.
 */
export const typesOf = (folder: string) => ["--project", folder, "--singleThreaded"] as const;

/** What a change must pass before any test runs. Another check is another line here. */
const checks: readonly (readonly [name: string, command: Command])[] = [
  ["format and lint", [bin("biome"), "ci", "--error-on-warnings"]],
  ...workspaces().map(
    (folder) => [`types of ${folder}`, [bin("tsc"), ...typesOf(folder)]] as const,
  ),
  ["unused code", [bin("knip")]],
  ["OpenAPI document", [process.execPath, "tools/src/open-api.ts"]],
  ["tables in the docs", [process.execPath, "tools/src/tables.ts", "--check"]],
];

/** Most checks use one core for most of their time. */
const checksAtOnce = 2;

/** Runs all checks, two at a time, and prints for each its time, and its output when it failed. */
export async function runChecks(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  const waiting = checks.values();
  const runWaiting = async (): Promise<void> => {
    for (const [name, command] of waiting) {
      if (isEnding()) break;
      const { code, ms, output } = await runCommand(command, { capture: true });
      const id = `check > ${name}`;
      const isPassed = code === 0;
      console.log(`${isPassed ? "ok    " : "FAILED"} ${duration(ms).padStart(8)}  ${name}`);
      if (!isPassed) console.log(output);
      results.push(isPassed ? { id, state: "passed", ms: Math.round(ms) } : failure(id, output));
    }
  };
  await Promise.all(Array.from({ length: checksAtOnce }, runWaiting));
  return results;
}

if (import.meta.main) {
  const results = await runChecks();
  const failed = results.filter(({ state }) => state === "failed");
  const time = duration(performance.now());
  console.log(`check: ${failed.length} of ${results.length} failed, ${time}`);
  if (failed.length > 0) process.exitCode ||= 1;
}
