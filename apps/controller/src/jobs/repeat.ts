import type { Logger } from "pino";
import { loopRan } from "#telemetry/events.ts";

export interface Repeated {
  /** Runs soon, also when it is running now. */
  hint(): void;
  close(): Promise<void>;
}

/**
 * Runs a task whenever it is hinted and at least every so often, never twice at once. A failure is
 * logged and the task runs again at its time: everything it works on is in the database.
 * @param task gives ms after which it wants to run again before its time, or nothing.
 */
export function repeat(
  name: string,
  everyMs: number,
  task: () => Promise<number | undefined>,
  logger: Logger,
): Repeated {
  let due = true;
  let ended = false;
  let wake: (() => void) | undefined;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!ended) {
      due = false;
      let waitMs: number | undefined;
      let failed = false;
      const began = performance.now();
      try {
        waitMs = await task();
      } catch (error) {
        failed = true;
        logger.error({ err: error, task: name }, "task failed");
      }
      loopRan.publish({ loop: name, seconds: (performance.now() - began) / 1_000, failed });
      if (!due && !ended) await pause(Math.min(waitMs ?? everyMs, everyMs));
      wake = undefined;
    }
  };
  const running = run();
  return {
    hint() {
      due = true;
      wake?.();
    },
    async close() {
      ended = true;
      wake?.();
      await running;
    },
  };
}
