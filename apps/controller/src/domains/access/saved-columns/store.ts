import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";

/** Shown columns of the caller's own tables: class type -> keys. */
export async function savedColumns(
  ctx: Pick<Context, "db" | "caller">,
): Promise<Record<string, string[]>> {
  const rows = await ctx.db
    .selectFrom("search_columns")
    .select(["class_type", "cols"])
    .where("user_id", "=", ctx.caller.userId)
    .execute();
  return Object.fromEntries(rows.map(({ class_type, cols }) => [class_type, cols]));
}

/** Maximum tables for which one person may have selected columns. */
const maxTables = 200;

/** Keeps them; gives what was there. The oldest choice goes when there are too many. */
export async function saveColumns(
  ctx: Context,
  classType: string,
  cols: readonly string[],
): Promise<string[] | null> {
  const { userId, enterpriseId } = ctx.caller;
  const old = (await savedColumns(ctx))[classType] ?? null;
  await ctx.db
    .insertInto("search_columns")
    .values({
      user_id: userId,
      enterprise_id: enterpriseId,
      class_type: classType,
      cols: [...cols],
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "class_type"])
        .doUpdateSet({ cols: [...cols], updated_at: sql`now()` }),
    )
    .execute();
  await sql`delete from search_columns where user_id = ${userId} and class_type in (
    select class_type from search_columns where user_id = ${userId}
    order by updated_at desc offset ${maxTables})`.execute(ctx.db);
  return old;
}
