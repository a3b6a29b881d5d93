/** Results of the campaign of values in a file, so that a run may be made in parts: one line of JSON for each resource. */
import { appendFile, readFile } from "node:fs/promises";
import type { Outcome, Verdict } from "./campaign.ts";

interface Result {
  readonly subject: string;
  readonly verdicts: readonly Verdict[];
}

/** What the file has; a resource that was tried again counts as it was at last. No file: nothing. */
export async function readResults(path: string): Promise<readonly Verdict[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const results = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);
  const newest = new Map(results.map(({ subject, verdicts }) => [subject, verdicts] as const));
  return [...newest.values()].flat();
}

/** Adds a resource that was tried whole. */
export async function writeResult(
  path: string,
  subject: string,
  verdicts: readonly Verdict[],
): Promise<void> {
  const result: Result = { subject, verdicts };
  await appendFile(path, `${JSON.stringify(result)}\n`);
}

export const finishedOf = (verdicts: readonly Verdict[]): ReadonlySet<string> =>
  new Set(verdicts.map(({ subject }) => subject));

const outcomes: readonly Outcome[] = ["refused", "acted", "reported", "failed"];

/** Values of each field by what became of them. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const rows = Map.groupBy(verdicts, ({ subject, field }) => `${subject}\t${field}`);
  const lines = [...rows].map(([key, own]) => {
    const counts = outcomes.map((outcome) => own.filter((one) => one.outcome === outcome).length);
    const [subject = "", field = ""] = key.split("\t");
    const numbers = [new Set(own.map(({ value }) => value)).size, ...counts];
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
