import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { type Lane, lanes } from "./outbox-taking.ts";

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
export async function findWaitingWork(db: Kysely<Database>): Promise<WaitingWork> {
  // The earliest one each, which an index has: with many that wait, PostgreSQL would read them all for one that is due.
  const isDue = (lane: Lane) => sql`exists (
    select from unnest(${[...lanes[lane]]}::text[]) as lane (channel) cross join lateral (
      select from outbox o where o.state = 'waiting' and o.channel = lane.channel and o.next_at <= now()
      order by o.next_at limit 1) o)`;
  // It ends what has expired of all channels.
  const isOver = sql`exists (select from (
    select from outbox where state = 'waiting' and expires_at < now() order by expires_at limit 1) o)`;
  const { rows } = await sql<WaitingWork>`
    select exists (select from audit_waiting) as seals,
      ${isDue("servers")} or ${isOver} as servers,
      ${isDue("hooks")} as hooks,
      exists (select from webhook_event) as events,
      exists (select from batch where ended_at is null) as batches`.execute(db);
  return rows[0] ?? nothing;
}
