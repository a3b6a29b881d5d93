import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

export interface Options {
  readonly from: number;
  readonly seeds: number;
  readonly threads: number;
  /** One seed, with all that happens in it; null: many. */
  readonly only: number | null;
}

const usage = `npm run sim -- [options]
  --seeds N     how many seeds (10000)
  --from N      the first one (1)
  --threads N   worker threads (one a core)
  --seed N      only this one, with everything that happens in it`;

const toCount = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} ${text}: not a number above 0\n\n${usage}`);
};

/** @throws Error with a message for the user who typed it */
export function readOptions(args: readonly string[]): Options {
  const text = { type: "string" } as const;
  const options = { seeds: text, from: text, threads: text, seed: text } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { seeds = "10000", from = "1", threads = String(availableParallelism()), seed } = values;
  return {
    from: toCount("from", from),
    seeds: toCount("seeds", seeds),
    threads: toCount("threads", threads),
    only: seed === undefined ? null : toCount("seed", seed),
  };
}
