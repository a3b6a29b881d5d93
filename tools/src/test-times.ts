/** What each test file took, held against what it may take. */
import { duration } from "./duration.ts";
import type { TimeBudget } from "./time-budget.ts";

/** One test file of a run. */
export interface FileTime {
  /** Relative to the root. */
  readonly file: string;
  /** On the wall, with its imports and hooks. */
  readonly ms: number;
}

/** Seconds that a file may take; null: the list of budgets has no line for it. */
export const secondsFor = ({ named, unit }: TimeBudget, file: string): number | null =>
  named[file] ?? (/^(lab|e2e)\//.test(file) ? null : unit);

/** How many times its budget a file may take before that is reported: machines differ, and are busy. */
const wide = 2;

/** How many files of a stage are shown at least; build/test-results.json has all. */
const maxShown = 12;

/**
 * Lines about the slowest files, and about every one that took far more than its budget. That fails
 * nothing: time is the machine's as much as the file's.
 */
export function timeLines(times: readonly FileTime[], budget: TimeBudget): string[] {
  const slowestFirst = [...times].sort((one, two) => two.ms - one.ms);
  return slowestFirst.flatMap(({ file, ms }, at) => {
    const seconds = secondsFor(budget, file);
    const isOver = seconds !== null && ms > seconds * 1000 * wide;
    if (at >= maxShown && !isOver) return [];
    const overrun = isOver ? `  far over its budget of ${seconds} s` : "";
    return [`${duration(ms).padStart(14)}  ${file}${overrun}`];
  });
}
