/** Programs that tests started and did not end. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface LeftBehind {
  readonly pid: number;
  /** Its arguments, separated by spaces. */
  readonly command: string;
}

/** Strings of a file of proc(5); empty when the program has ended or belongs to another user. */
function stringsOf(pid: number, name: "cmdline" | "environ"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** All programs but this process and its parent. */
const others = (): LeftBehind[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && pid !== process.ppid)
    .map((pid) => ({ pid, command: stringsOf(pid, "cmdline").join(" ").trim() }));

/** Programs whose arguments name a folder: what a command has left running there. */
export const programsIn = (folder: string): LeftBehind[] =>
  others().filter(({ command }) => command.includes(folder));

/** Programs that have this folder for their files. */
export const programsWith = (folder: string): LeftBehind[] =>
  others().filter(({ pid }) => stringsOf(pid, "environ").includes(`TMPDIR=${folder}`));

/**
 * Kills what is left once the tests have ended. Such a program goes on computing, and may fill the memory that files
 * of tests are in; by then its test is no longer known.
 * @param find the programs that should have ended by now
 * @param graceMs for those that are ending
 * @returns what had to be killed
 */
export async function endLeftBehind(
  find: () => LeftBehind[],
  graceMs: number,
): Promise<LeftBehind[]> {
  const until = performance.now() + graceMs;
  while (find().length > 0 && performance.now() < until) await sleep(200);
  const left = find();
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  return left;
}
