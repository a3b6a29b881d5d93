/** Networks of other sites, as the save of one site's settings looks at them. */
import { overlaps, parsePrefix } from "@weft/contract/rules/address.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";

/** A network that another member of a shared space brings in. */
interface FarNetwork {
  readonly nodeName: string;
  readonly network: string;
  /** True: it may be a summary, in which other sites have longer prefixes; false: LANs and pools. */
  readonly isAnnounced: boolean;
}

/**
 * What the other members of the node's spaces bring in, as far as the caller sees them: LAN sections,
 * announced static routes and route notices (those of the past state that a site is held at) and the
 * pool of mobile clients. The same networks that compile keeps inside
 * (domains/delivery/compile/space-networks.ts).
 */
export async function farNetworks(ctx: Context, nodeId: number): Promise<FarNetwork[]> {
  const { rows } = await sql<FarNetwork>`
    with mine as (select space_id from space_member where node_id = ${nodeId}),
    peer as (
      select distinct node_id from space_member join mine using (space_id) where node_id <> ${nodeId}
    ), pinned as (
      select node_id, announced from node_pin join peer using (node_id)
    ), present as (
      select node_id from peer where node_id not in (select node_id from pinned)
    ), found as (
      select node_id, unnest(array[network, network6]) as network, false as announced
      from present join lan_section using (node_id) where enable_forward
      union all
      select pop_id, pool::text, false from client_service join mine using (space_id) where enabled
      union all
      select node_id, destination, true from present join static_route using (node_id)
      where enabled and announce
      union all
      select node_id, network, true from present join route_notice using (node_id) where enabled
      union all
      select node_id, unnest(announced), true from pinned
    )
    select n.name as "nodeName", network, announced as "isAnnounced"
    from found join node n on n.id = found.node_id where network is not null
    order by 3, 1, 2`.execute(ctx.db);
  return rows;
}

/**
 * The network of another site whose traffic a prefix would attract or divert: one that is as long or
 * longer counts before a LAN or a pool; of what is announced only the very same, as sites in a summary
 * have longer prefixes. Pure.
 */
export const attracted = (network: string, far: readonly FarNetwork[]): FarNetwork | undefined => {
  const own = parsePrefix(network);
  return far.find((one) => {
    const other = parsePrefix(one.network);
    if (own === null || other === null || !overlaps(own, other)) return false;
    return one.isAnnounced ? own.length === other.length : own.length >= other.length;
  });
};
