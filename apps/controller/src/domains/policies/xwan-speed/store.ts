import { xwanSpeed, xwanSpeedDefine } from "@weft/contract/domains/policies/xwan-speed.ts";
import { sql } from "kysely";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { reference, requireRow } from "#kernel/reference.ts";
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

const speeds = reference("xwan_speed");

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
  names: { enterpriseName: enterprise("groupid") },
  filters: { name: "contains", type: "equal", groupid: "equal" },
  constraints: { xwan_speed_name: { field: "name" } },
  async complete(ctx, rows) {
    const defines = await definesOf(
      ctx,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id }) => ({ defines: defines.get(id) ?? 0 }));
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
  owner: { row: "speedId", of: speeds },
  filters: { value: "contains" },
  constraints: { xwan_speed_define_once: { field: "value" } },
});

/** Refuses a profile that is not the caller's, or not there. */
export async function requireSpeed(ctx: Context, id: number): Promise<void> {
  await requireRow(ctx, speeds, id, "speedId");
}
