/** Programs that go on running in a node: the edge, a daemon, the controller, a capture. */
import { type ChildProcess, spawn as spawnChild } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CommandOptions,
  endingWithCaller,
  environmentOf,
  exitCode,
  failure,
} from "./command.ts";
import { entering, type Reach } from "./enter.ts";
import { type Lab, logOf, noteOutside } from "./lab.ts";
import { childrenOf, endGroup, identify, until } from "./process-identity.ts";

export interface SpawnOptions extends Pick<CommandOptions, "env" | "cwd"> {
  /** Where stdout and stderr are appended; `NODE/PROGRAM.log` in the lab's folder by default. */
  readonly log?: string;
  readonly reach?: Reach;
}

export interface LabProcess {
  readonly node: string;
  readonly argv: readonly string[];
  readonly log: string;
  /** Its pid as the root namespace sees it. */
  readonly pid: number;
  /** Exit status, as in `CommandResult`. Never rejects. */
  readonly exited: Promise<number>;
  /** Signals the program itself. */
  kill(signal: NodeJS.Signals): void;
  /** Asks it to end (SIGTERM), ends it and its process group after `graceMs`. @returns status. */
  stop(graceMs?: number): Promise<number>;
}

/**
 * Starts a program in a node. It ends with the machine; with `reach: "network"`, by `down`.
 * @throws LabError when the node is down or the program cannot be started
 */
export async function spawn(
  lab: Lab,
  node: string,
  argv: readonly string[],
  options: SpawnOptions = {},
): Promise<LabProcess> {
  const { env, cwd = "/", reach = "machine" } = options;
  const log = options.log ?? logOf(lab, node, basename(argv[0] ?? ""));
  const line = entering(lab, node, argv, { reach, cwd });
  // The machine's end is not its own.
  const isTied = reach === "network" && !lab.outlives;
  const [program = "", ...args] = isTied ? endingWithCaller("TERM", line) : line;
  const fd = openSync(log, "a");
  const child = spawnChild(program, args, {
    env: environmentOf(env),
    detached: true,
    stdio: ["ignore", fd, fd],
  });
  closeSync(fd);
  const { running, exited } = watch(child);
  if (child.pid === undefined) {
    await exited;
    throw failure(node, argv, "cannot be started", "no nsenter");
  }
  const pid = await programOf(child.pid, reach, running);
  if (pid === undefined) throw failure(node, argv, "ended immediately", await tail(log));
  const self = identify(pid);
  if (reach === "network" && self) noteOutside(lab, self);
  return toHandle({ node, argv, log, pid, exited }, child.pid, running);
}

function watch(child: ChildProcess) {
  let ended = false;
  const exited = new Promise<number>((resolve) => {
    const end = (code: number) => {
      ended = true;
      resolve(code);
    };
    child.once("error", () => end(127));
    child.once("exit", (code, signal) => end(exitCode(code, signal)));
  });
  return { running: () => !ended, exited };
}

/**
 * Entering a PID namespace takes a fork: nsenter waits outside for the program. Signals go to the
 * program itself, for nsenter would end immediately while the program still takes its leave.
 */
async function programOf(outer: number, reach: Reach, running: () => boolean) {
  if (reach === "network") return outer;
  await until(() => childrenOf(outer).length > 0 || !running(), 60_000);
  return childrenOf(outer)[0];
}

function toHandle(
  facts: Omit<LabProcess, "kill" | "stop">,
  outer: number,
  running: () => boolean,
): LabProcess {
  const kill = (signal: NodeJS.Signals) => {
    // As long as its parent waits for it, the number is its own.
    if (running()) process.kill(facts.pid, signal);
  };
  const stop = async (graceMs = 5_000) => {
    kill("SIGTERM");
    const patience = new AbortController();
    const end = facts.exited.finally(() => patience.abort());
    await sleep(graceMs, undefined, { signal: patience.signal }).catch(() => undefined);
    if (running()) await endGroup(outer);
    return end;
  };
  return { ...facts, kill, stop };
}

const tail = async (log: string) => (await readFile(log, "utf8")).slice(-2000);

/**
 * Waits until a program's log matches.
 * @returns the log so far
 * @throws LabError with the log's end when the program ends before, or after `timeout` ms
 */
export async function logged(
  { node, argv, log, exited }: LabProcess,
  pattern: RegExp,
  timeout = 60_000,
): Promise<string> {
  let status: number | undefined;
  void exited.then((code) => {
    status = code;
  });
  const end = performance.now() + timeout;
  for (;;) {
    const ended = status;
    const text = await readFile(log, "utf8");
    if (pattern.test(text)) return text;
    if (ended !== undefined) throw failure(node, argv, `ended with ${ended}`, await tail(log));
    if (performance.now() > end) throw failure(node, argv, `never printed ${pattern}`, text);
    await sleep(5);
  }
}
