/** The one place where the drivers start a tool and wait for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

export interface RunOptions {
  /** Written to the tool's standard input, which is closed after it. */
  readonly input?: string;
  /** The tool is killed after this; 10 s by default. */
  readonly timeoutMs?: number;
  /** Network namespace by name; null: the edge's own. */
  readonly netns?: string | null;
}

export type Argv = readonly [string, ...string[]];

/** Gives standard output. Throws CommandFailed for a status other than 0, a signal or a time-out. */
export type Run = (argv: Argv, options?: RunOptions) => Promise<string>;

/** A tool that failed; the message contains its output. */
export class CommandFailed extends Error {
  readonly status: number | null;
  /** The first line of the tool's output; empty when there is none. */
  readonly text: string;
  readonly #stderr: string;

  constructor(argv: Argv, status: number | null, output: { stdout: string; stderr: string }) {
    const text = (output.stderr.trim() || output.stdout.trim() || `status ${status}`).slice(0, 800);
    super(`${argv.slice(0, 6).join(" ")}: ${text}`);
    this.name = "CommandFailed";
    this.status = status;
    this.text = (output.stderr.trim() || output.stdout.trim()).split("\n")[0] ?? "";
    this.#stderr = output.stderr;
  }

  /** All that it wrote to its standard error; no log shows it. */
  get stderr(): string {
    return this.#stderr;
  }
}

/** Tools in sbin are not in every service's path; a locale would change what they print. */
export const toolEnv = (extra: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env.PATH ?? ""}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`,
  LC_ALL: "C",
  ...extra,
});

/** Whether a tool is there to be started. */
export const hasTool = (name: string): boolean =>
  (toolEnv().PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

/** The arguments that run a command inside a network namespace (ip-netns(8)). */
export const inNetns = (netns: string | null | undefined, argv: Argv): Argv => {
  if (!netns) return argv;
  const [tool, ...rest] = argv;
  // `ip` changes the namespace itself, which saves a process and a mount namespace.
  return tool === "ip" ? ["ip", "-n", netns, ...rest] : ["ip", "netns", "exec", netns, ...argv];
};

/** How a tool ended; null: it does not end, although it was killed. */
type Ending = { readonly status: number | null; readonly signal: NodeJS.Signals | null } | null;

/** Ms for a tool that was killed to end. One that hangs in the kernel outlives SIGKILL. */
const endMs = 5_000;
/** Ms without another byte after which an ended tool's output counts as whole; a turn of the event loop lies in between. */
const quietMs = 1_000;

/**
 * Waits for a tool for its time and `endMs` at most, and for no program that it started and left behind with its output.
 * @param timeoutMs after which it is killed
 * @param count how much was read of its output so far; null: nobody reads it
 */
const endOf = (
  child: ChildProcess,
  timeoutMs: number,
  count: (() => number) | null,
): Promise<Ending> =>
  new Promise((resolve, reject) => {
    let ending: Ending = null;
    let read = -1;
    const finish = (): void => {
      for (const timer of [late, lost]) clearTimeout(timer);
      clearInterval(quiet);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      resolve(ending);
    };
    const late = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const lost = setTimeout(finish, timeoutMs + endMs);
    let quiet: NodeJS.Timeout | undefined;
    child.once("error", (error) => {
      reject(error);
      finish();
    });
    child.once("exit", (status, signal) => {
      ending = { status, signal };
      if (count === null) return finish();
      for (const timer of [late, lost]) clearTimeout(timer);
      quiet = setInterval(() => {
        if (read === count()) finish();
        read = count();
      }, quietMs);
    });
    child.once("close", finish);
  });

/** Text for standard error of how it ended. */
const endingText = (ending: Ending): string => {
  if (ending === null) return " killed, and does not end";
  return ending.signal === null ? "" : ` ended by ${ending.signal}`;
};

/** A Run with a further environment for each tool it starts. */
export const createRun =
  (env: Record<string, string> = {}): Run =>
  async (plain, options = {}) => {
    const argv = inNetns(options.netns, plain);
    const [tool, ...args] = argv;
    const child = spawn(tool, args, { env: toolEnv(env), stdio: ["pipe", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    // A tool may end before it has read everything; its status shows what went wrong.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    const count = (): number => output.stdout.length + output.stderr.length;
    const ending = await endOf(child, options.timeoutMs ?? 10_000, count).catch(
      ({ message }: Error) => {
        throw new CommandFailed(argv, null, { stdout: "", stderr: message });
      },
    );
    if (ending?.status === 0) return output.stdout;
    const stderr = `${output.stderr}${endingText(ending)}`;
    throw new CommandFailed(argv, ending?.status ?? null, { ...output, stderr });
  };

/**
 * Gives each line of a tool's standard output as it comes, and never all of them: a table of the kernel may have hundreds of
 * thousands, and other work of the program goes on between them. Rejects like a Run.
 */
export const readLines = async (
  argv: Argv,
  receive: (line: string) => void,
  timeoutMs: number,
): Promise<void> => {
  const [tool, ...args] = argv;
  const child = spawn(tool, args, { env: toolEnv(), stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  let count = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    count += text.length;
  });
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    count += 1;
    receive(line);
  });
  const ending = await endOf(child, timeoutMs, () => count).catch(({ message }: Error) => {
    throw new CommandFailed(argv, null, { stdout: "", stderr: message });
  });
  lines.close();
  if (ending?.status !== 0) {
    const text = `${stderr}${endingText(ending)}`;
    throw new CommandFailed(argv, ending?.status ?? null, { stdout: "", stderr: text });
  }
};

/** Ms in which a program that is asked to end does so by itself. */
const stopMs = 2_000;

/** Ends a program of the edge: asks it, and kills it after `stopMs`. Resolves by `endMs` after that in any case. */
export const endTool = async (child: ChildProcess): Promise<void> => {
  // It was never started, or its status is known.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await endOf(child, stopMs, null).catch(() => null);
};

/** True when the tool ended with status 0. */
export const succeeds = async (run: Run, argv: Argv, options?: RunOptions): Promise<boolean> =>
  run(argv, options).then(
    () => true,
    () => false,
  );
