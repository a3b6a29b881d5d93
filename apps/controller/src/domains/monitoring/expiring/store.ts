import type { Expiring } from "@weft/contract/domains/monitoring/expiring.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Rows that a card has room for. */
const shown = 8;

interface ExpiringQuery {
  /** What ends within so many days. */
  readonly days: number;
  /** What has ended is listed as well. */
  readonly withEnded: boolean;
  /** Ids of enterprises; null: all that the caller may see. */
  readonly of: readonly number[] | null;
  /** An enterprise that is not named itself; null: all are. */
  readonly except: number | null;
}

/** Devices, accounts, circuits and enterprises whose term ends soon, the first to end first. */
export async function listExpiring(ctx: Context, query: ExpiringQuery): Promise<Expiring[]> {
  const { days, withEnded, of, except } = query;
  const isSoon = (column: string) =>
    sql`${sql.ref(column)} < now() + make_interval(days => ${days}::int)
      and (${withEnded} or ${sql.ref(column)} > now())`;
  const isAmong = (column: string) =>
    of === null ? sql`true` : sql`${sql.ref(column)} = any(${[...of]}::bigint[])`;
  const isMine = (alias: string) =>
    sql`${isAmong(`${alias}.enterprise_id`)}
      and ${inCallerScope(ctx, `${alias}.enterprise_id`, `${alias}.created_by`)}`;
  const { rows } = await sql<Expiring>`
    select n.kind, n.id, n.name, n.expire_at as "expireTime" from node n
      where ${isSoon("n.expire_at")} and ${isMine("n")}
    union all select 'account', a.id, a.alias, a.expire_at from mobile_account a
      where ${isSoon("a.expire_at")} and ${isMine("a")}
    union all select 'circuit', c.id, c.name, c.expire_at from circuit c
      where ${isSoon("c.expire_at")} and ${isMine("c")}
    union all select 'enterprise', e.id, e.name, e.end_at from enterprise e
      where ${isSoon("e.end_at")} and e.id is distinct from ${except}::bigint
        and ${isAmong("e.id")} and ${inCallerScope(ctx, "e.id")}
    order by 4, 2 limit ${shown}`.execute(ctx.db);
  return rows;
}
