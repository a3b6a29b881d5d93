/** Programs that tests started and did not end. */
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface LeftBehind {
  readonly pid: number;
  /** Its arguments, separated by spaces. */
  readonly command: string;
}

/** A file of proc(5); empty when the program has ended. */
function fileOf(pid: number, name: "cmdline" | "limits"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** All programs but this process and its parent. */
const others = (): LeftBehind[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && pid !== process.ppid)
    .map((pid) => ({ pid, command: fileOf(pid, "cmdline").replaceAll("\0", " ").trim() }));

/** Programs whose arguments name a folder: what a command has left running there. */
export const programsIn = (folder: string): LeftBehind[] =>
  others().filter(({ command }) => command.includes(folder));

/**
 * Marks this process and all that it starts from now on, by the soft limit of file locks: Linux does not use it
 * (getrlimit(2)), and every program inherits it, whatever its environment, session, user, parent and namespaces are.
 * @returns the mark
 */
export function markOwn(): string {
  const mark = String(randomInt(2 ** 47));
  execFileSync("prlimit", ["--pid", String(process.pid), `--locks=${mark}:`]);
  return mark;
}

/** Programs with this mark that still run; one that has ended and was not waited for has no arguments. */
export const programsWith = (mark: string): LeftBehind[] =>
  others().filter(
    ({ pid, command }) =>
      command !== "" && /^Max file locks +(\d+)/m.exec(fileOf(pid, "limits"))?.[1] === mark,
  );

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

/**
 * Takes a folder for the run of this process, until it ends. Of two that begin at the same moment both may be refused.
 * What is left of a run that was killed is ended.
 * @param mark of this process
 * @throws Error that names the run which has the folder
 */
export async function takeFolder(folder: string, mark: string): Promise<void> {
  const own = path.join(folder, `run-${mark}-${process.pid}`);
  process.once("exit", () => rmSync(own, { force: true }));
  // Each run has a file of its own, and writes it before it looks for others: no file is ever taken over.
  writeFileSync(own, "");
  for (const name of readdirSync(folder)) {
    const [, other = "", pid] = /^run-(\d+)-(\d+)$/.exec(name) ?? [];
    if (other === "" || other === mark) continue;
    if (programsWith(other).some((program) => program.pid === Number(pid))) {
      throw new Error(`process ${pid} is running tests here, in ${folder}: wait for it, or end it`);
    }
    await endLeftBehind(() => programsWith(other), 0);
    rmSync(path.join(folder, name), { force: true });
  }
}
