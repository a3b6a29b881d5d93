// npm test: everything that a change must pass. `npm test -- unit e2e` runs only those stages.
import "./assert-node.ts";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { duration } from "./duration.ts";
import { inRoot, readJson } from "./repository.ts";
import { isEnding } from "./run-command.ts";
import type { TestResult } from "./test-results.ts";
import { countLine, type ExpectedSkip, failure, judgeSkips } from "./test-results.ts";
import { installRequirements, stages } from "./test-stages.ts";

const resultsFile = inRoot("build/test-results.json");

const named = process.argv.slice(2);
const unknown = named.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(
    `test: no stage ${unknown.join(", ")}; there are ${stages.map((s) => s.name).join(", ")}`,
  );
  process.exit(2);
}
const chosen = stages.filter(({ name }) => named.length === 0 || named.includes(name));

interface StageTime {
  name: string;
  ms: number;
}

const results: TestResult[] = [];
const times: StageTime[] = [];

async function timed(name: string, run: () => Promise<TestResult[]>): Promise<void> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  // A stage that throws is a failed stage, and the others still have something to tell.
  const found = await run().catch((error: unknown) => [
    failure(`${name} > (stage)`, String(error)),
  ]);
  results.push(...found);
  times.push({ name, ms: Math.round(performance.now() - started) });
}

mkdirSync(inRoot("build"), { recursive: true });
rmSync(resultsFile, { force: true });
if (chosen.some(({ needsSystem }) => needsSystem)) await timed("system", installRequirements);
// Tests that fail because the machine lacks a program would only hide the real message.
if (results.length === 0) {
  for (const { name, run } of chosen) if (!isEnding()) await timed(name, run);
}
if (isEnding()) results.push(failure("(run)", "ended by a signal"));

const complete = stages.every(({ name }) => times.some((time) => time.name === name));
const judged = judgeSkips(results, readJson<ExpectedSkip[]>("expected-skips.json"), complete);
const summary = countLine(judged);
const record = { complete, summary, stages: times, results: judged };
writeFileSync(resultsFile, `${JSON.stringify(record, null, 2)}\n`);

console.log("");
for (const { id, state, message = "" } of judged) {
  if (state === "failed") console.log(`FAILED  ${id}\n        ${message.split("\n")[0]}`);
  if (state === "skipped") console.log(`skipped ${id}\n        ${message}`);
}
for (const { name, ms } of times) console.log(`${duration(ms).padStart(14)}  ${name}`);
console.log(`${duration(performance.now()).padStart(14)}  in all`);
console.log(summary);
if (judged.length === 0 || judged.some(({ state }) => state === "failed")) process.exitCode ||= 1;
