// npm test: everything that a change must pass. `npm test -- unit e2e` runs only those stages.
import "./assert-node.ts";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { duration } from "./duration.ts";
import { endLeftBehind } from "./left-behind.ts";
import { inRoot, readJson } from "./repository.ts";
import { isEnding } from "./run-command.ts";
import type { TestResult } from "./test-results.ts";
import {
  countLine,
  type ExpectedSkip,
  evaluateSkips,
  failure,
  failureLines,
} from "./test-results.ts";
import { installRequirements, runStages, type StageOutcome, stages } from "./test-stages.ts";
import { useMemoryForFiles } from "./test-temporary.ts";
import { timeLines } from "./test-times.ts";
import { timeBudget } from "./time-budget.ts";

const resultsFile = inRoot("build/test-results.json");

const named = process.argv.slice(2);
const unknown = named.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(
    `test: no stage ${unknown.join(", ")}; there are ${stages.map((s) => s.name).join(", ")}`,
  );
  process.exit(2);
}
const selected = stages.filter(({ name }) => named.length === 0 || named.includes(name));

interface StageTime {
  readonly name: string;
  readonly ms: number;
  readonly files: StageOutcome["times"];
}

const results: TestResult[] = [];
const times: StageTime[] = [];

async function timed(name: string, run: () => Promise<StageOutcome>): Promise<void> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  // A stage that throws is a failed stage, and the others still have something to report.
  const found = await run().catch(
    (error: unknown): StageOutcome => ({
      results: [failure(`${name} > (stage)`, String(error))],
    }),
  );
  results.push(...found.results);
  times.push({ name, ms: Math.round(performance.now() - started), files: found.times });
}

// One folder for all stages: it shows whose a program is that outlives its test.
const folder = useMemoryForFiles();
mkdirSync(inRoot("build"), { recursive: true });
rmSync(resultsFile, { force: true });
if (selected.some(({ needsSystem }) => needsSystem)) {
  await timed("system", async () => ({ results: await installRequirements() }));
}
// Tests that fail because the machine lacks a program would only hide the real message.
if (results.length === 0) {
  await runStages(selected, async ({ name, run }) => {
    if (!isEnding()) await timed(name, run);
  });
}
if (isEnding()) results.push(failure("(run)", "ended by a signal"));
for (const { pid, command } of folder === null ? [] : await endLeftBehind(folder, 10_000)) {
  results.push(failure(`left behind > ${command.slice(0, 200)}`, `process ${pid} was killed`));
}

const complete = stages.every(({ name }) => times.some((time) => time.name === name));
const evaluated = evaluateSkips(results, readJson<ExpectedSkip[]>("expected-skips.json"), complete);
const summary = countLine(evaluated);
const record = { complete, summary, stages: times, results: evaluated };
writeFileSync(resultsFile, `${JSON.stringify(record, null, 2)}\n`);

console.log("");
for (const line of failureLines(evaluated)) console.log(line);
for (const { name, files = [] } of times) {
  if (files.length > 0) console.log(`\nslowest files of ${name}:`);
  for (const line of timeLines(files, timeBudget)) console.log(line);
}
console.log("");
for (const { name, ms } of times) console.log(`${duration(ms).padStart(14)}  ${name}`);
console.log(`${duration(performance.now()).padStart(14)}  in all`);
console.log(summary);
if (evaluated.length === 0 || evaluated.some(({ state }) => state === "failed"))
  process.exitCode ||= 1;
