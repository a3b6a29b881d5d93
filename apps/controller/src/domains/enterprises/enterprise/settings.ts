import type {
  enterpriseEditStrategy,
  enterpriseInfoEdit,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { placeColumns, type StoredEnterprise, writtenEnterprise } from "./row.ts";

/** The row, locked; refused when it is not the caller's. */
export async function lockEnterprise(ctx: Context, id: number): Promise<StoredEnterprise> {
  const row = await ctx.db
    .selectFrom("enterprise")
    .selectAll()
    .where("id", "=", id)
    .where(inCallerScope(ctx, "id"))
    .forUpdate()
    .executeTakeFirst();
  return row ?? refuse("notFound");
}

type Settable = Partial<
  Pick<StoredEnterprise, "enabled" | "node_config" | "is_push"> & ReturnType<typeof placeColumns>
>;

async function set(ctx: Context, id: number, values: Settable): Promise<WrittenRow> {
  const old = await lockEnterprise(ctx, id);
  const now = await ctx.db
    .updateTable("enterprise")
    .set({ ...values, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return writtenEnterprise(id, old, now);
}

/** Enables or disables an enterprise: its users' sessions stop immediately. */
export async function setEnabled(ctx: Context, id: number, enabled: boolean): Promise<WrittenRow> {
  const row = await set(ctx, id, { enabled });
  if (id === ctx.caller.enterpriseId && !enabled) {
    refuse("notAllowedNow", { reason: ["这是您自己的企业", "it is your own enterprise"] });
  }
  return row;
}

export const setNodeConfig = (ctx: Context, id: number, text: string): Promise<WrittenRow> =>
  set(ctx, id, { node_config: text });

export const setPush = (ctx: Context, id: number, isPush: boolean): Promise<WrittenRow> =>
  set(ctx, id, { is_push: isPush });

/** Information about the caller's own enterprise. */
export const setOwnInfo = (
  ctx: Context,
  info: Omit<InputOf<typeof enterpriseInfoEdit>, "rowVersion">,
): Promise<WrittenRow> => set(ctx, ctx.caller.enterpriseId, placeColumns(info));

/** Whether a CPE is handed to a partner carrier's system. */
export async function setCpePush(ctx: Context, id: number, isPush: boolean): Promise<WrittenRow> {
  const row = await ctx.db
    .updateTable("node")
    .set({ is_push: isPush, updated_at: sql`now()` })
    .where("id", "=", id)
    .where("kind", "=", "cpe")
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .returning(["id", "enterprise_id", "name"])
    .executeTakeFirst();
  if (!row) refuse("notFound");
  const { name: alias, enterprise_id: enterpriseId } = row;
  return { id, enterpriseId, old: { alias, isPush: !isPush }, new: { alias, isPush } };
}

/** POP ids of a strategy that the caller may give; refused otherwise. */
async function popsOf(ctx: Context, strategyId: number): Promise<Set<number>> {
  const rows = await ctx.db
    .selectFrom("pop_strategy as s")
    .leftJoin("pop_strategy_node as n", "n.owner_id", "s.id")
    .select("n.node_id")
    .where("s.id", "=", strategyId)
    .where(inCallerScope(ctx, "s.enterprise_id", "s.created_by"))
    .execute();
  if (rows.length === 0) refuseField("popStrategyId", "unknown");
  return new Set(rows.flatMap(({ node_id }) => node_id ?? []));
}

/** A new enterprise begins with the strategy that its parent has as default; without one, automatic. */
export async function giveDefaultStrategy(
  ctx: Context,
  id: number,
  parentId: number,
): Promise<void> {
  await sql`insert into enterprise_strategy (enterprise_id, strategy_type, pop_strategy_id)
    select ${id}, 1, default_pop_strategy_id from enterprise_param
    where enterprise_id = ${parentId} and default_pop_strategy_id is not null`.execute(ctx.db);
}

/** Which POPs an enterprise uses. */
export async function setStrategy(
  ctx: Context,
  input: InputOf<typeof enterpriseEditStrategy>,
): Promise<WrittenRow> {
  const { groupid, strategyType } = input;
  const { name } = await lockEnterprise(ctx, groupid);
  const popStrategyId = strategyType === 1 ? input.popStrategyId : null;
  const known = popStrategyId === null ? new Set<number>() : await popsOf(ctx, popStrategyId);
  const checkServerData = popStrategyId === null ? [] : [...new Set(input.checkServerData)];
  if (checkServerData.some((id) => !known.has(id))) refuseField("checkServerData", "unknown");
  const old = await ctx.db
    .selectFrom("enterprise_strategy")
    .selectAll()
    .where(sql<SqlBool>`enterprise_id = ${groupid}`)
    .executeTakeFirst();
  const values = {
    strategy_type: strategyType,
    pop_strategy_id: popStrategyId,
    check_server_ids: checkServerData,
  };
  await ctx.db
    .insertInto("enterprise_strategy")
    .values({ enterprise_id: groupid, ...values })
    .onConflict((conflict) =>
      conflict.column("enterprise_id").doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
  const { rows: spaces } = await sql<{ id: number }>`
    select id from weft.spaces_of_choices('{}', array[${groupid}]::bigint[]) as one (id)`.execute(
    ctx.db,
  );
  return {
    id: groupid,
    enterpriseId: groupid,
    ...(spaces.length > 0 && { touches: { spaceIds: spaces.map((space) => space.id) } }),
    old: {
      name,
      strategyType: old?.strategy_type ?? 0,
      popStrategyId: old?.pop_strategy_id ?? null,
      checkServerData: old?.check_server_ids ?? [],
    },
    new: { name, strategyType, popStrategyId, checkServerData },
  };
}
