/** Programs that a bench measures or measures against, each a child of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { within } from "./waiting.ts";

/** The root of the project. */
export const root: string = resolve(import.meta.dirname, "../..");

export interface Child {
  readonly pid: number;
  /** Ends it and resolves when it is gone. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const running = new Map<number, ChildProcess>();

/** Kills all children except these, which their starters end in order. */
export async function killChildren(except: readonly number[]): Promise<void> {
  const rest = [...running].filter(([pid]) => !except.includes(pid));
  await Promise.all(rest.map(([, child]) => end(child, "SIGKILL")));
}

/** Starts a Node program with its output in `log`; it ends with this process at the latest. */
export function startChild(
  args: readonly string[],
  log: string,
  env: Readonly<Record<string, string>> = {},
): Child {
  const output = openSync(log, "a");
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  if (child.pid === undefined) throw new Error(`${args[0]} could not be started`);
  const { pid } = child;
  const atExit = (): void => void child.kill("SIGKILL");
  process.once("exit", atExit);
  running.set(pid, child);
  child.once("exit", () => {
    process.off("exit", atExit);
    running.delete(pid);
  });
  return { pid, stop: (signal = "SIGTERM") => end(child, signal) };
}

/** Ms that a program has to end: a controller ends its calls, its engines and its PostgreSQL first. */
const endMs = 120_000;

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await within(`the end of ${child.spawnargs.slice(1, 3).join(" ")}`, endMs, gone);
}

/**
 * Waits until the log says it, and gives the first group.
 * @throws Error with the log's end when it does not within `limitMs`
 */
export async function printed(log: string, pattern: RegExp, limitMs = 60_000): Promise<string> {
  const until = performance.now() + limitMs;
  for (;;) {
    const text = readFileSync(log, "utf8");
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`no ${pattern} in: ${text.slice(-2_000)}`);
    await sleep(50);
  }
}

/** A bare server of this folder (`bare-fastify.ts`, `bare-ws.ts`) on a free port. */
export async function startBare(
  program: "bare-fastify.ts" | "bare-ws.ts",
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Child & { readonly port: number }> {
  const log = join(folder, `${program}-${process.hrtime.bigint()}.log`);
  const child = startChild([join(import.meta.dirname, program)], log, env);
  return { ...child, port: Number(await printed(log, /port (\d+)/)) };
}
