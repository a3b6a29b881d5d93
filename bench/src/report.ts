/** Results as people read them: a line on the terminal, a table in RESULTS.md. */
import type { Summary } from "./rounds.ts";

/** What a value is held to. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** One value of one run. */
export interface Result {
  /** Name of the bench that gave it. */
  readonly bench: string;
  /** What was done, in short. */
  readonly what: string;
  readonly yardstick: { readonly name: string; readonly value: number; readonly unit: string };
  readonly subject: { readonly value: number; readonly unit: string };
  /** The value itself, and what it is held to: a ratio, or a time or count with its unit. */
  readonly measured: { readonly value: number; readonly unit: string };
  readonly goal: Goal | null;
  /** Least and greatest of the rounds. */
  readonly spread: readonly [least: number, most: number];
  readonly rounds: number;
  /** True: the yardstick moved too much in this run. */
  readonly isVoid: boolean;
}

/** The value of a ratio. */
export function ratioResult(
  names: { bench: string; what: string; yardstick: string; unit: string },
  summary: Summary,
  rounds: number,
  goal: Goal | null,
): Result {
  const { bench, what, yardstick: name, unit } = names;
  return {
    bench,
    what,
    goal,
    rounds,
    yardstick: { name, value: summary.yardstick, unit },
    subject: { value: summary.subject, unit },
    measured: { value: summary.ratio, unit: "×" },
    spread: summary.spread,
    isVoid: summary.isVoid,
  };
}

export type Verdict = "met" | "missed" | "void" | "no goal";

export function verdictOf({ measured, goal, isVoid }: Result): Verdict {
  if (isVoid) return "void";
  if (goal === null) return "no goal";
  const isMet = "atLeast" in goal ? measured.value >= goal.atLeast : measured.value <= goal.atMost;
  return isMet ? "met" : "missed";
}

/** Three digits that count; whole numbers from a hundred on. */
export function shown(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

const withUnit = (value: number, unit: string): string =>
  unit === "" ? shown(value) : `${shown(value)} ${unit}`;

const goalText = (goal: Goal | null, unit: string): string =>
  goal === null
    ? "—"
    : "atLeast" in goal
      ? `≥ ${withUnit(goal.atLeast, unit)}`
      : `≤ ${withUnit(goal.atMost, unit)}`;

function cells(result: Result): string[] {
  const { what, yardstick, subject, spread, goal } = result;
  const { value, unit } = result.measured;
  return [
    what,
    `${yardstick.name}: ${withUnit(yardstick.value, yardstick.unit)}`,
    withUnit(subject.value, subject.unit),
    `**${withUnit(value, unit)}**`,
    `${shown(spread[0])} to ${shown(spread[1])}`,
    goalText(goal, unit),
    verdictOf(result),
  ];
}

const row = (texts: readonly string[]): string =>
  `| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;

const head = ["what", "yardstick", "Weft", "value", "spread", "goal", "verdict", "run", "machine"];

/** Where and when values were taken: rows of a page are of different runs. */
export interface Run {
  /** As ISO 8601 has it. */
  readonly day: string;
  /** Cores, processor and version of Node. */
  readonly machine: string;
}

/** The table as Markdown. */
export function table(results: readonly Result[], { day, machine }: Run): string {
  const rows = results.map((result) => row([...cells(result), day, machine]));
  return [row(head), row(head.map(() => "---")), ...rows].join("\n");
}

/** What a row is about: its first cell. */
const subjectOf = (line: string): string => line.split(/(?<!\\)\|/)[1]?.trim() ?? "";

const rowsOf = (text: string): string[] =>
  text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| --- "));

/** A table with the rows of a newer one in the place of its own; what was not run stays as it was. */
export function mergeTables(old: string, newer: string): string {
  const [first, ...run] = rowsOf(newer);
  const before = rowsOf(old).slice(1);
  const found = new Map(run.map((line) => [subjectOf(line), line]));
  const kept = before.map((line) => found.get(subjectOf(line)) ?? line);
  const known = new Set(before.map(subjectOf));
  const added = run.filter((line) => !known.has(subjectOf(line)));
  return [first ?? "", row(head.map(() => "---")), ...kept, ...added].join("\n");
}

/** One value on one line of the terminal. */
export function lineOf(result: Result): string {
  const [what, yardstick, subject, value, spread, goal, verdict] = cells(result);
  const plain = value?.replaceAll("**", "");
  return `${result.bench}: ${what}: ${plain} (${spread}; ${subject} against ${yardstick}; goal ${goal}) ${verdict}`;
}

const startMark = "<!-- results:begin -->";
const end = "<!-- results:end -->";

/**
 * A page whose text between the marks of the values is replaced.
 * @throws Error when the page lacks the marks
 */
export function withResults(page: string, change: (old: string) => string): string {
  const from = page.indexOf(startMark);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`no place for values: ${startMark} … ${end}`);
  const text = change(page.slice(from + startMark.length, to).trim());
  return `${page.slice(0, from + startMark.length)}\n${text}\n${page.slice(to)}`;
}
