/** Closed user groups of a site, as compile reads them. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** An enabled group that the site is in. */
export interface GroupView {
  readonly id: number;
  readonly name: string;
  /** bit/s. */
  readonly rate: number;
  /** Ids of the other CPEs in it that take part and are in the site's space. */
  readonly members: readonly number[];
}

export interface GroupsView {
  /** False: the site takes part in no group. */
  readonly takesPart: boolean;
  /** bit/s of the site in all groups together; null: as the groups have. */
  readonly rate: number | null;
  readonly groups: readonly GroupView[];
  /** Who brings which network into the space: a site by its id, a pool of mobile clients by 0. */
  readonly networks: readonly { readonly node: number; readonly network: string }[];
}

interface Row extends GroupView {
  readonly takes_part: boolean;
  readonly own_rate: number | null;
}

/** Reads them in the caller's transaction, whose scope must be the node's; null: it is in no enabled group. */
export async function readGroups(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<GroupsView | null> {
  const { rows } = await sql<Row>`select * from weft.groups_of(${nodeId})`.execute(trx);
  const [first] = rows;
  if (!first) return null;
  const { rows: networks } = await sql<GroupsView["networks"][number]>`
    select distinct case when s.service_id is null then s.node_id else 0 end as node, s.network
    from weft.space_networks(array(select space_id from space_member where node_id = ${nodeId})) s
    where s.kind <> 'route'`.execute(trx);
  return {
    takesPart: first.takes_part,
    rate: first.own_rate,
    groups: rows.map(({ id, name, rate, members }) => ({ id, name, rate, members })),
    networks,
  };
}
