import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { isLocalMac } from "@weft/contract/rules/mac-forms.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";

/* Makers of network cards, by the first three octets of their addresses (IEEE registry MA-L). */

/** Holder of blocks that are divided further: not a vendor. */
const ofRegistry = /^IEEE Registration Authority/i;

let makers: ReadonlyMap<string, string> | null = null;

/** Read on first use: 5 MB of text, which a start does not wait for. */
function allMakers(): ReadonlyMap<string, string> {
  if (makers) return makers;
  const file = fileURLToPath(import.meta.resolve("oui-data"));
  const entries = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
  const named = entries.map(([prefix, text]) => [prefix, text.split("\n")[0] ?? ""] as const);
  makers = new Map(named.filter(([, name]) => name !== "" && !ofRegistry.test(name)));
  return makers;
}

/** @param mac "00:1b:21:10:00:01"; null: chosen by the host itself, or registered to nobody that is known */
const vendorOf = (mac: string): string | null =>
  isLocalMac(mac)
    ? null
    : (allMakers().get(mac.slice(0, 8).replaceAll(":", "").toUpperCase()) ?? null);

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
