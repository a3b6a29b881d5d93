import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import os from "node:os";
import { performance } from "node:perf_hooks";
import { root } from "./repository.ts";

export interface CommandOptions {
  cwd?: string;
  /** Added to this process's environment. */
  env?: Record<string, string>;
  /** Keep what the command prints for `output` instead of passing it through. */
  capture?: boolean;
  /** Pass it through, but not as a terminal: commands beside each other would draw over each other. */
  plain?: boolean;
  /** Lets everything else on the machine go first, whenever both have something to compute. */
  yields?: boolean;
}

export interface Outcome {
  /** Exit code; 128 + the signal's number when a signal ended the command, as in a shell. */
  code: number;
  ms: number;
  /** Both streams in order of arrival; empty without `capture`. */
  output: string;
}

const running = new Set<ChildProcess>();
// SIGHUP too: a command that yields has a session of its own, which a closed terminal does not reach.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let ended: NodeJS.Signals | undefined;

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
 * Starts a command with a lower priority than the rest. nice(1) alone is not enough: where the kernel
 * groups tasks by session (autogroup, sched(7)), a nice value counts within its session only, and
 * every session gets the same share. The session has a nice value of its own there.
 */
function spawnYielding(argv: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn("nice", ["-n", `${niceness}`, ...argv], { ...options, detached: true });
  const group = `/proc/${child.pid}/autogroup`;
  if (child.pid !== undefined && existsSync(group)) writeFileSync(group, `${niceness}`);
  return child;
}

/** A tenth of the weight that a process has by default. */
const niceness = 10;

/**
 * Runs one command to its end; argv[0] is the program. Rejects only when it cannot be started.
 * It gets no stdin, so that nothing can wait for an answer.
 */
export async function runCommand(
  argv: readonly [string, ...string[]],
  options: CommandOptions = {},
): Promise<Outcome> {
  const [program, ...args] = argv;
  const started = performance.now();
  const output = options.capture || options.plain ? "pipe" : "inherit";
  const how: SpawnOptions = {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", output, output],
  };
  const child = options.yields ? spawnYielding(argv, how) : spawn(program, args, how);
  remember(child);
  const chunks: Buffer[] = [];
  if (options.capture) {
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  } else {
    child.stdout?.pipe(process.stdout, { end: false });
    child.stderr?.pipe(process.stderr, { end: false });
  }
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (exit, signal) => {
        resolve(exit ?? 128 + (signal ? os.constants.signals[signal] : 0));
      });
    });
    return { code, ms: performance.now() - started, output: Buffer.concat(chunks).toString() };
  } finally {
    forget(child);
  }
}
