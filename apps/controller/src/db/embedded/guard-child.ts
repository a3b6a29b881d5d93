/** Ends a program that this process started when this process is gone, however that came about. */
import { spawn } from "node:child_process";
import type { Logger } from "pino";

export interface Guard {
  /** False once it can do nothing any more: it must be made again. */
  lives(): boolean;
  /** The program is to stay, or has ended. */
  release(): void;
}

/**
 * Reads what this process never writes: the end of the pipe is the end of the process, by a signal
 * that cannot be caught as well. It is a program of its own, because nothing else of ours runs then.
 */
const script = 'read -r line; [ "$line" = released ] || kill -s "$2" "$1"';

/** @param pid of a program that does not end by itself when its parent does */
export function guardChild(
  pid: number,
  signal: "INT" | "TERM",
  logger: Pick<Logger, "warn">,
): Guard {
  const guard = spawn("/bin/sh", ["-c", script, "weft-guard", String(pid), signal], {
    cwd: "/",
    // Ctrl-C goes to all of a terminal's programs, and this one is to see the end of the others.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  let lives = true;
  const over = (error?: unknown): void => {
    if (lives && error) logger.warn({ err: error, child: pid }, "a program is not guarded");
    lives = false;
  };
  guard.once("error", over);
  guard.once("exit", () => over());
  guard.stdin?.on("error", () => undefined);
  // Neither it nor its pipe keeps this process alive.
  guard.unref();
  (guard.stdin as { unref?: () => void } | null)?.unref?.();
  return {
    lives: () => lives,
    release() {
      if (lives) guard.stdin?.end("released\n");
      lives = false;
    },
  };
}
