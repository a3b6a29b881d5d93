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

/** Programs that have this folder for their files (proc(5), environ), but for this process and its parent. */
export function programsWith(folder: string): LeftBehind[] {
  const own = new Set([process.pid, process.ppid]);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && !own.has(Number(name)))
    .map(Number)
    .filter((pid) => textOf(pid, "environ").split("\0").includes(`TMPDIR=${folder}`))
    .map((pid) => ({ pid, command: textOf(pid, "cmdline").split("\0").join(" ").trim() }));
}

/**
 * Ends what is left once the tests have ended. Such a program goes on computing, and may fill the memory that files
 * of tests are in; by then its test is no longer known.
 * @param folder of the run, which only its own programs know
 * @param graceMs for those that are ending
 * @returns what had to be killed
 */
export async function endLeftBehind(folder: string, graceMs: number): Promise<LeftBehind[]> {
  const until = performance.now() + graceMs;
  let left = programsWith(folder);
  while (left.length > 0 && performance.now() < until) {
    await sleep(200);
    left = programsWith(folder);
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
