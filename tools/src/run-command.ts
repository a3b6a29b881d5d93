import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import { performance } from "node:perf_hooks";
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
// SIGHUP too: a command has a process group of its own, which a closed terminal does not reach.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let ended: NodeJS.Signals | undefined;

/** Time to stop servers, browsers and namespaces between SIGTERM and SIGKILL. */
const graceMs = 30_000;

/** Signals a command and what it started in its process group (kill(2)). */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended meanwhile.
  }
}

// npm passes a signal to this process only. Passing it on lets every command end itself, instead of
// leaving a test server or a browser behind.
function passOn(signal: NodeJS.Signals): void {
  ended = signal;
  process.exitCode = 128 + os.constants.signals[signal];
  for (const child of running) child.kill(signal);
}

// Signals are ours only while a command runs: a server started in this process has its own way out.
function remember(child: ChildProcess): void {
  if (running.size === 0) for (const signal of signals) process.on(signal, passOn);
  running.add(child);
}

function forget(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) for (const signal of signals) process.off(signal, passOn);
}

/** True once this process received a signal to end: a list of commands stops there. */
export function isEnding(): boolean {
  return ended !== undefined;
}

/**
 * Runs one command to its end; argv[0] is the program. Rejects only when it cannot be started.
 * It gets no stdin, so that nothing can wait for an answer, and no terminal: commands in parallel would
 * draw over each other.
 */
export async function runCommand(
  argv: readonly [string, ...string[]],
  options: CommandOptions = {},
): Promise<Outcome> {
  const [program, ...args] = argv;
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a limit also reaches what the command started.
    detached: true,
  });
  remember(child);
  const chunks: Buffer[] = [];
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    if (options.capture) from.on("data", (chunk: Buffer) => chunks.push(chunk));
    else from.pipe(to, { end: false });
  }
  let isLate = false;
  const timers: NodeJS.Timeout[] = [];
  if (options.limitMs !== undefined) {
    const end = (): void => {
      isLate = true;
      child.kill("SIGTERM");
      timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), graceMs));
    };
    timers.push(setTimeout(end, options.limitMs));
  }
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      // Not "close": a program that the command left behind may hold its streams for ever.
      child.once("exit", (exit, signal) => {
        resolve(exit ?? 128 + (signal ? os.constants.signals[signal] : 0));
      });
    });
    await streamsEnded(child);
    const output = Buffer.concat(chunks).toString();
    return { code, ms: performance.now() - started, output, isLate };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // Whatever it left in its group would write on beside the next command.
    signalGroup(child, "SIGKILL");
    forget(child);
  }
}

/** How long the last output of an ended command may take to arrive. */
const outputMs = 5_000;

/** Waits for the end of both streams, but not for those who inherited them and stay. */
async function streamsEnded(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream?.readableEnded === false);
  const ends = streams.map((stream) => new Promise((resolve) => stream?.once("close", resolve)));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, outputMs);
  });
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(timer);
}
