import type { Logger } from "pino";
import { loopRan } from "#telemetry/events.ts";

export interface Repeated {
  /** Runs soon, also when it is running now; after a failure at the end of its pause. */
  hint(): void;
  close(): Promise<void>;
}

/** Pause after the first failure; each further one doubles it. */
const firstPauseMs = 500;
/** Longest pause, unless the task runs less often anyway. */
const longestPauseMs = 5_000;

/** Ms until a task is tried again that failed so many times in a row. */
export const pauseAfter = (failures: number, everyMs: number): number =>
  Math.min(firstPauseMs * 2 ** (Math.min(failures, 30) - 1), Math.max(everyMs, longestPauseMs));

/**
 * Runs a task whenever it is hinted and at least every so often, never twice at once. All repeated work
 * of a process runs by it: a failure is logged and the task runs again, after a pause that grows while it
 * keeps failing, and no failure ends the process. Everything that tasks work on is in the database or on
 * disk, so that nothing is lost meanwhile.
 * @param task gives ms after which it wants to run again before its time, or nothing.
 */
export function repeat(
  name: string,
  everyMs: number,
  task: () => Promise<number | undefined>,
  logger: Pick<Logger, "error">,
): Repeated {
  let due = true;
  let ended = false;
  let failures = 0;
  let wake: (() => void) | undefined;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const turn = async (): Promise<number> => {
    const began = performance.now();
    let waitMs: number | undefined;
    try {
      waitMs = await task();
      failures = 0;
    } catch (error) {
      failures += 1;
      logger.error({ err: error, task: name, failures }, "task failed");
    }
    const seconds = (performance.now() - began) / 1_000;
    loopRan.publish({ loop: name, seconds, failed: failures > 0 });
    return failures > 0 ? pauseAfter(failures, everyMs) : Math.min(waitMs ?? everyMs, everyMs);
  };
  const run = async (): Promise<void> => {
    while (!ended) {
      due = false;
      const waitMs = await turn();
      // Hints come many times a second, and what failed is not to be tried as often.
      if (!ended && (!due || failures > 0)) await pause(waitMs);
      wake = undefined;
    }
  };
  const running = run();
  return {
    hint() {
      due = true;
      if (failures === 0) wake?.();
    },
    async close() {
      ended = true;
      wake?.();
      await running;
    },
  };
}

/**
 * A task that has done something begins again after this time at the earliest, however often it is hinted: what comes
 * meanwhile is done together. The first that comes after a pause is done at once.
 * @param task gives whether it did nothing, all that waited, or a part of it
 * @param now monotonic ms
 */
export function spaced(
  spacingMs: number,
  task: () => Promise<"nothing" | "all" | "part">,
  now: () => number = () => performance.now(),
): () => Promise<number | undefined> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const rest = nextAt - now();
    if (rest > 0) return rest;
    const done = await task();
    if (done === "nothing") return undefined;
    if (done === "part") return 0;
    nextAt = now() + spacingMs;
    return spacingMs;
  };
}
