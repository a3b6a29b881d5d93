import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** Channel on which gateways learn of nodes with a new state: ids joined by commas, or nothing. */
export const stateChannel = "weft_state";

/** At most ten a second a process (design section 2). */
const spacingMs = 100;
/** PostgreSQL takes 8,000 bytes; more nodes than fit are sent as "check all". */
const maxPayload = 7_000;

export interface StateHint {
  /** Returns immediately; call it after COMMIT. */
  send(nodeId: number): void;
  close(): Promise<void>;
}

/** Notifies gateways that nodes have a new state. Only a hint: they poll as well. */
export function createStateHint(pools: Pools<Database>, logger: Logger): StateHint {
  let nodes = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  const fire = (): void => {
    timer = undefined;
    if (nodes.size === 0) return;
    const all = [...nodes].join(",");
    nodes = new Set();
    sending = pools.worker.pg
      .query("select pg_notify($1, $2)", [stateChannel, all.length > maxPayload ? "" : all])
      .catch((error: unknown) => logger.warn({ err: error }, "state hint not sent"));
    timer = setTimeout(fire, spacingMs);
    timer.unref();
  };
  return {
    send(nodeId) {
      nodes.add(nodeId);
      if (!timer) fire();
    },
    async close() {
      clearTimeout(timer);
      fire();
      clearTimeout(timer);
      await sending;
    },
  };
}
