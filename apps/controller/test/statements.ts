/** How many statements a call costs: what the batteries of resources freeze. */
import type { Verb } from "@weft/contract/kernel/resource.ts";
import type { TestApi } from "./api.ts";

/** Counts by verb; `measure` runs a call and notes the statements that it made meanwhile. */
export function statementsBy(api: TestApi) {
  const measured: Partial<Record<Verb, number>> = {};
  return {
    measured,
    async measure<T>(verb: Verb, run: () => Promise<T>): Promise<T> {
      measured[verb] = 0;
      const stop = api.database.pools.onQuery(({ kind }) => {
        if (kind === "query") measured[verb] = (measured[verb] ?? 0) + 1;
      });
      const result = await run();
      stop();
      return result;
    },
  };
}
