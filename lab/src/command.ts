import { spawn } from "node:child_process";
import { constants } from "node:os";
import { LabError } from "./lab-error.ts";
import { endGroup } from "./process-identity.ts";

export interface CommandResult {
  /** Exit status; 128 + the signal's number when a signal ended it, as shells say it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Written to its stdin, which is empty otherwise. */
  readonly input?: string;
  /** Milliseconds, 30 000 by default. */
  readonly timeout?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const compileCache = process.env.NODE_COMPILE_CACHE;

/**
 * What a freshly started machine has. The caller's own environment never reaches a command, but for where Node
 * keeps what it compiled: a lab starts dozens of edges.
 */
const machineEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  LANG: "C.UTF-8",
  ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
};

export const environmentOf = (env: Readonly<Record<string, string>> = {}) => ({
  ...machineEnvironment,
  ...env,
});

export const exitCode = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/** For messages: where it ran, what it was, and the end of its stderr. */
export const failure = (where: string, argv: readonly string[], how: string, stderr: string) =>
  new LabError(`${where}: ${argv.join(" ")} ${how}${stderr && `: ${stderr.trim().slice(-2000)}`}`);

/**
 * Runs a command to its end. The result is all its output, also with an exit status other than 0.
 * It ends when its output is closed: a daemon that keeps stdout open counts as running.
 *
 * @param where for the messages: a node, or "root" for the root namespace
 * @param shown the command as the messages show it, when `argv` carries a prefix such as nsenter
 * @throws LabError when it cannot be started or takes longer than its timeout (it is ended then)
 */
export function command(
  where: string,
  argv: readonly string[],
  { input, timeout = 60_000, env, cwd = "/" }: CommandOptions = {},
  shown: readonly string[] = argv,
): Promise<CommandResult> {
  const [program = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const stdio = [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
    // A process group of its own, so that a timeout ends the command and not only its prefix.
    const child = spawn(program, args, {
      cwd,
      env: environmentOf(env),
      detached: true,
      stdio: [...stdio],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString();
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    // Not every command reads all of its input; what matters is how it ends.
    child.stdin?.on("error", () => undefined).end(input);
    let late = false;
    const end = async () => {
      late = true;
      if (child.pid !== undefined) await endGroup(child.pid);
      // A daemon that left the group would keep its output open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      throw failure(where, shown, `took longer than ${timeout} ms`, text(err));
    };
    const timer = setTimeout(() => end().catch(reject), timeout);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(failure(where, shown, "cannot be started", error.message));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (late) return;
      resolve({ code: exitCode(code, signal), stdout: text(out), stderr: text(err) });
    });
  });
}

/** The same for commands that must succeed. @returns stdout. @throws LabError on another status. */
export async function mustCommand(
  where: string,
  argv: readonly string[],
  options: CommandOptions = {},
  shown: readonly string[] = argv,
): Promise<string> {
  const { code, stdout, stderr } = await command(where, argv, options, shown);
  if (code === 0) return stdout;
  // Some tools (ping, dhclient) complain on stdout only.
  throw failure(where, shown, `ended with ${code}`, stderr.trim() === "" ? stdout : stderr);
}

/** The command line of a process that the kernel ends with its caller (PR_SET_PDEATHSIG, prctl(2)). */
export const endingWithCaller = (
  name: "KILL" | "TERM",
  argv: readonly string[],
): readonly string[] => ["setpriv", "--pdeathsig", name, ...argv];
