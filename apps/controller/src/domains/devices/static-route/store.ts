import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { sql } from "kysely";
import { cpes, ofAllCpes, ownNode } from "#domains/devices/public.ts";
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
 * reported of links whose address comes from the carrier. Whoever made them.
 */
export async function nearNetworks(ctx: Context, nodeId: number): Promise<string[]> {
  const those = ownNode(ctx, nodeId);
  const { rows } = await sql<{ network: string }>`
    select one.network from weft.lans_on(${those}) s
      cross join lateral unnest(array[s.network, s.network6]) one(network) where one.network is not null
    union select one.network from weft.lines_on(${those}) l
      cross join lateral (values (l.ip), (case when l.ipv6_mode = 'static' then l.ip6 end)) one(network)
      where one.network is not null
    union select one ->> 'address' from node_status s
      cross join lateral jsonb_array_elements(s.lines || coalesce(s.ipv6_lines, '[]')) one
      where s.node_id = any(${those}) and one ->> 'address' is not null`.execute(ctx.db);
  return rows.map(({ network }) => network);
}

/**
 * Networks by which a device finds a next hop that is in none of its own: behind a router of the site, where another of its
 * static routes leads, or at another site of its space. As the routing daemon does, which uses any route but a default
 * (apps/edge/src/drivers/supported-state.ts). Whoever made them.
 * @param routeId the route that is written, which does not lead to its own next hop; null: a new one
 */
export async function networksBeyond(
  ctx: Context,
  nodeId: number,
  nextHop: string,
  routeId: number | null,
): Promise<string[]> {
  const those = ownNode(ctx, nodeId);
  const { rows } = await sql<{ network: string }>`
    select r.destination as network from weft.static_routes_on(${those}) r
      where r.enabled and r.id is distinct from ${routeId} and r.destination not like '%/0'
    union select s.network from weft.space_networks_around(${those}, array[${nextHop}::inet]) s (network)`.execute(
    ctx.db,
  );
  return rows.map(({ network }) => network);
}
