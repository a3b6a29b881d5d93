// npm test: what every change must pass. `npm test -- unit browser` runs only those stages.
// npm run test:full: every other group of test files and the campaigns; `-- kernel lab` runs only those, `-- --resume`
// leaves out those that this tree has passed already.
import "./assert-node.ts";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { campaignStages } from "./campaigns.ts";
import { duration } from "./duration.ts";
import { endLeftBehind, programsWith } from "./left-behind.ts";
import { inRoot, readJson, root } from "./repository.ts";
import { isEnding } from "./run-command.ts";
import { testGroups } from "./test-groups.ts";
import { countLine, type RunRecord, runPlan, summaryLines } from "./test-run.ts";
import {
  buildStage,
  checkStage,
  demonstrationStage,
  failure,
  type Stage,
  systemStage,
  vitestStage,
} from "./test-stages.ts";
import { useOwnTemporary } from "./test-temporary.ts";

const gateLimitMs = 27 * 60_000;
const groupsOf = (stage: string) => testGroups.filter((group) => group.stage === stage);

/** The stages of `npm test`. Nothing runs beside the lab: it starts thousands of programs. */
const gate: readonly (readonly Stage[])[] = [
  [systemStage],
  [checkStage],
  [buildStage],
  [vitestStage("lab", groupsOf("lab"), 6)],
  [vitestStage("unit", groupsOf("unit"), 14), demonstrationStage],
  [vitestStage("browser", groupsOf("browser"), 8)],
];

const resultsFile = "build/test-results.json";
const fullFile = "build/full-results.json";

/** What build/test-results.json and, by group, build/full-results.json hold. */
interface StoredRun extends RunRecord {
  readonly complete: boolean;
  readonly summary: string;
}
interface StoredGroups {
  /** Hash of the tree that the groups ran on; "": it had changes that were not committed. */
  readonly tree: string;
  readonly groups: Readonly<Record<string, StoredRun>>;
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  console.error(`test: no ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exit(2);
}

/** Runs a plan, ends what it left behind, and reports it. */
async function runAll(plan: readonly (readonly Stage[])[], limitMs: number): Promise<RunRecord> {
  const record = await runPlan(plan, limitMs);
  const left = await endLeftBehind(() => programsWith(temporary), 10_000);
  const failures = left.map(({ pid, command }) =>
    failure(`left behind > ${command.slice(0, 200)}`, `process ${pid} was killed`),
  );
  return { ...record, results: [...record.results, ...failures] };
}

const stored = (record: RunRecord, complete: boolean): StoredRun => ({
  ...record,
  complete,
  summary: countLine(record.results),
});

const writeJson = (file: string, value: unknown): void =>
  writeFileSync(inRoot(file), `${JSON.stringify(value, null, 2)}\n`);

const hasPassed = ({ results }: RunRecord): boolean =>
  results.length > 0 && results.every(({ state }) => state === "passed");

async function runGate(named: readonly string[]): Promise<RunRecord> {
  refuseUnknown(
    named,
    gate.flat().map(({ name }) => name),
  );
  rmSync(inRoot(resultsFile), { force: true });
  const isNeeded = ({ name, isRequired = false }: Stage): boolean =>
    named.length === 0 ||
    named.includes(name) ||
    (isRequired && (name !== demonstrationStage.name || named.includes("browser")));
  const plan = gate.map((step) => step.filter(isNeeded));
  const record = await runAll(plan, gateLimitMs);
  writeJson(resultsFile, stored(record, named.length === 0));
  return record;
}

function treeHash(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD^{tree}") : "";
}

/** A group of test files gets an hour: it ends what hangs. */
const groupMinutes = 60;

async function runFull(args: readonly string[]): Promise<RunRecord> {
  const [named, resumes] = [args.filter((arg) => arg !== "--resume"), args.includes("--resume")];
  const groups = groupsOf("full");
  const needsDemonstration = new Set(
    groups.filter((group) => group.needsDemonstration).map(({ name }) => name),
  );
  const stages = [
    ...groups.map((group) => vitestStage(group.name, [group], groupMinutes)),
    ...campaignStages,
  ];
  refuseUnknown(
    named,
    stages.map(({ name }) => name),
  );
  const tree = treeHash();
  const before = existsSync(inRoot(fullFile)) ? readJson<StoredGroups>(fullFile) : null;
  const isSame = before !== null && tree !== "" && before.tree === tree;
  const known: Record<string, StoredRun> = isSame ? { ...before.groups } : {};
  const selected = stages.filter(
    ({ name }) =>
      (named.length === 0 || named.includes(name)) && !(resumes && known[name]?.complete),
  );
  const setUp = await runAll([[systemStage], [buildStage]], groupMinutes * 60_000);
  const all: RunRecord[] = [setUp];
  let isPrepared = false;
  for (const stage of selected) {
    if (isEnding() || !hasPassedOrEmpty(setUp)) break;
    const prepares: boolean = needsDemonstration.has(stage.name) && !isPrepared;
    const plan = prepares ? [[demonstrationStage], [stage]] : [[stage]];
    const record = await runAll(plan, (stage.limitMinutes + groupMinutes) * 60_000);
    if (prepares) isPrepared = true;
    all.push(record);
    known[stage.name] = stored(record, !isEnding() && hasPassed(record));
    writeJson(fullFile, { tree, groups: known } satisfies StoredGroups);
  }
  return {
    results: all.flatMap(({ results }) => results),
    flaky: all.flatMap(({ flaky }) => flaky),
    stages: all.flatMap((record) => record.stages),
  };
}

/** Of steps that have results only when they fail. */
const hasPassedOrEmpty = ({ results }: RunRecord): boolean =>
  results.every(({ state }) => state === "passed");

// One folder for all stages: it shows whose a program is that outlives its test.
const temporary = useOwnTemporary();
mkdirSync(inRoot("build"), { recursive: true });
const [first, ...rest] = process.argv.slice(2);
const record = first === "--full" ? await runFull(rest) : await runGate(process.argv.slice(2));
for (const line of summaryLines(record, duration(performance.now()))) console.log(line);
if (!hasPassed(record)) process.exitCode ||= 1;
