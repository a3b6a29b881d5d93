/** What ip(8) and tc(8) say of the lines of a batch that they were to go on after (`-force -batch`). */
import { CommandFailed } from "./exec.ts";

export interface FailedLine {
  /** Of the batch, from 0. */
  readonly line: number;
  /** First line of what the tool reports of it. */
  readonly why: string;
}

/** Lines that failed, each once; none where the tool failed as a whole. */
export const failedLines = (error: unknown): FailedLine[] => {
  if (!(error instanceof CommandFailed)) return [];
  const failed = new Map<number, string>();
  let output: string[] = [];
  for (const text of error.stderr.split("\n").map((line) => line.trim())) {
    const [, number] = /^Command failed .*:(\d+)$/.exec(text) ?? [];
    if (number === undefined) {
      if (text !== "") output.push(text);
      continue;
    }
    const line = Number(number) - 1;
    if (!failed.has(line)) failed.set(line, output[0] ?? text);
    output = [];
  }
  return [...failed].map(([line, why]) => ({ line, why }));
};
