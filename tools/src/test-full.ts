/** Groups one after the other, with a file of their results from which a later run goes on. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isEnding } from "./run-command.ts";
import { failure } from "./test-reporter.ts";
import { hasPassed, type RunRecord } from "./test-run.ts";
import type { Stage } from "./test-stages.ts";

/** What build/full-results.json holds. */
interface StoredGroups {
  /** Hash of the tree that the groups ran on; "": it had changes that were not committed. */
  readonly tree: string;
  readonly groups: Readonly<Record<string, RunRecord>>;
}

export interface FullRun {
  readonly stages: readonly Stage[];
  /** Leave out what has passed on the same committed tree. */
  readonly isResumed: boolean;
  /** Takes the results after each group. */
  readonly file: string;
  /** @returns the hash of the tree as it is now; "": it has changes that are not committed */
  treeHash(): string;
  run(stage: Stage): Promise<RunRecord>;
}

/** Goes on after failures, until a signal, or until the tree is another one than at the beginning. */
export async function runGroups(
  { stages, isResumed, file, treeHash, run }: FullRun,
  print: (line: string) => void = console.log,
): Promise<RunRecord[]> {
  const tree = treeHash();
  const stored = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as StoredGroups)
    : undefined;
  const isStored = tree !== "" && stored?.tree === tree;
  const groups: Record<string, RunRecord> = isStored ? { ...stored.groups } : {};
  if (isResumed && !isStored) {
    const why = tree === "" ? "this tree has uncommitted changes" : "no results of this tree";
    print(`\n== nothing is left out: ${why}`);
  }
  const records: RunRecord[] = [];
  for (const stage of stages) {
    const { name } = stage;
    if (isEnding()) break;
    if (isResumed && hasPassed(groups[name]?.results ?? [])) {
      print(`\n== ${name}: left out, it has passed on this tree`);
      continue;
    }
    const record = await run(stage);
    const changed =
      treeHash() === tree ? [] : [failure(`${name} > (tree)`, "the tree changed while it ran")];
    groups[name] = { ...record, results: [...record.results, ...changed] };
    records.push(groups[name]);
    // Whole or not at all: a run may be killed at any time.
    writeFileSync(`${file}.new`, JSON.stringify({ tree, groups }, null, 2));
    renameSync(`${file}.new`, file);
    if (changed.length > 0) break;
  }
  return records;
}
