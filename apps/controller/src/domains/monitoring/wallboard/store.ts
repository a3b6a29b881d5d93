import type { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Points that a map has room for. */
const maxDevices = 2_000;

/** Nodes of the caller that have a place, the ones that are offline first. */
export async function listDevices(
  ctx: Context,
): Promise<OutputOf<typeof wallboardData>["devices"]> {
  const { rows } = await sql<OutputOf<typeof wallboardData>["devices"][number]>`
    select n.id, n.kind, n.name as alias, n.longitude::float8 as lng, n.latitude::float8 as lat,
      coalesce(s.online, false) as status
    from node n left join node_status s on s.node_id = n.id
    where n.longitude is not null and n.latitude is not null
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by coalesce(s.online, false), n.id limit ${maxDevices}`.execute(ctx.db);
  return rows;
}
