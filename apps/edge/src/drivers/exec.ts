/** The one place where the drivers start a tool and wait for it. */
import { spawn } from "node:child_process";
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

/** A Run with a further environment for each tool it starts. */
export const createRun =
  (env: Record<string, string> = {}): Run =>
  (plain, options = {}) =>
    new Promise((resolve, reject) => {
      const argv = inNetns(options.netns, plain);
      const [tool, ...args] = argv;
      const child = spawn(tool, args, {
        env: toolEnv(env),
        stdio: ["pipe", "pipe", "pipe"],
        timeout: options.timeoutMs ?? 10_000,
        killSignal: "SIGKILL",
      });
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
      child.on("error", (error) =>
        reject(new CommandFailed(argv, null, { stdout: "", stderr: error.message })),
      );
      child.on("close", (status, signal) => {
        if (status === 0) resolve(output.stdout);
        else {
          const stderr = signal ? `${output.stderr} ended by ${signal}` : output.stderr;
          reject(new CommandFailed(argv, status, { ...output, stderr }));
        }
      });
    });

/**
 * Gives each line of a tool's standard output as it comes, and never all of them: a table of the kernel may have hundreds of
 * thousands, and other work of the program goes on between them. Rejects like a Run.
 */
export const readLines = (
  argv: Argv,
  receive: (line: string) => void,
  timeoutMs: number,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const [tool, ...args] = argv;
    const child = spawn(tool, args, {
      env: toolEnv(),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const lines = createInterface({ input: child.stdout }).on("line", receive);
    const isRead = new Promise<void>((done) => lines.once("close", done));
    child.on("error", ({ message }) =>
      reject(new CommandFailed(argv, null, { stdout: "", stderr: message })),
    );
    child.on("close", (status, signal) => {
      const text = signal ? `${stderr} ended by ${signal}` : stderr;
      if (status === 0) void isRead.then(resolve);
      else reject(new CommandFailed(argv, status, { stdout: "", stderr: text }));
    });
  });

/** True when the tool ended with status 0. */
export const succeeds = async (run: Run, argv: Argv, options?: RunOptions): Promise<boolean> =>
  run(argv, options).then(
    () => true,
    () => false,
  );
