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
  readonly node_id: number;
  readonly takes_part: boolean;
  readonly own_rate: number | null;
}

/**
 * Reads those of each node in the caller's transaction, whose scope must be the nodes'; one that is left out is in no
 * enabled group.
 */
export async function readGroups(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, GroupsView>> {
  const { rows } = await sql<Row>`
    select * from weft.groups_of(${[...nodeIds]}::bigint[])`.execute(trx);
  if (rows.length === 0) return new Map();
  const of = Map.groupBy(rows, ({ node_id }) => node_id);
  const networksOf = await readBrought(trx, [...of.keys()]);
  return new Map(
    [...of].map(([node, some]) => [
      node,
      {
        takesPart: some.every(({ takes_part }) => takes_part),
        rate: some[0]?.own_rate ?? null,
        groups: some.map(({ id, name, rate, members }) => ({ id, name, rate, members })),
        networks: networksOf(node),
      },
    ]),
  );
}

/** Who brings which network into the spaces of nodes; read once for each space. */
async function readBrought(trx: Transaction<Database>, nodes: readonly number[]) {
  const { rows: members } = await sql<{ node: number; space: number }>`
    select node_id as node, space_id as space from space_member
    where node_id = any(${[...nodes]}::bigint[])`.execute(trx);
  const spaces = [...new Set(members.map(({ space }) => space))];
  const { rows } = await sql<{ space: number; node: number; network: string }>`
    select distinct s.space_id as space, case when s.service_id is null then s.node_id else 0 end as node,
      s.network
    from weft.space_networks(${spaces}::bigint[]) s where s.kind <> 'route'`.execute(trx);
  const brought = new Map(
    [...Map.groupBy(rows, ({ space }) => space)].map(([space, some]) => [
      space,
      some.map(({ node, network }) => ({ node, network })),
    ]),
  );
  const spacesOf = Map.groupBy(members, ({ node }) => node);
  return (node: number): GroupsView["networks"] => {
    const [first, ...others] = (spacesOf.get(node) ?? []).map(
      ({ space }) => brought.get(space) ?? [],
    );
    return others.length === 0 ? (first ?? []) : [first ?? [], ...others].flat();
  };
}
