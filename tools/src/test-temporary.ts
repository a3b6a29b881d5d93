/** Where tests put their files: in memory, where the machine has room for that. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
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

/**
 * Whether /dev/shm is in memory with room, and programs may run from it. Databases of tests write and sync as in
 * earnest: on a disk, a test that starts some took twice the processor time and waited for the disk besides.
 * @param mounts text of /proc/mounts
 * @param available bytes that the machine, or the container, can still give
 */
export function isMemoryFit(mounts: string, available: number): boolean {
  // Of several on one folder the last is the one that is seen.
  const options = [...mounts.matchAll(/^\S+ \/dev\/shm tmpfs (\S+)/gm)].at(-1)?.[1];
  if (options === undefined || /\b(noexec|ro)\b/.test(options)) return false;
  const { bavail, bsize } = statfsSync(sharedMemory);
  return Math.min(available, bavail * bsize) >= minFreeBytes;
}

/** Makes a folder for the files of this process and what it starts, which ends with it; removes those of killed runs. */
export function ownFolder(base: string): string {
  for (const name of existsSync("/proc/self") ? readdirSync(base) : []) {
    const [, pid] = /^weft-tests-(\d+)$/.exec(name) ?? [];
    const isGone = pid !== undefined && !existsSync(`/proc/${pid}`);
    if (isGone) rmSync(path.join(base, name), { recursive: true, force: true });
  }
  const text = path.join(base, `${prefix}${process.pid}`);
  mkdirSync(text, { recursive: true });
  // PostgreSQL runs under another user, which passes through.
  chmodSync(text, 0o711);
  process.once("exit", () => rmSync(text, { recursive: true, force: true }));
  return text;
}

/**
 * Gives a run a folder of its own: in TMPDIR, or in memory where none is named.
 * @returns the folder, which is then TMPDIR; that of the run that started this process, if one did
 */
export function useOwnTemporary(): string {
  const given = process.env.TMPDIR;
  if (given !== undefined && path.basename(given).startsWith(prefix)) return given;
  const inMemory =
    given === undefined &&
    process.platform === "linux" &&
    isMemoryFit(readFileSync("/proc/mounts", "utf8"), process.availableMemory());
  process.env.TMPDIR = ownFolder(inMemory ? sharedMemory : os.tmpdir());
  return process.env.TMPDIR;
}
