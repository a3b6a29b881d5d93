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

/** A static route by which the next hop of another one may be found. */
export interface OtherRoute {
  readonly destination: string;
  readonly nextHop: string;
}

/** Other static routes of a site that may take effect, whoever made them. @param routeId the route that is written; null: a new one */
export async function otherRoutes(
  ctx: Context,
  nodeId: number,
  routeId: number | null,
): Promise<OtherRoute[]> {
  const { rows } = await sql<OtherRoute>`
    select r.destination, r.next_hop as "nextHop" from weft.static_routes_on(${ownNode(ctx, nodeId)}) r
    where r.enabled and r.metric < 255 and r.id is distinct from ${routeId} order by r.id`.execute(
    ctx.db,
  );
  return rows;
}

/** Networks around these next hops that other sites bring into the spaces of a site, whether the caller sees them or not. */
export async function spaceNetworksAround(
  ctx: Context,
  nodeId: number,
  nextHops: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ network: string }>`
    select s.network from weft.space_networks_around(${ownNode(ctx, nodeId)}, ${[...nextHops]}::inet[]) s (network)`.execute(
    ctx.db,
  );
  return rows.map(({ network }) => network);
}
