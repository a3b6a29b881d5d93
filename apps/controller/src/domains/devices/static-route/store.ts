import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { sql } from "kysely";
import { cpes, ofAllCpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";

export const staticRouteStore = tableStore(staticRoute, {
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
  owner: { row: "nCpeID", of: cpes },
  constraints: { static_route_once: { field: "destination" } },
  matches: ofAllCpes,
});

/**
 * Networks in which a device finds next hops: its LAN sections, its static WAN links, and what it
 * reported of links whose address comes from the carrier.
 */
export async function nearNetworks(ctx: Context, nodeId: number): Promise<string[]> {
  const { rows } = await sql<{ network: string }>`
    select one.network from lan_section s, lateral unnest(array[s.network, s.network6]) one(network)
    where s.node_id = ${nodeId} and one.network is not null
    union select l.ip from line l where l.node_id = ${nodeId} and l.ip is not null
    union select one ->> 'address' from node_status s, jsonb_array_elements(s.lines) one
    where s.node_id = ${nodeId} and one ->> 'address' is not null`.execute(ctx.db);
  return rows.map(({ network }) => network);
}
