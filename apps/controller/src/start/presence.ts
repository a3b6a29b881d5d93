import type { Logger } from "pino";
import { type Listener, listen } from "#db/listen.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** Nothing is sent on it. */
const channel = "weft_presence";

/**
 * One connection of this process that is never given back: pools close what is idle, and a process
 * without any call would not be seen by a change of the key for secrets (rotate-key.ts). It would then go
 * on writing secrets under the old one.
 */
export const holdPresence = (pools: Pools<Database>, logger: Logger): Listener =>
  listen(
    pools.apiAll.pg,
    [channel],
    () => undefined,
    (error) => logger.warn({ err: error }, "connection to the database lost"),
  );
