import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";

type Values = Readonly<Record<string, unknown>> | null;

interface Asked {
  readonly id: number;
  readonly resource: string;
  readonly row_id: number | null;
}

interface Written {
  readonly of: number;
  readonly old_value: Values;
  readonly new_value: Values;
}

/** Writes of one row that are looked through for its name. */
const maxWrites = 5;

/**
 * What earlier writes recorded of the same rows, the newest first: a call that records one value
 * leaves out what the row is called. One statement.
 * @param shown predicate over `audit l`: what the caller's log shows
 */
export async function readEarlier(
  ctx: Context,
  rows: readonly Asked[],
  shown: RawBuilder<SqlBool>,
): Promise<ReadonlyMap<number, readonly Written[]>> {
  const asked = rows.filter(({ row_id }) => row_id !== null);
  if (asked.length === 0) return new Map();
  const { rows: found } = await sql<Written>`
    select asked.id as of, e.old_value, e.new_value
    from unnest(${asked.map(({ id }) => id)}::bigint[],
      ${asked.map(({ resource }) => resource)}::text[],
      ${asked.map(({ row_id }) => row_id)}::bigint[]) as asked (id, resource, row_id)
    cross join lateral (
      select l.id, l.old_value, l.new_value from audit l
      where l.resource = asked.resource and l.row_id = asked.row_id and l.id < asked.id and ${shown}
      order by l.id desc limit ${maxWrites}) e
    order by asked.id, e.id desc`.execute(ctx.db);
  return Map.groupBy(found, ({ of }) => of);
}
