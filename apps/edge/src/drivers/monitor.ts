/** Tools that report changes in the kernel, kept running. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Argv, toolEnv } from "./exec.ts";

/** Ms from one start of a watcher to the next, so that one that always ends does not use up the device. */
const againMs = 1_000;

/** Ms to wait before a watcher that ended after `ranMs` is started again. */
export const pauseMs = (ranMs: number): number => Math.max(0, againMs - ranMs);

/**
 * Runs a tool that prints a line for each change. One that ends is started again, immediately when it
 * ran for a while: nft 1.0.6 crashes over a change in a set of concatenated intervals.
 *
 * @param receive gets each line; null: the tool ended or was started again, and what changed meanwhile is
 *   not known
 * @param complain gets each line of its standard error, which nobody reads unless given
 * @returns ends it
 */
export const monitor = (
  argv: Argv,
  receive: (line: string | null) => void,
  complain: ((line: string) => void) | null = null,
): (() => void) => {
  let stop = (): void => undefined;
  const start = (): void => {
    const [tool, ...args] = argv;
    const startedAt = performance.now();
    const child = spawn(tool, args, {
      stdio: ["ignore", "pipe", complain ? "pipe" : "ignore"],
      env: toolEnv(),
    });
    const { stdout, stderr } = child;
    if (stdout) createInterface({ input: stdout }).on("line", receive);
    if (stderr && complain) createInterface({ input: stderr }).on("line", complain);
    let again: NodeJS.Timeout | null = null;
    const ended = (): void => {
      if (again) return;
      const startAgain = () => {
        start();
        receive(null);
      };
      again = setTimeout(startAgain, pauseMs(performance.now() - startedAt));
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
