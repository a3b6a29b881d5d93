import { execFile } from "node:child_process";
import { link, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./cluster.ts";

/** Content of `postmaster.pid` of a data folder (PostgreSQL's miscadmin.h, LOCK_FILE_LINE_*). */
export interface PidFile {
  /** 0 when the file is empty: a server is just writing it, or a power cut emptied it. */
  readonly pid: number;
  /** Undefined while the server has not written it yet. */
  readonly port: number | undefined;
}

const pathIn = (data: string): string => join(data, "postmaster.pid");

/** Reads the file; undefined when there is none, which means that no server runs. */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(pathIn(data), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const port = Number(lines[3]);
  return {
    // A standalone server writes its id negative.
    pid: Math.abs(Number(lines[0])) || 0,
    port: Number.isInteger(port) && port > 0 ? port : undefined,
  };
}

/**
 * Whether the process is a PostgreSQL on this data folder. After a reboot the id may belong to
 * any other program.
 */
export async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  return command.includes("postgres") && command.includes(data);
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === "linux") {
    return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  }
  return new Promise((resolve) => {
    execFile("ps", ["-o", "command=", "-p", String(pid)], (error, stdout) =>
      resolve(error ? "" : stdout),
    );
  });
}

/**
 * Takes away a file that is empty or whose process id now belongs to another program: PostgreSQL
 * itself would take either for a running server and refuse to start. Does nothing if the file changed
 * meanwhile.
 */
export async function removeStale(data: string, stale: PidFile): Promise<void> {
  const aside = `${pathIn(data)}.stale-${process.pid}`;
  await rename(pathIn(data), aside).catch(() => undefined);
  const taken = Number((await readFile(aside, "utf8").catch(() => "")).split("\n")[0]);
  // Another start may have put its own file there between the check and the rename: give it back.
  if (taken && Math.abs(taken) !== stale.pid)
    await link(aside, pathIn(data)).catch(() => undefined);
  await rm(aside, { force: true });
}
