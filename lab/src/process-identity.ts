/**
 * Who a process is. A pid alone is used again by the kernel; with its start time it is not, so
 * nothing here ever signals a process that only happens to have the number of one of ours.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since the boot (proc(5), `stat` field 22). */
  readonly start: number;
}

/** One word for each boot of the machine: start times count from it. */
export const bootId = (): string =>
  readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trimEnd();

/** @returns undefined when no such process runs; one that only waits to be reaped does not. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold blanks and brackets itself; fields are counted behind it.
    const [state = "X", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return "ZX".includes(state) ? undefined : { pid, start: Number(fields[18]) };
  } catch {
    return undefined;
  }
}

export const isRunning = (process: ProcessIdentity): boolean =>
  identify(process.pid)?.start === process.start;

export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}

/** Every process that lives in the PID namespace of `init`, itself included. */
export function membersOf(init: number): ProcessIdentity[] {
  const namespace = (pid: number) => {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`);
    } catch {
      return "";
    }
  };
  const own = namespace(init);
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && own !== "" && namespace(pid) === own)
    .flatMap((pid) => identify(pid) ?? []);
}

/** Signals a process if it is still the same one. */
export function signal(process_: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isRunning(process_)) return;
  try {
    process.kill(process_.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Waits until `done` holds, looking every 2 ms. @returns whether it did within `timeout` ms. */
export async function until(done: () => boolean, timeout: number): Promise<boolean> {
  const end = performance.now() + timeout;
  while (!done()) {
    if (performance.now() > end) return false;
    await sleep(2);
  }
  return true;
}

/** @returns those that still run after `timeout` ms. */
export async function allGone(
  processes: readonly ProcessIdentity[],
  timeout: number,
): Promise<readonly ProcessIdentity[]> {
  await until(() => !processes.some(isRunning), timeout);
  return processes.filter(isRunning);
}
