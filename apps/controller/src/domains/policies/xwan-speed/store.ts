import { xwanSpeed, xwanSpeedDefine } from "@weft/contract/domains/policies/xwan-speed.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { enterpriseNames } from "#kernel/enterprise-names.ts";
import { refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Definitions of each profile. */
async function definesOf(
  ctx: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`
    select speed_id as id, count(*)::int as n from xwan_speed_define
    where speed_id = any(${[...ids]}::bigint[]) group by speed_id`.execute(ctx.db);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export const xwanSpeedStore = tableStore(xwanSpeed, {
  table: "xwan_speed",
  columns: {
    speedId: "id",
    name: "name",
    type: "type",
    groupid: "enterprise_id",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", type: "equal", groupid: "equal" },
  constraints: { xwan_speed_name: { field: "name" } },
  async complete(ctx, rows) {
    const [names, defines] = await Promise.all([
      enterpriseNames(
        ctx,
        rows.map((row) => row.enterprise_id),
      ),
      definesOf(
        ctx,
        rows.map(({ id }) => id),
      ),
    ]);
    return rows.map((row) => ({
      enterpriseName: names.get(row.enterprise_id) ?? "",
      defines: defines.get(row.id) ?? 0,
    }));
  },
});

export const xwanSpeedDefineStore = tableStore(xwanSpeedDefine, {
  table: "xwan_speed_define",
  columns: {
    id: "id",
    speedId: "speed_id",
    kind: "kind",
    value: "value",
    remark: "remark",
  },
  owner: { row: "speedId", of: "xwan_speed" },
  filters: { speedId: "equal", value: "contains" },
  constraints: { xwan_speed_define_once: { field: "value" } },
});

/** Refuses a profile that is not the caller's, or not there. */
export async function requireSpeed(ctx: Context, id: number): Promise<void> {
  const found = await ctx.db
    .selectFrom("xwan_speed")
    .select("id")
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  if (!found) refuseField("speedId", "unknown");
}
