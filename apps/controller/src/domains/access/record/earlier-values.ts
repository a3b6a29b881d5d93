import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";

type Values = Readonly<Record<string, unknown>> | null;

interface EarlierQuery {
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
  rows: readonly EarlierQuery[],
  shown: RawBuilder<SqlBool>,
): Promise<ReadonlyMap<number, readonly Written[]>> {
  const queried = rows.filter(({ row_id }) => row_id !== null);
  if (queried.length === 0) return new Map();
  const { rows: found } = await sql<Written>`
    select queried.id as of, e.old_value, e.new_value
    from unnest(${queried.map(({ id }) => id)}::bigint[],
      ${queried.map(({ resource }) => resource)}::text[],
      ${queried.map(({ row_id }) => row_id)}::bigint[]) as queried (id, resource, row_id)
    cross join lateral (
      select l.id, l.old_value, l.new_value from audit l
      where l.resource = queried.resource and l.row_id = queried.row_id and l.id < queried.id and ${shown}
      order by l.id desc limit ${maxWrites}) e
    order by queried.id, e.id desc`.execute(ctx.db);
  return Map.groupBy(found, ({ of }) => of);
}
