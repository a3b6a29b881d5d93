import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { sql } from "kysely";
import { cpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";

export const dhcpReservationStore = tableStore(dhcpReservation, {
  table: "dhcp_reservation",
  columns: {
    id: "id",
    nCpeID: "node_id",
    mac: "mac",
    address: "address",
    hostName: "host_name",
    remark: "remark",
  },
  owner: { row: "nCpeID", of: cpes },
  constraints: {
    dhcp_reservation_mac: { field: "mac" },
    dhcp_reservation_address: { field: "address" },
    dhcp_reservation_name: { field: "hostName" },
  },
});

/** Other devices of the nodes' standby groups, which keep the same addresses. */
export async function partnersOf(ctx: Context, nodeIds: readonly number[]): Promise<number[]> {
  const nodes = sql`${[...nodeIds]}::bigint[]`;
  const { rows } = await sql<{ id: number }>`
    select distinct partner as id from unnest(${nodes}) as own (id), unnest(weft.standby_pair(own.id)) partner
    where partner <> all(${nodes})`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
