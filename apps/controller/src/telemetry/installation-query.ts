import { sql } from "kysely";
import { type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** One number of the installation: of what, of which kind of it. */
export interface Counted {
  readonly of:
    | "alarms"
    | "failures"
    | "identities"
    | "nodes"
    | "queue"
    | "rollouts"
    | "states"
    | "tasks";
  readonly kind: string;
  /** Of nodes: online or offline. */
  readonly state: string;
  readonly count: number;
  /** Seconds since the oldest began; null: there is none, or it has no time. */
  readonly age: number | null;
}

const counted = (of: string, kind: string, from: string, at = "null::timestamptz") =>
  `select '${of}' as of, ${kind} as kind, '' as state, count(*)::float8 as count,
    extract(epoch from now() - min(${at}))::float8 as age from ${from}`;

/**
 * All numbers in one statement, each of an index or of a table with a row per node. Everything that ended, whose
 * number grows for ever, stays out: counters of the processes count that.
 */
const statement = [
  `select 'nodes' as of, n.kind as kind, case when s.online then 'online' else 'offline' end as state,
    count(*)::float8 as count, null::float8 as age
   from node n left join node_status s on s.node_id = n.id where n.enabled group by 2, 3`,
  `${counted("states", "outcome", "node_state", "coalesce(delivered_at, created_at)")}
   where outcome in ('waiting', 'held', 'delivered', 'applied') group by outcome`,
  `${counted("tasks", "status::text", "task", "created_at")} where status in (0, 4) group by status`,
  `${counted("queue", "'changes'", "change", "at")} where not done`,
  `${counted("queue", "'compile'", "compile_mark", "at")} where failure is null`,
  `${counted("failures", "'compile'", "compile_mark", "failed_at")} where failure is not null`,
  // Robots and webhooks are those of tenants, whose outages are not the installation's.
  `${counted("queue", "'outbox'", "outbox", "created_at")}
   where state = 'waiting' and channel in ('mail', 'sms')`,
  // The time of the oldest row only: a join of all would read the log.
  `select 'queue', 'audit', '', count(*)::float8, extract(epoch from now() -
    (select a.at from audit a where a.id = (select min(audit_id) from audit_waiting)))::float8
   from audit_waiting`,
  `${counted("queue", "'batches'", "batch", "created_at")} where ended_at is null`,
  `${counted("queue", "'commands'", "node_command", "created_at")} where status in ('waiting', 'sent')`,
  counted("queue", "'alarms'", "alarm_due"),
  `${counted("alarms", "level::text", "alarm_event", "opened_at")} where cleared_at is null group by level`,
  `${counted("rollouts", "state", "template_rollout", "since")}
   where state in ('running', 'waiting', 'halted') group by state`,
  `${counted("identities", "state", "node_identity", "created_at")}
   where state in ('pending', 'quarantined') group by state`,
].join("\nunion all ");

/** A server that is overloaded is not to be loaded by its watch. */
const statementMs = 2_000;

/** @throws the error of the database, which may not answer */
export function countInstallation(pools: Pools<Database>): Promise<readonly Counted[]> {
  return scopedRead(pools.apiAll, { kind: "all" }, async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(statementMs)}`.execute(trx);
    return (await sql.raw<Counted>(statement).execute(trx)).rows;
  });
}
