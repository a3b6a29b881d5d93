// npm test: what every change must pass. `npm test -- unit browser` runs only those stages.
// npm run test:full: every other group of test files and the campaigns; `-- kernel lab` runs only those, `-- --resume`
// leaves out those that this tree has passed already, and says for the others why it does not.
import "./assert-node.ts";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { campaignStages } from "./campaigns.ts";
import { duration } from "./duration.ts";
import { endLeftBehind, markOwn, programsWith, takeFolder } from "./left-behind.ts";
import { inRoot, root } from "./repository.ts";
import { holdSignals } from "./run-command.ts";
import { defineEnvironment } from "./test-environment.ts";
import { runGroups } from "./test-full.ts";
import { testGroups } from "./test-groups.ts";
import { failure } from "./test-reporter.ts";
import { countLine, hasPassed, type RunRecord, runPlan, summaryLines } from "./test-run.ts";
import {
  checkStage,
  demonstrationStage,
  type Stage,
  setUpStages,
  vitestStage,
} from "./test-stages.ts";
import { useOwnTemporary } from "./test-temporary.ts";

const groupsOf = (stage: string) => testGroups.filter((group) => group.stage === stage);

/** The stages of `npm test`. Nothing runs beside the lab: it starts thousands of programs. */
const gate: readonly (readonly Stage[])[] = [
  ...setUpStages.map((stage) => [stage]),
  [checkStage],
  [vitestStage("lab", groupsOf("lab"), 6)],
  [vitestStage("unit", groupsOf("unit"), 14), demonstrationStage],
  [vitestStage("browser", groupsOf("browser"), 8)],
];
const gateMinutes = 27;

/** A group of test files gets an hour: it ends what hangs. */
const groupMinutes = 60;
const fullStages = [
  ...groupsOf("full").map((group) => vitestStage(group.name, [group], groupMinutes)),
  ...campaignStages,
];

const gateFile = inRoot("build/test-results.json");
const fullFile = inRoot("build/full-results.json");

function refuseUnknown(names: readonly string[], stages: readonly Stage[]): void {
  const known = stages.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  console.error(`test: no ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exit(2);
}

/** Runs a plan, kills what it left behind, and reports that. */
async function runAll(plan: readonly (readonly Stage[])[], minutes: number): Promise<RunRecord> {
  const record = await runPlan(plan, minutes * 60_000);
  const left = await endLeftBehind(() => programsWith(mark), 10_000);
  const failures = left.map(({ pid, command }) =>
    failure(`left behind > ${command.slice(0, 200)}`, `process ${pid} was killed`),
  );
  return { ...record, results: [...record.results, ...failures] };
}

async function runGate(named: readonly string[]): Promise<RunRecord> {
  refuseUnknown(named, gate.flat());
  rmSync(gateFile, { force: true });
  const isNeeded = (stage: Stage): boolean =>
    named.length === 0 ||
    named.includes(stage.name) ||
    setUpStages.includes(stage) ||
    (stage === demonstrationStage && named.includes("browser"));
  const run = await runAll(
    gate.map((step) => step.filter(isNeeded)),
    gateMinutes,
  );
  const stored = { ...run, summary: countLine(run.results) };
  writeFileSync(gateFile, JSON.stringify(stored, null, 2));
  return run;
}

function treeHash(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD^{tree}") : "";
}

async function runFull(args: readonly string[]): Promise<RunRecord> {
  const named = args.filter((arg) => arg !== "--resume");
  refuseUnknown(named, fullStages);
  const isResumed = args.includes("--resume");
  const stages = fullStages.filter(({ name }) => named.length === 0 || named.includes(name));
  const setUp = await runAll(
    setUpStages.map((stage) => [stage]),
    groupMinutes,
  );
  const run = (stage: Stage) => runAll([[stage]], stage.limitMinutes + groupMinutes);
  const groups = hasPassed(setUp.results)
    ? await runGroups({ stages, isResumed, file: fullFile, treeHash, run })
    : [];
  const runs = [setUp, ...groups];
  return {
    results: runs.flatMap(({ results }) => results),
    flaky: runs.flatMap(({ flaky }) => flaky),
    stages: runs.flatMap(({ stages }) => stages),
  };
}

holdSignals();
defineEnvironment(process.env);
const mark = markOwn();
mkdirSync(inRoot("build"), { recursive: true });
await takeFolder(inRoot("build"), mark).catch(({ message }: Error) => {
  console.error(`test: ${message}`);
  process.exit(2);
});
// One folder for all stages.
useOwnTemporary();
const args = process.argv.slice(2);
const record = args[0] === "--full" ? await runFull(args.slice(1)) : await runGate(args);
for (const line of summaryLines(record, duration(performance.now()))) console.log(line);
if (!hasPassed(record.results)) process.exitCode ||= 1;
// What a stage still waits for in this process must not hold it.
process.exit();
