/** Results of the campaign of values in a file, so that a run may be made in parts: one line of JSON for each few values. */
import { appendFile, readFile } from "node:fs/promises";

export type Outcome = "refused" | "acted" | "reported" | "failed";

export interface Verdict {
  readonly subject: string;
  readonly field: string;
  readonly value: string;
  readonly outcome: Outcome;
  /** The rule of a refusal, the reason of a finding, or what went wrong. */
  readonly why: string;
}

interface Result {
  readonly verdicts: readonly Verdict[];
}

export const keyOf = ({ subject, field, value }: Omit<Verdict, "outcome" | "why">): string =>
  JSON.stringify([subject, field, value]);

/** Each value once, as it was at last. */
export const newestOf = (verdicts: readonly Verdict[]): readonly Verdict[] => [
  ...new Map(verdicts.map((verdict) => [keyOf(verdict), verdict])).values(),
];

/** What the file has; a value that was tried again counts as it was at last. No file: nothing. */
export async function readResults(path: string): Promise<readonly Verdict[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const results = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);
  return newestOf(results.flatMap(({ verdicts }) => verdicts));
}

/** Adds values that were tried. */
export async function writeResult(path: string, verdicts: readonly Verdict[]): Promise<void> {
  const result: Result = { verdicts };
  await appendFile(path, `${JSON.stringify(result)}\n`);
}

/** The values that a run need not try again: those that failed may have been repaired since. */
export const triedOf = (verdicts: readonly Verdict[]): ReadonlySet<string> =>
  new Set(verdicts.filter(({ outcome }) => outcome !== "failed").map(keyOf));

const outcomes: readonly Outcome[] = ["refused", "acted", "reported", "failed"];

/** Values of each field by what became of them, or of each resource. */
export function tableOf(verdicts: readonly Verdict[], isOfFields = true): string {
  const rows = Map.groupBy(verdicts, ({ subject, field }) =>
    isOfFields ? `${subject}\t${field}` : `${subject}\tall fields`,
  );
  const lines = [...rows].map(([key, own]) => {
    const counts = outcomes.map((outcome) => own.filter((one) => one.outcome === outcome).length);
    const [subject = "", field = ""] = key.split("\t");
    const numbers = [own.length, ...counts];
    return [
      subject.padEnd(30),
      field.padEnd(20),
      ...numbers.map((n) => String(n).padStart(8)),
    ].join("");
  });
  const head = ["resource".padEnd(30), "field".padEnd(20)];
  return [
    [...head, ...["values", ...outcomes].map((word) => word.padStart(8))].join(""),
    ...lines,
  ].join("\n");
}

export const failuresOf = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts
    .filter(({ outcome }) => outcome === "failed")
    .map(
      ({ subject, field, value, why }) =>
        `FAILED ${subject}.${field} = ${JSON.stringify(value).slice(0, 80)}: ${why}`,
    );
