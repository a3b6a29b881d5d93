import type { popGroupDefList } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { popGroup, popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { pops } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { reference } from "#kernel/reference.ts";
import { namesIn } from "#kernel/row-names.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";
import { countsOf, noCounts } from "./sites.ts";

/** Strategies with their POPs in order of preference. */
export const popStrategyStore = tableStore(popStrategy, {
  table: "pop_strategy",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: {
    pop_strategy_name: { field: "name" },
    enterprise_strategy_pop: { by: ["企业", "enterprises"] },
  },
  members: {
    popIds: { table: "pop_strategy_node", of: pops, from: "readable", isOrdered: true },
  },
  names: { enterpriseName: enterprise("groupid") },
  async complete(ctx, rows) {
    const ids = rows.map(({ id }) => id);
    const counts = await countsOf(ctx, ids);
    return ids.map((id) => counts.get(id) ?? noCounts);
  },
});

/** Groups of POPs inside a strategy. */
export const popGroupStore = tableStore(popGroup, {
  table: "pop_group",
  columns: {
    id: "id",
    name: "name",
    strategyId: "strategy_id",
    createTime: "created_at",
  },
  owner: { row: "strategyId", of: reference("pop_strategy") },
  constraints: { pop_group_name: { field: "name" } },
  members: {
    popIds: { table: "pop_group_node", of: pops, from: "readable", isOrdered: true },
  },
  names: { strategyName: namesIn("pop_strategy")("strategyId") },
});

/** Groups of a strategy, or all in scope, by name. */
export function listGroupCombo(
  ctx: Context,
  strategyId: number | null,
): Promise<{ id: number; name: string }[]> {
  let query = ctx.db
    .selectFrom("pop_group")
    .select(["id", "name"])
    .where(inCallerScope(ctx, "enterprise_id", "created_by"));
  if (strategyId !== null) query = query.where("strategy_id", "=", strategyId);
  return query.orderBy("name").orderBy("id").execute();
}

/** A page of the POPs of a group, in its order. */
export async function listGroupPops(
  ctx: Context,
  { groupid, page, limit }: InputOf<typeof popGroupDefList>,
): Promise<ResultOf<typeof popGroupDefList>> {
  const from = sql`from pop_group_node m join pop_group g on g.id = m.owner_id
    join node n on n.id = m.node_id
    where g.id = ${groupid} and ${inCallerScope(ctx, "g.enterprise_id", "g.created_by")}`;
  const [selected, total] = await Promise.all([
    sql<{ popId: number; popName: string; regions: string; linkStatus: boolean }>`
      select n.id as "popId", n.name as "popName", n.regions,
        coalesce((select s.online from node_status s where s.node_id = n.id), false) as "linkStatus"
      ${from} order by m.place limit ${limit} offset ${(page - 1) * limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n ${from}`.execute(ctx.db),
  ]);
  const rows = selected.rows.map((row) => ({ id: row.popId, groupid, ...row }));
  return { rows, count: total.rows[0]?.n ?? 0 };
}
