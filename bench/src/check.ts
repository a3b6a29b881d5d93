/** Which values are worse than those that RESULTS.md has of the same processor. */
import { type Result, shown } from "./report.ts";

/** A row of the page as it was recorded. */
export interface Recorded {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly verdict: string;
  readonly day: string;
  /** Cores and processor. */
  readonly processor: string;
}

/** The part of the machine's text that a newer Node does not change. */
export const processorOf = (machine: string): string => machine.split(", Node ", 1)[0] ?? machine;

/** Rows of a page's table; what is no value is passed over. */
export function recordedRows(page: string): Recorded[] {
  return page.split("\n").flatMap((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
    const [what, , , value = "", , , verdict, day, machine] = cells;
    const found = /^\*\*([\d.,]+)(?: (.+))?\*\*$/.exec(value);
    if (!found || !what || !verdict || !day || !machine) return [];
    const [, number = "", unit = ""] = found;
    const processor = processorOf(machine);
    return [{ what, value: Number(number.replaceAll(",", "")), unit, verdict, day, processor }];
  });
}

/** Rates are to be high; times, sizes and counts low. A ratio is as what it is a ratio of, and a goal says it. */
export function isLowGood({ goal, subject, measured }: Result): boolean {
  if (goal !== null) return "atMost" in goal;
  const unit = measured.unit === "×" ? subject.unit : measured.unit;
  return !/\/s$|^tps$/.test(unit);
}

/** How far a recorded value may be from what was measured: half of its last digit. */
function rounding(value: number): number {
  const digits = /\.(\d+)$/.exec(shown(value))?.[1]?.length ?? 0;
  return 0.5 / 10 ** digits;
}

/** More than a fifth. */
const worseBy = 0.2;

const isWorse = (now: Result, before: Recorded): boolean => {
  const { value } = now.measured;
  const half = rounding(before.value);
  return isLowGood(now)
    ? value > (before.value + half) * (1 + worseBy)
    : value < (before.value - half) * (1 - worseBy);
};

export type Compared = "worse" | "as before" | "not compared";

export interface Comparison {
  readonly kind: Compared;
  /** For the terminal. */
  readonly text: string;
}

const amount = (value: number, unit: string): string =>
  unit === "" ? shown(value) : `${shown(value)} ${unit}`;

/** Compares one value with the recorded one of the same row; `processor` is that of this run. */
export function compare(now: Result, recorded: readonly Recorded[], processor: string): Comparison {
  const before = recorded.find(({ what }) => what === now.what);
  const is = `${now.what}: ${amount(now.measured.value, now.measured.unit)}`;
  const not = (why: string): Comparison => ({ kind: "not compared", text: `${is}; ${why}` });
  if (!before) return not("no such row is recorded");
  const was = `${amount(before.value, before.unit)} on ${before.day}, ${before.processor}`;
  if (before.processor !== processor) return not(`${was}, this is ${processor}`);
  if (before.unit !== now.measured.unit) return not(`${was}: another unit`);
  if (now.isVoid) return not(`${was}: this run is void`);
  if (before.verdict === "void") return not(`${was}: that run was void`);
  return { kind: isWorse(now, before) ? "worse" : "as before", text: `${is}; ${was}` };
}
