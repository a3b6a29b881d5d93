/** ClickHouse inside, in a child of its own (design section 2): a crash of it costs no configuration. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { EngineReply, EngineRequest } from "./child-messages.ts";
import type { Engine } from "./engine.ts";

/** How long a child that ended waits for its next start. Pure. */

const firstMs = 2_000;
const maxMs = 60_000;
/** A child that ran for this long was well: its end is a first one. */
const wellMs = 5 * 60_000;

/**
 * A start of the engine costs seconds of a core: where it cannot run (a full disk, a folder that is gone), starts
 * one after the other would take what the rest of the controller needs.
 * @param ends how often it ended since it was last well
 * @param ranMs how long it ran this time
 * @returns the pause in ms, and the number of ends to count on from
 */
export function restartPauseMs(ends: number, ranMs: number): { ms: number; ends: number } {
  const before = ranMs >= wellMs ? 0 : ends;
  return { ms: Math.min(maxMs, firstMs * 2 ** before), ends: before + 1 };
}

const program = path.join(import.meta.dirname, "child.ts");
/** Each connection of the child holds a thread of its pool while it works; some are left for files. */
const threads = 8;
/**
 * Rows that pass through are garbage immediately: with the default space for young objects they gather
 * to 70 MB more, and are collected no cheaper.
 */
const nodeOptions = ["--max-semi-space-size=4"];
/** Longer than the engine lets a read run. */
const answerMs = 30_000;

/** What a call gets before the engine is open, which takes seconds at every start. */
export class NotOpenError extends Error {
  constructor() {
    super("the metrics store is not open");
  }
}

interface Waiting {
  resolve(rows: readonly object[]): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

export interface EmbeddedInput {
  /** Made where it is missing. One process at a time may own it. */
  readonly folder: string;
  readonly logger: Logger;
  /** The engine is open, for the first time or again. */
  opened(): void;
}

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

/** Calls reject while the child is not there; it is started again until `close`. */
export class EmbeddedEngine implements Engine {
  readonly isOwn = true;
  readonly #input: EmbeddedInput;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #isOpen = false;
  #isClosed = false;
  #next = 1;
  /** Ends since it last ran for long enough; its next start waits the longer. */
  #ends = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: EmbeddedInput) {
    this.#input = input;
    this.#open();
  }

  /** Process id of the child; null while there is none. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  command(sql: string): Promise<void> {
    return this.#request({ kind: "command", sql }).then(() => undefined);
  }

  insert(table: string, rows: readonly object[]): Promise<void> {
    return this.#request({ kind: "insert", table, rows }).then(() => undefined);
  }

  query(sql: string, parameters: Extract<EngineRequest, { kind: "query" }>["parameters"]) {
    return this.#request({ kind: "query", sql, parameters });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (child.connected) child.disconnect();
    const hard = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await gone;
    clearTimeout(hard);
  }

  #open(): void {
    this.#start().catch((error: unknown) => this.#ended({ err: error }));
  }

  async #start(): Promise<void> {
    const { folder, logger } = this.#input;
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) =>
      logger.error({ err: error }, "the folder of the metrics store could not be created"),
    );
    if (this.#isClosed) return;
    const child = fork(program, [folder], {
      env: { ...process.env, UV_THREADPOOL_SIZE: String(threads) },
      execArgv: nodeOptions,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child = child;
    this.#startedAt = performance.now();
    child.stderr?.on("data", (text) => logger.debug({ text: String(text) }, "metrics store"));
    child.on("message", (message: EngineReply) => this.#take(message));
    child.on("error", (error) => {
      logger.error({ err: error }, "metrics store");
      // One that could not be started has no id, and does not exit.
      if (child.pid === undefined) this.#ended({ err: error });
    });
    child.on("exit", (code, signal) => this.#ended({ code, signal }));
  }

  #take(message: EngineReply): void {
    if (message.kind === "open") {
      this.#isOpen = true;
      this.#input.opened();
    } else if (message.kind === "cannot") {
      this.#input.logger.error(
        { why: message.text },
        "the embedded ClickHouse cannot run on this machine: set WEFT_CLICKHOUSE_URL to an external one",
      );
      this.#child?.disconnect();
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      clearTimeout(waiting?.timer);
      if (message.kind === "done") waiting?.resolve(message.rows);
      else waiting?.reject(new Error(message.text));
    }
  }

  #ended(why: object): void {
    this.#isOpen = false;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error("the metrics store ended"));
    }
    this.#waiting.clear();
    if (this.#isClosed) return;
    const pause = restartPauseMs(this.#ends, performance.now() - this.#startedAt);
    this.#ends = pause.ends;
    this.#input.logger.warn({ ...why, pauseMs: pause.ms }, "metrics store ended; restarting it");
    this.#timer = setTimeout(() => this.#open(), pause.ms);
  }

  #request(request: Unnumbered<EngineRequest>): Promise<readonly object[]> {
    const child = this.#child;
    if (!this.#isOpen || !child?.connected) return Promise.reject(new NotOpenError());
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiting.delete(id);
        reject(new Error(`no response from the metrics store within ${answerMs} ms`));
      };
      this.#waiting.set(id, { resolve, reject, timer: setTimeout(late, answerMs) });
      child.send({ ...request, id });
    });
  }
}
