import { type SqlBool, sql } from "kysely";
import type { Context } from "./api.ts";
import { refuseField } from "./refuse.ts";

/** Names of these nodes by id, as far as the caller sees them; null among the ids is nobody. */
export async function nodeNames(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number | null, string>> {
  const rows = await ctx.db
    .selectFrom("node")
    .select(["id", "name"])
    .where(sql<SqlBool>`id = any(${[...new Set(ids)]}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Refuses a POP that is neither the caller's nor shared with the caller. */
export async function requirePop(ctx: Context, popId: number | null): Promise<void> {
  if (popId === null) return;
  const pop = await ctx.db
    .selectFrom("node")
    .select("id")
    .where("id", "=", popId)
    .where("kind", "=", "pop")
    .executeTakeFirst();
  if (!pop) refuseField("popId", "unknown");
}
