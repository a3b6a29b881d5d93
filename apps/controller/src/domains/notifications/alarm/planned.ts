/** What ends a snooze before its time, and which events lie in a maintenance window. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

type Trx = Transaction<Database>;

/**
 * New events that join what was put off. Of an object that is not among it, or more severe than all of it: it comes
 * back. Otherwise the new event is put off with it, except where a single alarm was put off.
 * A snooze of an enterprise counts for events of it and of those below.
 * @param opened ids of the new events.
 */
async function joinSnoozed(trx: Trx, opened: readonly number[]): Promise<void> {
  if (opened.length === 0) return;
  await sql`
    with met as materialized (
      select n.id, s.snooze_key, s.snooze_scope, max(s.snoozed_until) as until,
        max(s.snooze_note) as note,
        n.level < min(s.level) or not bool_or(s.node_id = n.node_id) as is_news
      from alarm_event n join alarm_event s on s.snooze_key = any (n.places)
      where n.id = any(${[...opened]}::bigint[]) and s.id <> n.id
        and s.cleared_at is null and s.snoozed_until > now()
        and 'o:' || s.snooze_scope = any (n.places)
      group by n.id, s.snooze_key, s.snooze_scope
    ), woken as (
      update alarm_event s set snoozed_until = null, snooze_key = null
      from (select distinct snooze_key, snooze_scope from met where is_news) m
      where s.snooze_key = m.snooze_key and s.snooze_scope = m.snooze_scope
    )
    update alarm_event e set snoozed_until = m.until, snooze_key = m.snooze_key,
      snooze_scope = m.snooze_scope, snooze_note = m.note
    from met m
    where e.id = m.id and m.snooze_key not like 'i:%'
      and not exists (select from met o where o.id = m.id and o.is_news)`.execute(trx);
}

/** Removes snoozes that are over. @returns how many: pages are notified. */
async function endSnoozes(trx: Trx): Promise<number> {
  const { numAffectedRows } = await sql`
    update alarm_event set snoozed_until = null, snooze_key = null
    where snooze_key is not null and snoozed_until <= now()`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Notes which events lie in a maintenance window. @param events null: all that are active. */
async function keepMaintenance(trx: Trx, events: readonly number[] | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select weft.keep_alarm_maintenance(${events && [...events]}::bigint[]) as n`.execute(trx);
  return rows[0]?.n ?? 0;
}

/**
 * Before anything is sent: new events join what is put off and planned.
 * @param isRound a round over all nodes starts: what has ended or was declared meanwhile is noted on all events.
 * @returns how many events changed
 */
export async function applyPlans(
  trx: Trx,
  opened: readonly number[],
  isRound: boolean,
): Promise<number> {
  await joinSnoozed(trx, opened);
  if (!isRound) return opened.length > 0 ? keepMaintenance(trx, opened) : 0;
  return (await endSnoozes(trx)) + (await keepMaintenance(trx, null));
}
