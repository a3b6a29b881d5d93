import { refuse } from "#kernel/refuse.ts";

export interface Slots {
  /** Runs it when its turn comes. @throws Refusal unavailable when too many wait already */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Lets `maxTaken` run at a time and `maxWaiting` wait: large work must not take every connection. */
export function createSlots(maxTaken: number, maxWaiting: number): Slots {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= maxTaken) {
        if (waiting.length >= maxWaiting) refuse("unavailable");
        // A finished one passes its slot on, so that no other takes it in between.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
