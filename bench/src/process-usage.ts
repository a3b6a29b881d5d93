/** Resource usage of processes as the kernel reports it (proc(5)). Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second: Linux gives user space 100 on every architecture (proc(5), sysconf(3)). */
const ticks = 100;

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (found === undefined) throw new Error(`process ${pid} says nothing of its memory`);
  return Number(found) * 1_024;
}

/** Fields of /proc/PID/stat after the name, which may contain any character. */
function fieldsOf(pid: number | string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? null;
  } catch {
    return null;
  }
}

const cpuOf = (fields: readonly string[]): number => Number(fields[11]) + Number(fields[12]);

/**
 * CPU seconds that a process and its running children have used, and its children that ended and
 * were waited for.
 */
export function cpuSeconds(pid: number): number {
  const own = fieldsOf(pid);
  if (!own) throw new Error(`no process ${pid}`);
  let sum = cpuOf(own) + Number(own[13]) + Number(own[14]);
  for (const name of readdirSync("/proc")) {
    const fields = /^\d+$/.test(name) ? fieldsOf(name) : null;
    if (fields && Number(fields[1]) === pid) sum += cpuOf(fields);
  }
  return sum / ticks;
}

/**
 * CPU ms of the processes of a PostgreSQL by what they serve, which is the second word of their titles: the role
 * ("postgres: weft_gateway weft 127.0.0.1(5) idle"), or "checkpointer", "walwriter" and their like.
 */
export function serversByRole(postmaster: number): ReadonlyMap<string, number> {
  const byRole = new Map<string, number>();
  for (const name of readdirSync("/proc")) {
    const fields = /^\d+$/.test(name) ? fieldsOf(name) : null;
    if (!fields || Number(fields[1]) !== postmaster) continue;
    const role = roleOf(name);
    if (role === null) continue;
    byRole.set(role, (byRole.get(role) ?? 0) + (1_000 / ticks) * cpuOf(fields));
  }
  return byRole;
}

/** Null: it ended meanwhile. */
function roleOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split(" ")[1] ?? "";
  } catch {
    return null;
  }
}
