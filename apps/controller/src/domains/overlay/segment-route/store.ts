import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import { sql } from "kysely";
import { node, pops } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Segment routes with their POPs in the order in which traffic crosses them. */
export const segmentRouteStore = tableStore(segmentRoute, {
  table: "segment_route",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    cpeId: "cpe_id",
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
  members: {
    popIds: { table: "segment_route_node", of: pops, from: "readable", isOrdered: true },
  },
  names: { enterpriseName: enterprise("groupid"), cpeName: node("cpeId") },
});
