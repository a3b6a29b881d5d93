/** Runs one after the other whatever is handed to it: the watch over what runs must not meet a step half done. */
import type { Log } from "#edge/log.ts";

/** Ms after which, and then every so often, the log says what everything else waits for. */
const slowMs = 30_000;

export type WorkQueue = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;

/** @param everyMs of reports of work that goes on */
export const createQueue = (log: Pick<Log, "warn">, everyMs = slowMs): WorkQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const watched = async (): Promise<Value> => {
      const startedAt = performance.now();
      const slow = setInterval(() => {
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        log.warn(
          { work: name, seconds },
          "the machine is still busy with this, and all else waits",
        );
      }, everyMs);
      try {
        return await work();
      } finally {
        clearInterval(slow);
      }
    };
    const next = last.then(watched, watched);
    last = next.catch(() => {});
    return next;
  };
};
