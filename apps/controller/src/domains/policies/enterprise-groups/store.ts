import { ipgroup } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";

type IpGroup = RowOf<typeof ipgroup>;

export const ipgroupStore = tableStore(ipgroup, {
  table: "enterprise_ipgroup",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    share: "share",
    members: "members",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: { enterprise_ipgroup_name: { field: "name" } },
});

export const urlgroupStore = tableStore(urlgroup, {
  table: "enterprise_urlgroup",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    members: "members",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: { enterprise_urlgroup_name: { field: "name" } },
});

const toRow = (row: Selectable<Database["enterprise_ipgroup"]>): IpGroup => ({
  id: row.id,
  name: row.name,
  groupid: row.enterprise_id,
  share: row.share,
  members: row.members,
  remark: row.remark,
  createTime: row.created_at,
});

/** All sets that row-level security shows: own ones, and those that an enterprise above shares. */
export async function readableIpGroups(ctx: Context): Promise<IpGroup[]> {
  const rows = await ctx.db
    .selectFrom("enterprise_ipgroup")
    .selectAll()
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.map(toRow);
}

/** What one enterprise may use; nothing for one that is not the caller's. */
export async function ipGroupsOf(ctx: Context, enterpriseId: number): Promise<IpGroup[]> {
  const rows = await ctx.db
    .selectFrom("enterprise_ipgroup")
    .selectAll()
    .where(
      sql<SqlBool>`(enterprise_id = ${enterpriseId}
        or share and enterprise_id = any (weft.above(array[${enterpriseId}]::bigint[])))`,
    )
    .where((eb) =>
      eb.exists(eb.selectFrom("enterprise as e").select("e.id").where("e.id", "=", enterpriseId)),
    )
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.map(toRow);
}

export type GroupTable = "enterprise_ipgroup" | "enterprise_urlgroup";

/** Nodes with groups of the names of these, by their enterprise. */
export async function nodesOfGroups(
  ctx: Context,
  table: GroupTable,
  ids: readonly number[],
): Promise<readonly { readonly enterprise_id: number; readonly node_ids: number[] }[]> {
  const isOfAddresses = table === "enterprise_ipgroup";
  const named = isOfAddresses ? "router_ip_group" : "router_url_group";
  const isShared = isOfAddresses ? sql.ref("g.share") : sql`false`;
  const { rows } = await sql<{ enterprise_id: number; node_ids: number[] }>`
    select n.enterprise_id, n.node_ids from ${sql.table(table)} g
    cross join lateral weft.enterprise_group_nodes(g.enterprise_id, ${named}, g.name, ${isShared}) n
    where g.id = any(${[...ids]}::bigint[])`.execute(ctx.db);
  return rows;
}
