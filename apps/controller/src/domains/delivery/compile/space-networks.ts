/** What must never leave a space: the networks of all its members, linked with the node or not. */
import { networkOf } from "@weft/contract/rules/address.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

interface Row {
  readonly spaceId: number;
  readonly networks: readonly string[];
}

/**
 * Networks by space that the node is in, in the caller's transaction, whose scope must be the
 * node's: sections that may enter the space, routes and notices that are announced (of a node that
 * is held at a past state: those of that state), and the pool of mobile clients.
 */
export async function readSpaceNetworks(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<Map<number, string[]>> {
  const { rows } = await sql<Row>`
    with member as (
      select m.space_id, m.node_id from space_member own
      join space_member m on m.space_id = own.space_id and m.kind = 'cpe'
      where own.node_id = ${nodeId}
    ), pinned as (
      select p.node_id, p.announced from node_pin p join member using (node_id)
    ), present as (
      select member.* from member where not exists (
        select from pinned where pinned.node_id = member.node_id)
    ), found as (
      select own.space_id, null as network from space_member own where own.node_id = ${nodeId}
      union all
      select space_id, unnest(announced) from member join pinned using (node_id)
      union all
      select space_id, unnest(array[network, network6])
      from present join lan_section using (node_id) where enable_forward
      union all
      select space_id, destination from present join static_route using (node_id)
      where enabled and announce
      union all
      select space_id, network from present join route_notice using (node_id) where enabled
      union all
      select c.space_id, c.pool::text from client_service c
      where c.enabled and c.pool is not null and c.space_id in (select space_id from member)
    )
    select space_id as "spaceId",
      coalesce(array_agg(distinct network) filter (where network is not null), '{}') as networks
    from found group by space_id`.execute(trx);
  return new Map(rows.map(({ spaceId, networks }) => [spaceId, networks.map(networkOf)]));
}
