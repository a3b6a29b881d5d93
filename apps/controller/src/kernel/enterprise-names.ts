import { type SqlBool, sql } from "kysely";
import type { Context } from "./api.ts";

/** Names of these enterprises by id, as far as the caller sees them. */
export async function enterpriseNames(
  ctx: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await ctx.db
    .selectFrom("enterprise")
    .select(["id", "name"])
    .where(sql<SqlBool>`id = any(${[...new Set(ids)]}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
