import {
  type GroupUsers,
  type GroupUses,
  maxGroupUsers,
} from "@weft/contract/domains/policies/enterprise-group-fields.ts";
import {
  ipgroup,
  type ipgroupListNoPage,
  type ipgroupPreview,
} from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

type IpGroup = OutputOf<typeof ipgroupListNoPage>[number];

interface Owned {
  readonly enterprise_id: number;
  readonly created_by: number | null;
}

/** Whether the caller may read a row that is not the caller's to change. */
function isForeign({ caller: { scope } }: Context, row: Owned): boolean {
  if (scope.kind === "all") return false;
  return (
    !scope.ids.includes(row.enterprise_id) || (scope.ownOnly && row.created_by !== scope.userId)
  );
}

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
  names: { enterpriseName: enterprise("groupid") },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: { enterprise_ipgroup_name: { field: "name" } },
  shared: true,
  complete: (ctx, rows) => Promise.resolve(rows.map((row) => ({ fromAbove: isForeign(ctx, row) }))),
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
  names: { enterpriseName: enterprise("groupid") },
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

/** The table of the groups of templates and nodes that take the members of these, and whether a row acts below its enterprise. */
const takersOf = (table: GroupTable) =>
  table === "enterprise_ipgroup"
    ? { named: "router_ip_group", isShared: sql.ref("g.share") }
    : { named: "router_url_group", isShared: sql`false` };

/** Nodes with groups of the names of these, by their enterprise. */
export async function nodesOfGroups(
  ctx: Context,
  table: GroupTable,
  ids: readonly number[],
): Promise<readonly { readonly enterprise_id: number; readonly node_ids: number[] }[]> {
  const { named, isShared } = takersOf(table);
  const { rows } = await sql<{ enterprise_id: number; node_ids: number[] }>`
    select n.enterprise_id, n.node_ids from ${sql.table(table)} g
    cross join lateral weft.enterprise_group_nodes(g.enterprise_id, ${named}, g.name, ${isShared}) n
    where g.id = any(${[...ids]}::bigint[])`.execute(ctx.db);
  return rows;
}

interface UserRow {
  readonly group_id: number;
  readonly kind: "cpe" | "pop" | "template";
  readonly id: number;
  readonly name: string;
  /** Nodes, or templates, of the group. */
  readonly all: number;
}

/**
 * Nodes and templates by group, as far as the caller sees them.
 * @param users statement giving (group_id, node_id, template_id)
 */
async function readUsers(
  ctx: Context,
  users: RawBuilder<unknown>,
): Promise<ReadonlyMap<number, GroupUsers>> {
  const { rows } = await sql<UserRow>`
    with user_of as materialized (${users}), seen as (
      select u.group_id, n.kind, n.id, n.name, true as is_node
      from user_of u join node n on n.id = u.node_id
      where ${inCallerScope(ctx, "n.enterprise_id")}
      union all
      select u.group_id, 'template', t.id, t.name, false
      from user_of u join router_template t on t.id = u.template_id
      where ${inCallerScope(ctx, "t.enterprise_id")}
    ), placed as (
      select s.*, (count(*) over (partition by s.group_id, s.is_node))::int as all,
        row_number() over (partition by s.group_id, s.is_node order by s.name, s.id) as place
      from seen s
    )
    select group_id, kind, id, name, "all" from placed
    where place <= ${maxGroupUsers} order by group_id, place`.execute(ctx.db);
  const byGroup = Map.groupBy(rows, ({ group_id }) => group_id);
  return new Map([...byGroup].map(([id, found]) => [id, usersOf(found)]));
}

function usersOf(rows: readonly UserRow[]): GroupUsers {
  const nodes = rows.flatMap(({ kind, id, name, all }) =>
    kind === "template" ? [] : [{ id, kind, name, all }],
  );
  const templates = rows.filter(({ kind }) => kind === "template");
  return {
    nodeCount: nodes[0]?.all ?? 0,
    nodes: nodes.map(({ all: _, ...node }) => node),
    templateCount: templates[0]?.all ?? 0,
    templates: templates.map(({ id, name }) => ({ id, name })),
  };
}

/** Nodes and templates that take the members of these groups, as far as the caller sees groups, nodes and templates. */
export async function usesOfGroups(
  ctx: Context,
  table: GroupTable,
  ids: readonly number[],
): Promise<GroupUses[]> {
  const { named, isShared } = takersOf(table);
  const users = await readUsers(
    ctx,
    sql`select g.id as group_id, u.node_id, u.template_id from ${sql.table(table)} g
      cross join lateral weft.enterprise_group_users(
        g.enterprise_id, ${named}, g.name, ${isShared}, g.id) u
      where g.id = any(${[...ids]}::bigint[])`,
  );
  return [...new Set(ids)].map((id) => ({ id, ...(users.get(id) ?? usersOf([])) }));
}

/** The same of a group as it would be saved. */
export async function usersOfDraft(
  ctx: Context,
  table: GroupTable,
  { id, groupid, name, share }: InputOf<typeof ipgroupPreview>,
): Promise<GroupUsers> {
  if (groupid !== null) await requireEnterprise(ctx, groupid, "groupid");
  const { named } = takersOf(table);
  const isShared = share && table === "enterprise_ipgroup";
  const users = await readUsers(
    ctx,
    sql`select 0::bigint as group_id, u.node_id, u.template_id from weft.enterprise_group_users(
      ${groupid ?? ctx.caller.enterpriseId}::bigint, ${named}, ${name}, ${isShared}, ${id}::bigint) u`,
  );
  return users.get(0) ?? usersOf([]);
}
