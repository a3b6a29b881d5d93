import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { lanes } from "./outbox-taking.ts";

/** Work of a worker that something waits for. */
export interface WaitingWork {
  readonly seals: boolean;
  readonly servers: boolean;
  readonly hooks: boolean;
  readonly events: boolean;
  readonly batches: boolean;
}

const nothing: WaitingWork = {
  seals: false,
  servers: false,
  hooks: false,
  events: false,
  batches: false,
};

/**
 * Asks for what people wait for within a second, in one statement: each of these works would otherwise ask by a transaction
 * of its own, most of them for nothing. Some of what it finds may not be taken yet; nothing is taken that it does not find.
 */
export async function findWaitingWork({ worker }: Pools<Database>): Promise<WaitingWork> {
  const due = sql`o.state = 'waiting' and (o.next_at <= now() or o.expires_at < now())`;
  const { rows } = await sql<WaitingWork>`
    select exists (select from audit_waiting) as seals,
      exists (select from outbox o where ${due} and o.channel = any(${[...lanes.servers]}::text[])) as servers,
      exists (select from outbox o where ${due} and o.channel = any(${[...lanes.hooks]}::text[])) as hooks,
      exists (select from webhook_event) as events,
      exists (select from batch where ended_at is null) as batches`.execute(worker.db);
  return rows[0] ?? nothing;
}
