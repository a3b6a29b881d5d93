import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { sql } from "kysely";
import { KnownStatements } from "#db/known-statements.ts";
import { cpes, ofAllCpes, ownNode } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { isInScope, scopeShape, scopeTerms, scopeValues } from "#kernel/scope.ts";
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

const statements = new KnownStatements();

/**
 * Networks in which a device finds next hops: its LAN sections, its static WAN links, and what it
 * reported of links whose address comes from the carrier. Whoever made them.
 */
export async function nearNetworks({ db, caller }: Context, nodeId: number): Promise<string[]> {
  const [found] = await statements.run<{ networks: string[] }>(
    db,
    `near ${scopeShape(caller)}`,
    (value) => {
      const inScope = isInScope(scopeTerms(caller.scope, value), "enterprise_id", "created_by");
      const own = sql`array(select id from node where id = ${value("node")} and ${inScope})`;
      return db.selectNoFrom(sql<string[]>`weft.near_networks(${own})`.as("networks"));
    },
    { ...scopeValues(caller), node: nodeId },
  );
  return found?.networks ?? [];
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
