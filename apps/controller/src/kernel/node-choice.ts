/** CPEs that a row is about: the field `cpeIds` of a resource, kept in a table of its own. */
import { type SqlBool, sql } from "kysely";
import type { Context } from "./api.ts";
import { refuseField } from "./refuse.ts";
import { inCallerScope } from "./scope.ts";

export type ChoiceTable =
  | "dial_task_node"
  | "blacklist_node"
  | "firmware_task_node"
  | "cug_node"
  | "alarm_strategy_node";

/** CPEs of the caller's scope; refuses the field when one is not there, or not the caller's. */
export async function requireCpes(
  ctx: Context,
  ids: readonly number[],
  field: string,
): Promise<{ id: number; enterprise_id: number }[]> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return [];
  const rows = await ctx.db
    .selectFrom("node")
    .select(["id", "enterprise_id"])
    .where(sql<SqlBool>`id = any(${unique}::bigint[])`)
    .where("kind", "=", "cpe")
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .execute();
  if (rows.length !== unique.length) refuseField(field, "unknown");
  return rows;
}

/** Makes these CPEs the choice of a row, instead of what was chosen before. */
export async function writeChoice(
  ctx: Context,
  table: ChoiceTable,
  owner: { readonly id: number; readonly enterpriseId: number },
  ids: readonly number[],
): Promise<void> {
  const nodes = await requireCpes(ctx, ids, "cpeIds");
  await ctx.db.deleteFrom(table).where("owner_id", "=", owner.id).execute();
  if (nodes.length === 0) return;
  await sql`
    insert into ${sql.table(table)} (owner_id, enterprise_id, node_enterprise_id, node_id)
    select ${owner.id}, ${owner.enterpriseId}, one.enterprise, one.node
    from unnest(${nodes.map((node) => node.enterprise_id)}::bigint[],
      ${nodes.map((node) => node.id)}::bigint[]) as one (enterprise, node)`.execute(ctx.db);
}

/** Chosen CPEs by row, in the order of their ids. */
export async function readChoice(
  ctx: Context,
  table: ChoiceTable,
  owners: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ owner_id: number; ids: number[] }>`
    select owner_id, array_agg(node_id order by node_id) as ids from ${sql.table(table)}
    where owner_id = any(${[...owners]}::bigint[]) group by owner_id`.execute(ctx.db);
  return new Map(rows.map(({ owner_id, ids }) => [owner_id, ids]));
}
