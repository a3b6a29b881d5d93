import { Worker } from "node:worker_threads";
import type { SeedResult } from "./run-seed.ts";
import type { Batch } from "./worker.ts";

/** Small enough that all threads end together, large enough that asking costs nothing. */
const batchSeeds = 20;

export interface ManyOptions {
  readonly from: number;
  readonly seeds: number;
  readonly threads: number;
}

/**
 * Runs seeds on threads, and gives each result as it comes, in no order. Stops at `false`.
 * @throws Error when a thread fails: a fault of the simulation itself
 */
export async function runMany(
  { from, seeds, threads }: ManyOptions,
  took: (result: SeedResult) => boolean,
): Promise<void> {
  let next = from;
  let isOver = false;
  const end = from + seeds;
  const take = (): Batch | null => {
    if (isOver || next >= end) return null;
    const batch = { from: next, seeds: Math.min(batchSeeds, end - next) };
    next += batch.seeds;
    return batch;
  };
  const one = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let left = 0;
      const more = (): void => {
        const batch = take();
        left = batch?.seeds ?? 0;
        if (batch) worker.postMessage(batch);
        else resolve();
      };
      worker.on("error", reject);
      worker.on("message", (result: SeedResult) => {
        left -= 1;
        if (!took(result)) isOver = true;
        if (isOver) resolve();
        else if (left === 0) more();
      });
      more();
    });
  const workers = Array.from(
    { length: Math.min(threads, Math.ceil(seeds / batchSeeds)) },
    () => new Worker(new URL("./worker.ts", import.meta.url)),
  );
  try {
    await Promise.all(workers.map(one));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
