/** Programs that tests started and did not end. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface LeftBehind {
  readonly pid: number;
  /** Its arguments, separated by spaces. */
  readonly command: string;
}

const textOf = (pid: number, name: string): string => {
  try {
    return readFileSync(path.join("/proc", String(pid), name), "utf8");
  } catch {
    // It has ended, or belongs to another user.
    return "";
  }
};

const programs = (): LeftBehind[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .map((pid) => ({ pid, command: textOf(pid, "cmdline").replaceAll("\0", " ").trim() }));

/** Programs whose arguments name a folder: what a command has left running there. */
export const programsIn = (folder: string): LeftBehind[] =>
  programs().filter(({ command }) => command.includes(folder));

/** Programs that have this folder for their files (proc(5), environ), but for this process and its parent. */
export const programsWith = (folder: string): LeftBehind[] =>
  programs()
    .filter(({ pid }) => pid !== process.pid && pid !== process.ppid)
    .filter(({ pid }) => textOf(pid, "environ").split("\0").includes(`TMPDIR=${folder}`));

/**
 * Ends what is left once the tests have ended. Such a program goes on computing, and may fill the memory that files
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
  let left = find();
  while (left.length > 0 && performance.now() < until) {
    await sleep(200);
    left = find();
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  return left;
}
