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

/** One id for each boot of the machine: start times count from it. */
export const bootId = (): string =>
  readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trimEnd();

/** The fields of `stat` after the name: state, parent, process group and so on (field 3 on). */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold blanks and brackets itself.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** @returns undefined when no such process runs; one that only waits to be reaped does not. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = statOf(pid);
  return "ZX".includes(stat[0] ?? "X") ? undefined : { pid, start: Number(stat[19]) };
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

const everyPid = () =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);

/** Every process that lives in the PID namespace of `init`, itself included. */
export function membersOf(init: number): ProcessIdentity[] {
  const namespace = (pid: number) => {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`);
    } catch {
      return "";
    }
  };
  const text = namespace(init);
  return everyPid()
    .filter((pid) => text !== "" && namespace(pid) === text)
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

/**
 * Ends a process and all that it started in its own process group. The leader comes last and has a
 * moment to end by itself: as nsenter it reaps the program that it waits for, and a program whose
 * nsenter is gone would be seen dead in its machine until a process outside reaps it.
 */
export async function endGroup(leader: number): Promise<void> {
  const self = identify(leader);
  const others = () =>
    everyPid()
      .filter((pid) => pid !== leader && statOf(pid)[2] === String(leader))
      .flatMap((pid) => identify(pid) ?? []);
  // One of them may just have started another.
  await until(() => {
    const left = others();
    for (const processIdentity of left) signal(processIdentity, "SIGKILL");
    return left.length === 0;
  }, 2_000);
  if (!self || (await allGone([self], 100)).length === 0) return;
  signal(self, "SIGKILL");
  await allGone([self], 2_000);
}
