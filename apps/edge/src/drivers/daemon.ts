/**
 * Programs that outlive the edge: started in a session of their own, known by a record of process
 * id and start time, adopted by the next edge. Records live in a folder that a reboot empties.
 */
import { spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Argv, toolEnv } from "./exec.ts";
import { replaceFile } from "./replace-file.ts";

export interface DaemonRecord {
  readonly pid: number;
  /** Field 22 of /proc/pid/stat (proc(5)): with it a process id that was used again is noticed. */
  readonly startTime: string;
  readonly argv: Argv;
  /** What the driver noted about it. */
  readonly want: unknown;
}

/** Fields after the command's closing bracket, because the name may hold blanks. */
const statOf = (pid: number): string[] | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
};

/** Also of a child that has ended already, as long as its status was not collected. */
const startTimeOf = (pid: number): string | null => statOf(pid)?.[19] ?? null;

const isAlive = ({ pid, startTime }: DaemonRecord): boolean => {
  const stat = statOf(pid);
  // A zombie has ended; only its status was not collected yet.
  return stat !== null && stat[0] !== "Z" && stat[0] !== "X" && stat[19] === startTime;
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
};

/**
 * Ends what an ended daemon left running in its session. The number of a session is given to no process as long as one of
 * its members lives, so an unrelated leader has a session of its own.
 */
const endSession = ({ pid, startTime }: DaemonRecord): void => {
  const leader = startTimeOf(pid);
  if (leader !== null && leader !== startTime) return;
  for (const name of readdirSync("/proc")) {
    const member = Number(name);
    if (Number.isInteger(member) && statOf(member)?.[3] === `${pid}`) signal(member, "SIGKILL");
  }
};

/** More starts of one daemon within this time are a loop: it ends each time it is started. */
const startLimit = { starts: 5, withinMs: 60_000 } as const;
/** The folder is memory on most machines: a log is emptied when it is longer. Bytes. */
const maxLog = 1_000_000;

/** Daemons by name; names are file names. */
export class Daemons {
  readonly #dir: string;
  readonly #now: () => number;
  /** When each was started lately, ms on `now`. */
  readonly #starts = new Map<string, number[]>();

  /** @param now ms on a clock that only goes forward */
  constructor(dir: string, now: () => number = () => performance.now()) {
    this.#dir = dir;
    this.#now = now;
    mkdirSync(dir, { recursive: true, mode: 0o755 });
  }

  #file(name: string): string {
    return join(this.#dir, `${name}.json`);
  }

  names(prefix: string): string[] {
    return readdirSync(this.#dir)
      .filter((file) => file.startsWith(prefix) && file.endsWith(".json"))
      .map((file) => file.slice(0, -".json".length));
  }

  /** Null when there is none, or when it cannot be read: then it is started again. */
  record(name: string): DaemonRecord | null {
    try {
      return JSON.parse(readFileSync(this.#file(name), "utf8")) as DaemonRecord;
    } catch {
      return null;
    }
  }

  isAlive(name: string): boolean {
    const record = this.record(name);
    return record !== null && isAlive(record);
  }

  #write(name: string, record: DaemonRecord): void {
    replaceFile(this.#file(name), JSON.stringify(record), 0o600);
  }

  #log(name: string): string {
    return join(this.#dir, `${name}.log`);
  }

  /** Throws when it was started too often lately; what it printed last is in the message. */
  #countStart(name: string): void {
    const now = this.#now();
    const { starts, withinMs } = startLimit;
    const lately = (this.#starts.get(name) ?? []).filter((at) => now - at < withinMs);
    if (lately.length >= starts)
      throw new Error(`${name} ended ${starts} times within a minute: ${this.lastOutput(name)}`);
    this.#starts.set(name, [...lately, now]);
  }

  /**
   * Starts it, unless it runs. Its output goes to a log beside the record, emptied at each start.
   * Throws when it cannot be started, and while it ends again and again.
   */
  start(name: string, argv: Argv, want: unknown, env: Record<string, string> = {}): void {
    const before = this.record(name);
    if (before && isAlive(before)) return;
    if (before) endSession(before);
    this.#countStart(name);
    const [tool, ...args] = argv;
    rmSync(this.#log(name), { force: true });
    // Appended to, so that emptying it does not leave a hole as long as what went.
    const log = openSync(this.#log(name), "a", 0o600);
    try {
      const child = spawn(tool, args, {
        detached: true,
        stdio: ["ignore", log, log],
        env: toolEnv(env),
      });
      child.on("error", () => {});
      child.unref();
      const startTime = child.pid === undefined ? null : startTimeOf(child.pid);
      if (child.pid === undefined || startTime === null)
        throw new Error(`${tool} cannot be started: ${this.lastOutput(name)}`);
      this.#write(name, { pid: child.pid, startTime, argv, want });
    } finally {
      closeSync(log);
    }
  }

  /** The end of its log, for an error message. */
  lastOutput(name: string): string {
    try {
      return readFileSync(this.#log(name), "utf8").trim().slice(-400);
    } catch {
      return "";
    }
  }

  /** Sends it a signal that it takes for a request; nothing, if it has ended. */
  signal(name: string, request: "SIGHUP"): void {
    const record = this.record(name);
    if (record && isAlive(record)) signal(record.pid, request);
  }

  /** What it printed behind a place in its log, and the place behind that; an emptied log is read from its beginning. */
  outputFrom(name: string, place: number): { readonly text: string; readonly place: number } {
    try {
      const all = readFileSync(this.#log(name));
      const from = place > all.length ? 0 : place;
      return { text: all.subarray(from).toString("utf8"), place: all.length };
    } catch {
      return { text: "", place: 0 };
    }
  }

  /** Empties the logs that have grown long. */
  trimLogs(): void {
    for (const name of this.names("")) {
      try {
        if (statSync(this.#log(name)).size > maxLog) truncateSync(this.#log(name));
      } catch {
        // It ended meanwhile, and its log with it.
      }
    }
  }

  /**
   * Ends it and forgets it; after `graceMs` with SIGKILL. With 0 only SIGKILL is sent.
   * @param stopSignal sent first
   */
  async stop(
    name: string,
    graceMs = 2_000,
    stopSignal: "SIGTERM" | "SIGALRM" = "SIGTERM",
  ): Promise<void> {
    this.#starts.delete(name);
    const record = this.record(name);
    if (record && isAlive(record)) {
      if (graceMs > 0) signal(record.pid, stopSignal);
      const until = performance.now() + graceMs;
      while (isAlive(record) && performance.now() < until) await sleep(10);
      if (isAlive(record)) endSession(record);
      while (isAlive(record) && performance.now() < until + 2_000) await sleep(10);
    } else if (record) endSession(record);
    for (const end of ["json", "log"]) rmSync(join(this.#dir, `${name}.${end}`), { force: true });
  }
}

/** Asks every few ms until it holds; throws with `what` after `timeoutMs`. */
export const waitUntil = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
  pauseMs = 10,
): Promise<void> => {
  const until = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(pauseMs);
  }
};
