import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { returnMs } from "#domains/devices/presence/public.ts";

/** Spans of the database's clock, in ms. */
interface PresenceTimes {
  /** A gateway writes last_seen once a minute; after a crash it writes nothing. */
  readonly silentMs: number;
  /**
   * Two checks that are further apart do not show whether the database was available to gateways in between.
   * Together with the minute of a gateway it must be less than silentMs.
   */
  readonly gapMs: number;
}

const defaultTimes: PresenceTimes = { silentMs: returnMs, gapMs: 75_000 };

export interface PresenceWatch {
  /** Marks devices offline that did not come back from a gateway that ended or crashed. */
  run(): Promise<void>;
}

/**
 * Finds nodes that were not seen for too long. Gateways cannot record them while the database is
 * unavailable, and nothing records them while no gateway listens: a node is offline only if it was silent while
 * consecutive checks reached the database and a gateway listened. This is decided by the database's clock in one
 * statement, because a server that was paused runs it later.
 */
export function createPresenceWatch(
  pools: Pools<Database>,
  { silentMs, gapMs }: PresenceTimes = defaultTimes,
): PresenceWatch {
  /** The first and the last of the checks without a gap. */
  let seen: { readonly since: Date; readonly last: Date } | null = null;
  return {
    async run() {
      const { rows } = await sql<{ at: Date; unbroken: boolean }>`
        with reading as (
          select now() as at,
            coalesce(${seen?.last ?? null}::timestamptz > now() - ${gapMs} * interval '1 ms', false)
              as unbroken
        ), gone as (
          update node_status set online = false from reading
          where online and last_seen < at - ${silentMs} * interval '1 ms'
            and unbroken and ${seen?.since ?? null}::timestamptz < at - ${silentMs} * interval '1 ms'
            and (select weft.listening_since()) < at - ${silentMs} * interval '1 ms'
        )
        select at, unbroken from reading`.execute(pools.worker.db);
      const reading = rows[0];
      if (reading)
        seen = { since: reading.unbroken && seen ? seen.since : reading.at, last: reading.at };
    },
  };
}
