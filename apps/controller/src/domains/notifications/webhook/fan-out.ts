/** Writes events into the outbox of each webhook that they are for. */
import { sql, type Transaction } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { enqueueMessages, type OutboxMessage } from "#outbox/enqueue.ts";
import { type Happened, type HappenedAlarm, payloadOf } from "./payload.ts";

/** Events of one turn, in one transaction. */
const maxEvents = 100;
/** A receiver may be away over a weekend. */
const validMinutes = 3 * 1_440;

type Trx = Transaction<Database>;

/**
 * Takes events and writes a message for each webhook, in one transaction: each message is written once. Any
 * number of workers may.
 * @param report receives why an event is left out, such as one of another release
 * @returns how many events it took
 */
export function fanOutEvents(
  { worker }: Pools<Database>,
  report: (error: unknown) => void,
): Promise<number> {
  return worker.db.transaction().execute(async (trx) => {
    const events = await takeEvents(trx);
    if (events.length === 0) return 0;
    const alarms = await alarmsOf(trx, events);
    const messages: OutboxMessage[] = [];
    for (const event of events) {
      const body = bodyOf(event, alarms.get(Number(event.facts.alarmId)), report);
      if (body === null) continue;
      for (const { id, url, enterprise_id: enterpriseId } of await webhooksFor(trx, event)) {
        messages.push({
          enterpriseId,
          channel: "webhook",
          recipient: url,
          webhookId: id,
          body,
          validMinutes,
          purpose: "event",
          event: event.kind,
        });
      }
    }
    await enqueueMessages(trx, messages);
    return events.length;
  });
}

function bodyOf(
  event: Happened,
  alarm: HappenedAlarm | undefined,
  report: (error: unknown) => void,
): string | null {
  try {
    return payloadOf(event, alarm);
  } catch (error) {
    report(error);
    return null;
  }
}

/** Alarms wait until their cause was looked for. */
async function takeEvents(trx: Trx): Promise<readonly Happened[]> {
  const { rows } = await sql<Happened>`
    with taken as (
      delete from webhook_event where id in (
        select w.id from webhook_event w
        where w.kind <> 'alarm.opened' or not exists (
          select from alarm_event a where a.id = (w.facts ->> 'alarmId')::bigint
            and not a.joined and a.cleared_at is null)
        order by w.id limit ${maxEvents} for update skip locked)
      returning *)
    select id, enterprise_id, kind, node_id, facts, at from taken order by id`.execute(trx);
  return rows;
}

async function alarmsOf(
  trx: Trx,
  events: readonly Happened[],
): Promise<ReadonlyMap<number, HappenedAlarm>> {
  const ids = events.flatMap(({ facts }) => ("alarmId" in facts ? [Number(facts.alarmId)] : []));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<HappenedAlarm>`
    select id, level, metric, node_kind, node_name, item_name, value, strategy_name, opened_at,
      cleared_at, parent_id, maintenance_until
    from alarm_event where id = any(${ids}::bigint[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

async function webhooksFor(trx: Trx, { enterprise_id, kind }: Happened) {
  const { rows } = await sql<{ id: number; url: string; enterprise_id: number }>`
    select w.id, w.url, w.enterprise_id from weft.webhooks_for(${enterprise_id}, ${kind}) as f (id)
    join webhook w on w.id = f.id order by w.id`.execute(trx);
  return rows;
}
