/** A thread that runs the seeds it is given, one batch after the other. */
import { parentPort } from "node:worker_threads";
import { runSeed } from "./run-seed.ts";

export interface Batch {
  readonly from: number;
  readonly seeds: number;
}

parentPort?.on("message", async ({ from, seeds }: Batch) => {
  for (let seed = from; seed < from + seeds; seed += 1) {
    parentPort?.postMessage(await runSeed(seed));
  }
});
