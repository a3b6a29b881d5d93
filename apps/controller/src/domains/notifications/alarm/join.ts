/** Finds causes among open events. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

type Trx = Transaction<Database>;

/** Maximum number of events that one evaluation joins, which limits its cost. */
const maxJoined = 256;

/**
 * Joins new events to their root cause of the same policy, and events without a cause to new
 * events that caused them.
 * @param opened ids of the new events.
 * @returns whether all are joined; if not, the next evaluation continues.
 */
export async function joinEvents(trx: Trx, opened: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ id: number; subject: string | null; joined: boolean }>`
    select id, subject, joined from alarm_event where id = any(${[...opened]}::bigint[])
    union all
    (select id, subject, joined from alarm_event where not joined and cleared_at is null
      order by id limit ${maxJoined})`.execute(trx);
  if (rows.length === 0) return true;
  const ids = rows.map(({ id }) => id);
  await findCauses(trx, ids);
  const subjects = rows.flatMap(({ subject }) => subject ?? []);
  const { numAffectedRows } = await sql`
    with below as materialized (
      select c.id, c.strategy_id, c.relies from alarm_event c
      where num_nulls(c.cleared_at, c.parent_id) = 2 and c.relies && ${subjects}::text[])
    update alarm_event e set parent_id = found.parent
    from (
      select distinct on (c.id) c.id, n.id as parent
      from below c join alarm_event n on n.strategy_id = c.strategy_id and n.id <> c.id
        and n.subject = any (c.relies)
      where n.id = any(${ids}::bigint[])
      order by c.id, array_position(c.relies, n.subject) limit ${maxJoined}) found
    where e.id = found.id`.execute(trx);
  const isWhole = Number(numAffectedRows ?? 0) < maxJoined;
  const noted = rows.filter(({ joined }) => joined !== isWhole).map(({ id }) => id);
  if (noted.length > 0) {
    await sql`update alarm_event set joined = ${isWhole} where id = any(${noted}::bigint[])`.execute(
      trx,
    );
  }
  return isWhole;
}

async function findCauses(trx: Trx, ids: readonly number[]): Promise<void> {
  await sql`
    update alarm_event e set parent_id = p.id
    from alarm_event n cross join lateral (
      select c.id from unnest(n.relies) with ordinality as r (subject, place)
        join alarm_event c on c.strategy_id = n.strategy_id and c.subject = r.subject
      where c.cleared_at is null and c.id <> n.id
      order by r.place limit 1) p
    where e.id = n.id and n.id = any(${[...ids]}::bigint[]) and n.parent_id is null`.execute(trx);
}
