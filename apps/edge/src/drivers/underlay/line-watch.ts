import { type ChildProcess, spawn } from "node:child_process";
import { toolEnv } from "#drivers/exec.ts";

/** Ms in which changes that come together are told as one. */
const gatherMs = 30;
/** Ms until a watcher that ended is started again. */
const againMs = 1_000;

/**
 * Watches carrier and addresses of all interfaces through netlink (`ip monitor`). What it says is a
 * hint: whoever is called looks at the lines.
 * @returns ends it
 */
export const watchLines = (changed: () => void): (() => void) => {
  let child: ChildProcess | null = null;
  let gathering: NodeJS.Timeout | null = null;
  let again: NodeJS.Timeout | null = null;
  let isOver = false;
  const hear = (): void => {
    gathering ??= setTimeout(() => {
      gathering = null;
      changed();
    }, gatherMs);
  };
  const start = (): void => {
    again = null;
    const started = spawn("ip", ["monitor", "link", "address"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: toolEnv(),
    });
    child = started;
    started.stdout.on("data", hear);
    let isEnded = false;
    const ended = (): void => {
      if (isEnded || isOver) return;
      isEnded = true;
      again = setTimeout(start, againMs);
      // What changed meanwhile was not heard.
      hear();
    };
    started.once("error", ended).once("exit", ended);
  };
  start();
  return () => {
    isOver = true;
    for (const timer of [gathering, again]) if (timer) clearTimeout(timer);
    child?.kill("SIGTERM");
  };
};
