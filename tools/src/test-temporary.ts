/** Where tests put their files: in memory, where the machine has room for that. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

/** Where Linux keeps shared memory: a file system in memory that everyone may write to. */
const sharedMemory = "/dev/shm";
const prefix = "weft-tests-";

/** Bytes. Several times the data folders of all test files that run at the same time. */
const minFreeBytes = 6 * 1024 ** 3;

/** Where such folders go, and how much room there is. */
export interface Memory {
  /** Folder in which runs make theirs. */
  readonly folder: string;
  /** Bytes that the machine, or the container, can still give. */
  readonly available: number;
  /** As /proc/mounts. */
  readonly mounts: string;
}

/**
 * Makes a folder in memory for the files of a test run, which ends with this process. Databases of
 * tests write and sync as in earnest: on a disk, a test that starts some took twice the processor time
 * and waited for the disk besides.
 * @returns null where there is no such file system, it is small, or programs may not run from it
 */
export function folderInMemory({ folder, available, mounts }: Memory): string | null {
  if (!mayRun(folder, mounts)) return null;
  const { bavail, bsize } = statfsSync(folder);
  if (Math.min(available, bavail * bsize) < minFreeBytes) return null;
  sweep(folder);
  const own = path.join(folder, `${prefix}${process.pid}`);
  mkdirSync(own, { recursive: true });
  // PostgreSQL runs under another user, which passes through.
  chmodSync(own, 0o711);
  process.once("exit", () => rmSync(own, { recursive: true, force: true }));
  return own;
}

/** Whether it is a mounted file system in memory from which programs may run. */
function mayRun(folder: string, mounts: string): boolean {
  const lines = mounts.split("\n").map((line) => line.split(" "));
  // Of several on one folder the last is the one that is seen.
  const found = lines.findLast(([, where]) => where === folder);
  const [, , type, options = ""] = found ?? [];
  return type === "tmpfs" && !options.split(",").some((one) => ["noexec", "ro"].includes(one));
}

/** Removes what runs left that were killed. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Gives this process and those that it starts such a folder, unless one was named by TMPDIR.
 * @returns the folder; null: none was made
 */
export function useMemoryForFiles(): string | null {
  if (process.env.TMPDIR !== undefined || process.platform !== "linux") return null;
  const mounts = readFileSync("/proc/mounts", "utf8");
  const available = process.availableMemory();
  const folder = folderInMemory({ folder: sharedMemory, available, mounts });
  if (folder !== null) process.env.TMPDIR = folder;
  return folder;
}

/**
 * The same for a run that has to know which programs are its own: where there is no room in memory, or a folder was
 * named, it gets one of its own on that disk.
 * @returns the folder, which is this process's TMPDIR
 */
export function useOwnTemporary(): string {
  const inMemory = useMemoryForFiles();
  if (inMemory !== null) return inMemory;
  const own = mkdtempSync(path.join(os.tmpdir(), prefix));
  chmodSync(own, 0o711);
  process.once("exit", () => rmSync(own, { recursive: true, force: true }));
  process.env.TMPDIR = own;
  return own;
}
