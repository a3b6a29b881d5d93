/** Figures as people read them: a line on the terminal, a table in the README. */
import type { Summary } from "./rounds.ts";

/** What a figure is held to. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** One figure of one run. */
export interface Figure {
  /** Name of the bench that gave it. */
  readonly bench: string;
  /** What was done, in a few words. */
  readonly what: string;
  readonly yardstick: { readonly name: string; readonly value: number; readonly unit: string };
  readonly subject: { readonly value: number; readonly unit: string };
  /** The figure itself, and what it is held to: a ratio, or a time or count with its unit. */
  readonly figure: { readonly value: number; readonly unit: string };
  readonly goal: Goal | null;
  /** Least and greatest of the rounds. */
  readonly spread: readonly [least: number, most: number];
  readonly rounds: number;
  /** True: the yardstick moved too much in this run. */
  readonly isVoid: boolean;
}

/** The figure of a ratio. */
export function ratioFigure(
  names: { bench: string; what: string; yardstick: string; unit: string },
  summary: Summary,
  rounds: number,
  goal: Goal | null,
): Figure {
  const { bench, what, yardstick: name, unit } = names;
  return {
    ...{ bench, what, goal, rounds },
    yardstick: { name, value: summary.yardstick, unit },
    subject: { value: summary.subject, unit },
    figure: { value: summary.ratio, unit: "×" },
    spread: summary.spread,
    isVoid: summary.isVoid,
  };
}

export type Verdict = "met" | "missed" | "void" | "no goal";

export function judge({ figure, goal, isVoid }: Figure): Verdict {
  if (isVoid) return "void";
  if (goal === null) return "no goal";
  const isMet = "atLeast" in goal ? figure.value >= goal.atLeast : figure.value <= goal.atMost;
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

function cells(figure: Figure): string[] {
  const { what, yardstick, subject, spread, goal } = figure;
  const { value, unit } = figure.figure;
  return [
    what,
    `${yardstick.name}: ${withUnit(yardstick.value, yardstick.unit)}`,
    withUnit(subject.value, subject.unit),
    `**${withUnit(value, unit)}**`,
    `${shown(spread[0])} to ${shown(spread[1])}`,
    goalText(goal, unit),
    judge(figure),
  ];
}

const row = (texts: readonly string[]): string =>
  `| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;

/** The table as Markdown. */
export function table(figures: readonly Figure[]): string {
  const head = ["what", "yardstick", "Weft", "figure", "spread", "goal", "verdict"];
  return [row(head), row(head.map(() => "---")), ...figures.map((one) => row(cells(one)))].join(
    "\n",
  );
}

/** One figure on one line of the terminal. */
export function lineOf(figure: Figure): string {
  const [what, yardstick, subject, value, spread, goal, verdict] = cells(figure);
  const plain = value?.replaceAll("**", "");
  return `${figure.bench}: ${what}: ${plain} (${spread}; ${subject} against ${yardstick}; goal ${goal}) ${verdict}`;
}

const begin = "<!-- figures:begin -->";
const end = "<!-- figures:end -->";

/**
 * A page with what stands between the marks of the figures replaced.
 * @throws Error when the page lacks the marks
 */
export function withFigures(page: string, text: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`no place for figures: ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}
