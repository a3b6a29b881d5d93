import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { renewHealth } from "#domains/monitoring/health/public.ts";
import { createAlarms } from "#domains/notifications/alarm/public.ts";
import { createHint, transitionChannel } from "#kernel/change-hint.ts";
import { type Repeated, repeat } from "#kernel/repeat.ts";
import { NotOpenError } from "#metrics-store/embedded.ts";
import type { MeasureStore } from "#metrics-store/store.ts";

/** Ms between two checks: transitions hint at alarms, metrics and passing time do not. */
const everyMs = 3_000;

/**
 * Raises and clears alarms as long as it runs, and keeps the health of nodes, which follows from the same
 * state; notifies screens through the outbox of transitions.
 */
export function watchAlarms(
  pools: Pools<Database>,
  logger: Logger,
  measures?: Pick<MeasureStore, "latest">,
): Repeated {
  const transitions = createHint(
    () => pools.worker.pg.query(`notify ${transitionChannel}`),
    (error) => logger.warn({ err: error }, "hint of alarms not sent"),
  );
  const alarms = createAlarms({
    pools,
    measures,
    changed: transitions.send,
    renew: renewHealth,
    // At every start the worker is quicker than the store; its absence is reported by the store itself.
    report: (error) =>
      logger[error instanceof NotOpenError ? "debug" : "warn"](
        { err: error },
        "alarms were evaluated without a part",
      ),
  });
  const looking = repeat("alarms", everyMs, () => alarms.run(), logger);
  return {
    hint: looking.hint,
    async close() {
      await looking.close();
      await transitions.close();
    },
  };
}
