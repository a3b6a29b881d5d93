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
  /** Pass it through, but not as a terminal: commands beside each other would draw over each other. */
  plain?: boolean;
}

export interface Outcome {
  /** Exit code; 128 + the signal's number when a signal ended the command, as in a shell. */
  code: number;
  ms: number;
  /** Both streams in order of arrival; empty without `capture`. */
  output: string;
}

const running = new Set<ChildProcess>();
const signals = ["SIGINT", "SIGTERM"] as const;
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

/** True once this process was told to end: anyone who runs a list of commands stops there. */
export function isEnding(): boolean {
  return ended !== undefined;
}

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
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", output, output],
  });
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
