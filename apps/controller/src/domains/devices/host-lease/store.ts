import type { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";

interface Found {
  readonly items: { address: string; mac: string; name: string | null; until: number }[];
  readonly total: number;
  /** Leases of the list that ended since they were reported. */
  readonly ended: number;
}

/** Leases of a CPE that hold now; null: the caller has no such CPE. */
export async function readLeases(
  ctx: Context,
  id: number,
): Promise<OutputOf<typeof cpeLeases> | null> {
  const { rows } = await sql<Found>`
    select coalesce(jsonb_agg(one order by (one ->> 'address')::inet) filter (where holds), '[]')
        as items, coalesce(s.lease_total, 0) as total,
      count(*) filter (where not holds)::int as ended
    from node n
      -- No device has been in contact yet where there is no row.
      left join node_status s on s.node_id = n.id
      left join lateral jsonb_array_elements(s.leases) one on true
      cross join lateral (
        select (one ->> 'until')::bigint > extract(epoch from now()) * 1000) as of (holds)
    where n.id = ${id} and n.kind = 'cpe' group by s.lease_total`.execute(ctx.db);
  const [found] = rows;
  if (!found) return null;
  return {
    items: found.items.map((one) => ({ ...one, until: new Date(one.until) })),
    total: found.total - found.ended,
  };
}
