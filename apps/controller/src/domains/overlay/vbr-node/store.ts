import { auditStatus } from "@weft/contract/domains/enterprises/enums.ts";
import { vbrNode, vbrTable } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { holds } from "@weft/contract/permissions.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { node } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import { missingPermission } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { reference } from "#kernel/reference.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { Store } from "#kernel/resource-store.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

type Draft = DraftOf<typeof vbrNode>;
const waiting = { audit_status: auditStatus.waiting, audit_by: null, audited_at: null } as const;

/** Rows of each node's table. */
async function routesOf(
  ctx: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`
    select vbr_node_id as id, count(*)::int as n from vbr_table
    where vbr_node_id = any(${[...ids]}::bigint[]) group by vbr_node_id`.execute(ctx.db);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

const table = tableStore(vbrNode, {
  table: "vbr_node",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    cloud: "cloud",
    popId: "pop_id",
    vlan: "vlan",
    localIp: "local_ip",
    peerIp: "peer_ip",
    bandwidth: "bandwidth",
    auditStatus: "audit_status",
    auditBy: "audit_by",
    auditTime: "audited_at",
    auditRemark: "audit_remark",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  names: {
    enterpriseName: enterprise("groupid"),
    popName: node("popId", { hidesUnreadable: true }),
  },
  filters: { name: "contains", popId: "equal", auditStatus: "equal" },
  constraints: { vbr_node_name: { field: "name" } },
  async complete(ctx, rows) {
    const routes = await routesOf(
      ctx,
      rows.map(({ id }) => id),
    );
    const hidden = holds(ctx.caller, "vbrNodePopView") ? {} : { popId: null, popName: null };
    return rows.map((row) => ({ routes: routes.get(row.id) ?? 0, ...hidden }));
  },
});

/** The POP of a draft; for an edit without one, that of the node. */
async function popOf(ctx: Context, { popId }: Draft, id: number | null): Promise<number> {
  if (popId !== null) return popId;
  const row = id === null ? null : await lockNode(ctx, id);
  return row?.pop_id ?? refuseField("popId", "required");
}

/** A node of the caller's, locked; a missing one and one of others are refused alike. */
async function lockNode(ctx: Context, id: number): Promise<Selectable<Database["vbr_node"]>> {
  const row = await ctx.db
    .selectFrom("vbr_node")
    .selectAll()
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .forUpdate()
    .executeTakeFirst();
  return row ?? refuse("notFound");
}

/** Cross-cloud nodes; callers without permission for POPs do not see the POPs and cannot filter by them. */
export const vbrNodeStore: Store<typeof vbrNode> = {
  ...table,
  list(ctx, query) {
    if (query.popId !== null && !holds(ctx.caller, "vbrNodePopView"))
      throw missingPermission("vbrNodePopView");
    return table.list(ctx, query);
  },
  async add(ctx, draft) {
    return table.add(ctx, { ...draft, popId: await popOf(ctx, draft, null) });
  },
  async edit(ctx, id, draft) {
    const row = await table.edit(ctx, id, { ...draft, popId: await popOf(ctx, draft, id) });
    // The reviewed content differs from the stored one.
    await ctx.db
      .updateTable("vbr_node")
      .set({ ...waiting, audit_remark: null })
      .where("id", "=", id)
      .execute();
    return { ...row, new: row.new && { ...row.new, auditStatus: auditStatus.waiting } };
  },
};

/** Routes behind a cross-cloud node. */
export const vbrTableStore = tableStore(vbrTable, {
  table: "vbr_table",
  columns: {
    id: "id",
    vbrNodeId: "vbr_node_id",
    network: "network",
    nextHop: "next_hop",
    remark: "remark",
  },
  owner: { row: "vbrNodeId", of: reference("vbr_node") },
  constraints: { vbr_table_once: { field: "network" } },
});

/** Decides on a node that waits for review, and records who did, when and why. */
export async function reviewNode(
  ctx: Context,
  id: number,
  status: 1 | 2,
  remark: string | null,
): Promise<void> {
  const node = await lockNode(ctx, id);
  if (node.audit_status !== auditStatus.waiting)
    refuse("notAllowedNow", { reason: ["已审核", "it has already been reviewed"] });
  await ctx.db
    .updateTable("vbr_node")
    .set({
      audit_status: status,
      audit_by: ctx.caller.loginName,
      audited_at: sql<Date>`now()`,
      audit_remark: remark,
    })
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      // It may belong to another tenant, who is not named.
      const taken = { vbr_node_vlan: { field: "vlan" } };
      throw asRefusal(error, taken, { vlan: node.vlan }) ?? error;
    });
  await ctx.audit({
    resource: vbrNode.name,
    rowId: id,
    enterpriseId: node.enterprise_id,
    old: { name: node.name, auditStatus: node.audit_status },
    new: { name: node.name, auditStatus: status, auditRemark: remark },
  });
}
