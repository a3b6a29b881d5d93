/** Addresses that are kept for hosts of a LAN section which is edited or removed. */
import type { Warning } from "@weft/contract/kernel/warning.ts";
import { isWithin } from "@weft/contract/rules/address.ts";
import { defaultRange, reservationObstacle } from "@weft/contract/rules/dhcp-range.ts";
import { sql } from "kysely";
import type { HandlerContext } from "#kernel/api.ts";

interface Section {
  readonly network: string;
  readonly ownAddress: string | null;
}

interface Found {
  readonly sections: readonly Section[];
  readonly reservations: readonly { readonly address: string; readonly host: string }[];
}

/**
 * Warns of reservations in the section as it was that no host can have by the sections that there are now: they are kept, do
 * not act, and show as findings. Both devices of a standby group keep those of either.
 * @param before the section before the write
 * @param path the field of the call
 */
export async function warnOfReservations(
  ctx: HandlerContext,
  nodeId: number,
  before: Section,
  path: "network" | "ids",
): Promise<void> {
  const { rows } = await sql<Found>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('network', s.network, 'ownAddress', s.own_address)), '[]')
        from lan_section s where s.node_id = any (weft.standby_pair(${nodeId}))) as sections,
      (select coalesce(jsonb_agg(jsonb_build_object('address', r.address, 'host', coalesce(r.host_name, r.mac))
          order by r.address::inet), '[]')
        from dhcp_reservation r where r.node_id = any (weft.standby_pair(${nodeId}))) as reservations`.execute(
    ctx.db,
  );
  const { sections = [], reservations = [] } = rows[0] ?? {};
  const lans = sections
    .filter(({ network }) => defaultRange(network) !== null)
    .map(({ network, ownAddress }) => ({
      network,
      ownAddresses: ownAddress === null ? [] : [ownAddress],
    }));
  const lost = reservations.filter(
    ({ address }) => isWithin(before.network, address) && reservationObstacle(address, lans),
  );
  const [first] = lost;
  if (first === undefined) return;
  const params = { ...first, count: lost.length };
  const warning: Warning = { path, warning: "reservationsLost", params };
  ctx.warn(warning);
}
