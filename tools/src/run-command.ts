import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./repository.ts";

export interface CommandOptions {
  cwd?: string;
  /** Added to this process's environment. */
  env?: Record<string, string>;
  /** Keep what the command prints for `output` instead of passing it through. */
  capture?: boolean;
  /** The command and all that it started are ended after this time. */
  limitMs?: number;
}

export interface Outcome {
  /** Exit code; 128 + the signal's number when a signal ended the command, as in a shell. */
  code: number;
  ms: number;
  /** Both streams in order of arrival; empty without `capture`. */
  output: string;
  /** True if it was ended at its limit. */
  isLate: boolean;
}

const running = new Set<ChildProcess>();
let holders = 0;
// SIGHUP too: a command has a process group of its own, which a closed terminal does not reach.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let ended = false;
const whenEnded = Promise.withResolvers<void>();

/** Time to stop servers, browsers and namespaces between SIGTERM and SIGKILL. */
export const graceMs = 30_000;

/** Kills a command with all that is left in its process group (kill(2)). */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended meanwhile.
  }
}

// npm passes a signal to this process only. Passing it on lets every command end itself, instead of
// leaving a test server or a browser behind.
function passOn(signal: NodeJS.Signals): void {
  process.exitCode = 128 + os.constants.signals[signal];
  for (const child of running) child.kill(signal);
  if (!ended) setTimeout(killAll, graceMs).unref();
  ended = true;
  whenEnded.resolve();
}

/** Of what hangs, and of a process that ends by an error of its own. */
function killAll(): void {
  for (const child of running) killGroup(child);
}

/** From now on a signal ends the commands, and this process when it asks `isEnding`. */
export function holdSignals(): void {
  holders += 1;
  if (holders > 1) return;
  for (const signal of signals) process.on(signal, passOn);
  process.on("exit", killAll);
}

/** A server that is started in this process afterwards has its own way out. */
function releaseSignals(): void {
  holders -= 1;
  if (holders > 0) return;
  for (const signal of signals) process.off(signal, passOn);
  process.off("exit", killAll);
}

/** True once this process received a signal to end: a list of commands stops there. */
export const isEnding = (): boolean => ended;

/** Resolves some time after such a signal. */
export const afterSignal = (ms: number): Promise<void> => whenEnded.promise.then(() => sleep(ms));

/**
 * Runs one command to its end; argv[0] is the program. Rejects only when it cannot be started.
 * It gets no stdin, so that nothing can wait for an answer.
 */
export async function runCommand(
  argv: readonly [string, ...string[]],
  { cwd = root, env = {}, capture = false, limitMs }: CommandOptions = {},
): Promise<Outcome> {
  const [program, ...args] = argv;
  const started = performance.now();
  // A file and no pipe: what the command left behind may hold a pipe for ever.
  const folder = capture ? mkdtempSync(path.join(os.tmpdir(), "weft-output-")) : "";
  const file = path.join(folder, "output");
  const output = capture ? openSync(file, "a") : "inherit";
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
    // A group of its own, so that a limit also reaches what the command started.
    detached: true,
    // Sends SIGTERM to the command, which ends what it started.
    timeout: limitMs && Math.ceil(limitMs),
  });
  const kill = limitMs && setTimeout(() => killGroup(child), limitMs + graceMs);
  holdSignals();
  running.add(child);
  try {
    const [exit, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    const ms = performance.now() - started;
    return {
      code: exit ?? 128 + (signal ? os.constants.signals[signal] : 0),
      ms,
      output: capture ? readFileSync(file, "utf8") : "",
      isLate: limitMs !== undefined && ms >= limitMs,
    };
  } finally {
    clearTimeout(kill);
    // Whatever it left in its group would write on beside the next command.
    killGroup(child);
    running.delete(child);
    releaseSignals();
    if (typeof output === "number") closeSync(output);
    if (capture) rmSync(folder, { recursive: true });
  }
}
