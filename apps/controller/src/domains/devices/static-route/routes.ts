import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { tableStore } from "#kernel/table-store.ts";

const store = tableStore(staticRoute, {
  table: "static_route",
  columns: {
    nID: "id",
    nCpeID: "node_id",
    nEnable: "enabled",
    destination: "destination",
    nextHop: "next_hop",
    metric: "metric",
    announce: "announce",
    remark: "remark",
  },
  owner: { node: "nCpeID", kind: "cpe" },
  constraints: { static_route_once: { field: "destination" } },
});

/** Static routes of CPEs. */
export function staticRouteRoutes(app: FastifyInstance): void {
  mountResource(app, staticRoute, store);
}
