import {
  defaultParams,
  type paramConfigEdit,
} from "@weft/contract/domains/enterprises/param-config.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { unwritten, versionText } from "#kernel/row-version.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Params = Omit<InputOf<typeof paramConfigEdit>, "groupid" | "rowVersion">;

/** Values of an enterprise; the defaults where it has none of its own. */
export async function paramsOf(ctx: Pick<Context, "db">, enterpriseId: number): Promise<Params> {
  const { rowVersion: _, ...params } = await versionedParams(ctx, enterpriseId);
  return params;
}

/** The same, with their version. */
export async function versionedParams(
  ctx: Pick<Context, "db">,
  enterpriseId: number,
): Promise<Params & { readonly rowVersion: string }> {
  const row = await ctx.db
    .selectFrom("enterprise_param")
    .selectAll()
    .where("enterprise_id", "=", enterpriseId)
    .executeTakeFirst();
  if (!row) return { ...defaultParams, rowVersion: unwritten };
  return {
    rowVersion: versionText(row.row_version),
    expireNoticeDays: row.expire_notice_days,
    timezone: row.timezone,
    defaultPopStrategyId: row.default_pop_strategy_id,
    logDays: row.log_days,
  };
}

/** Nodes whose time groups are in the time zone of their enterprise. */
export async function nodesInZone(ctx: Context, enterpriseId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom("node")
    .select("id")
    .where("enterprise_id", "=", enterpriseId)
    .where("time_zone", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Writes them whole. */
export async function setParams(ctx: Context, enterpriseId: number, params: Params): Promise<void> {
  const { defaultPopStrategyId } = params;
  if (defaultPopStrategyId !== null) {
    const strategy = await ctx.db
      .selectFrom("pop_strategy")
      .select("id")
      .where(sql<SqlBool>`id = ${defaultPopStrategyId}`)
      .where(inCallerScope(ctx, "enterprise_id", "created_by"))
      .executeTakeFirst();
    if (!strategy) refuseField("defaultPopStrategyId", "unknown");
  }
  const values = {
    expire_notice_days: params.expireNoticeDays,
    timezone: params.timezone,
    default_pop_strategy_id: defaultPopStrategyId,
    log_days: params.logDays,
  };
  await ctx.db
    .insertInto("enterprise_param")
    .values({ enterprise_id: enterpriseId, ...values })
    .onConflict((conflict) =>
      conflict.column("enterprise_id").doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
}
