import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { sql } from "kysely";
import { cpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";

export const blacklistStore = tableStore(blacklist, {
  table: "blacklist",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    type: "type",
    value: "value",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  members: { cpeIds: { table: "blacklist_node", of: cpes, from: "scope" } },
  owner: { enterprise: "groupid" },
  filters: { value: "contains", type: "equal" },
  constraints: { blacklist_once: { field: "value" } },
});

/** CPEs that an entry is in force at, by their enterprise. */
export async function nodesOfEntry(
  ctx: Context,
  id: number,
): Promise<{ enterprise_id: number; node_ids: number[] }[]> {
  const { rows } = await sql<{ enterprise_id: number; node_ids: number[] }>`
    select n.enterprise_id, array_agg(n.id order by n.id) as node_ids
    from blacklist_target t join node n on n.id = t.node_id
    where t.entry_id = ${id}
    group by n.enterprise_id`.execute(ctx.db);
  return rows;
}
