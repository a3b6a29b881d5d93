/**
 * How many statements a call costs: what the batteries of resources freeze. Without those that read who calls, which most calls
 * do without (remembered-access.test.ts).
 */
import type { Verb } from "@weft/contract/kernel/resource.ts";
import type { TestApi } from "./api.ts";

/**
 * Counts by verb; `measure` runs a call and notes the statements that it made meanwhile.
 *
 * @param token of the calls that are measured
 */
export function statementsBy(api: TestApi, token: string) {
  const measured: Partial<Record<Verb, number>> = {};
  return {
    measured,
    async measure<T>(verb: Verb, run: () => Promise<T>): Promise<T> {
      // After a change of access a call may begin twice.
      await api.get("/customer/cpeType/list", {}, token);
      measured[verb] = 0;
      const stop = api.database.pools.onQuery(({ kind, pool }) => {
        if (kind === "query" && pool !== "auth") measured[verb] = (measured[verb] ?? 0) + 1;
      });
      const result = await run();
      stop();
      return result;
    },
  };
}
