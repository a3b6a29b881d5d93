import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { enterpriseNames } from "#kernel/enterprise-names.ts";
import { nodeLists, withNodeList } from "#kernel/node-list.ts";
import { nodeNames } from "#kernel/node-names.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

const TABLE = "segment_route_node";
type Stored = Selectable<Database["segment_route"]>;

/** What rows have from other tables. */
async function complete(ctx: Context, rows: readonly Stored[]) {
  const [pops, enterprises, cpes] = await Promise.all([
    nodeLists(
      ctx,
      TABLE,
      rows.map(({ id }) => id),
    ),
    enterpriseNames(
      ctx,
      rows.map((row) => row.enterprise_id),
    ),
    nodeNames(
      ctx,
      rows.map((row) => row.cpe_id),
    ),
  ]);
  return rows.map((row) => ({
    popIds: pops.get(row.id) ?? [],
    enterpriseName: enterprises.get(row.enterprise_id) ?? "",
    cpeName: cpes.get(row.cpe_id) ?? null,
  }));
}

/** Segment routes with their POPs in the order in which traffic crosses them. */
export const segmentRouteStore = withNodeList(
  tableStore(segmentRoute, {
    table: "segment_route",
    columns: {
      id: "id",
      name: "name",
      groupid: "enterprise_id",
      cpeId: "cpe_id",
      popIds: null,
      destination: "destination",
      metric: "metric",
      enable: "enabled",
      remark: "remark",
      createTime: "created_at",
    },
    owner: { enterprise: "groupid" },
    filters: { name: "contains", cpeId: "equal" },
    matches: ({ popId }) =>
      popId === null
        ? null
        : sql`id in (select owner_id from segment_route_node where node_id = ${popId})`,
    constraints: {
      segment_route_name: { field: "name" },
      segment_route_once: { field: "destination" },
      // The key is checked with the enterprise: a stranger's CPE is none.
      segment_route_cpe: { field: "cpeId" },
    },
    complete,
  }),
  { field: "popIds", table: TABLE, kind: "pop" },
);

/** One segment route of the caller's. */
export async function readSegmentRoute(
  ctx: Context,
  id: number,
): Promise<RowOf<typeof segmentRoute>> {
  const row = await ctx.db
    .selectFrom("segment_route")
    .selectAll()
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  if (!row) refuse("notFound");
  const [more] = await complete(ctx, [row]);
  if (!more) refuse("notFound");
  return {
    id: row.id,
    name: row.name,
    groupid: row.enterprise_id,
    cpeId: row.cpe_id,
    destination: row.destination,
    metric: row.metric,
    enable: row.enabled,
    remark: row.remark,
    createTime: row.created_at,
    ...more,
  };
}
