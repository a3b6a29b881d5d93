/** Tools that report changes in the kernel, kept running. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Argv, toolEnv } from "./exec.ts";

/** Ms until a watcher that ended is started again. */
const againMs = 1_000;

/**
 * Runs a tool that prints a line for each change.
 *
 * @param receive gets each line; null: the tool ended, and what changed meanwhile is not known
 * @returns ends it
 */
export const monitor = (argv: Argv, receive: (line: string | null) => void): (() => void) => {
  let stop = (): void => undefined;
  const start = (): void => {
    const [tool, ...args] = argv;
    const child = spawn(tool, args, { stdio: ["ignore", "pipe", "ignore"], env: toolEnv() });
    createInterface({ input: child.stdout }).on("line", receive);
    let again: NodeJS.Timeout | null = null;
    const ended = (): void => {
      if (again) return;
      again = setTimeout(start, againMs);
      receive(null);
    };
    child.once("error", ended).once("exit", ended);
    stop = () => {
      child
        .off("exit", ended)
        .off("error", ended)
        .on("error", () => {});
      if (again) clearTimeout(again);
      child.kill("SIGTERM");
    };
  };
  start();
  return () => stop();
};
