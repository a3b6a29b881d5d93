import type { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { isLocalMac } from "@weft/contract/rules/mac-forms.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { vendorOf } from "./vendors.ts";

interface Found {
  readonly items: {
    address: string;
    mac: string;
    name: string | null;
    until: number;
    /** Absent: stored before it was kept. */
    since?: number;
    network: string | null;
    reservedTo: string | null;
  }[];
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
    with lan as materialized (
      select s.network from lan_section s where s.node_id = ${id}
    ), kept as materialized (
      -- The other device of its standby group keeps the same addresses.
      select r.address, r.mac from dhcp_reservation r where r.node_id = any (weft.standby_pair(${id}))
    )
    select coalesce(jsonb_agg(one || jsonb_build_object('reservedTo', kept.mac, 'network',
          (select lan.network from lan where (one ->> 'address')::inet <<= network(lan.network::inet)
            order by masklen(lan.network::inet) desc limit 1))
        order by (one ->> 'address')::inet) filter (where holds), '[]') as items,
      coalesce(s.lease_total, 0) as total,
      count(*) filter (where not holds)::int as ended
    from node n
      -- No device has been in contact yet where there is no row.
      left join node_status s on s.node_id = n.id
      left join lateral jsonb_array_elements(s.leases) one on true
      left join kept on kept.address = one ->> 'address'
      cross join lateral (
        select (one ->> 'until')::bigint > extract(epoch from now()) * 1000) as of (holds)
    where n.id = ${id} and n.kind = 'cpe' group by s.lease_total`.execute(ctx.db);
  const [found] = rows;
  if (!found) return null;
  return {
    items: found.items.map(({ until, since, network, reservedTo, ...one }) => ({
      ...one,
      until: new Date(until),
      since: since === undefined ? null : new Date(since),
      vendor: vendorOf(one.mac),
      isLocalMac: isLocalMac(one.mac),
      network: network === null ? null : networkOf(network),
      reserved: reservedTo === null ? null : reservedTo === one.mac ? "own" : "other",
    })),
    total: found.total - found.ended,
  };
}
