/**
 * The networks of a space: what its members bring into it or send elsewhere. One list for all (`weft.space_networks`):
 * compile keeps it inside, and every write is held against it that could attract or divert another site's traffic. Which
 * of them collide is a rule of the database (`weft.network_collisions`), which triggers hold two writes of one moment
 * against as well, and findings are made by.
 */

import { networkOf, parsePrefix } from "@weft/contract/rules/address.ts";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/**
 * `lan`, `pool`: a site's own addresses, or those of its mobile clients. `announced`: it may be a summary, in
 * which other sites have longer prefixes. `shared`: the same, that other sites may announce as well by a preference of
 * theirs. `route`: a static route that is not announced.
 */
type Kind = "lan" | "pool" | "announced" | "shared" | "route";

/** A network that one site brings into a space, or would. */
interface SiteNetwork {
  /** That the caller sees; else its number. */
  readonly siteName: string;
  readonly network: string;
  readonly kind: Kind;
}

export interface Collision {
  readonly drafted: SiteNetwork;
  readonly other: SiteNetwork;
}

/** Rows of `weft.network_collisions` with the names of their sites, as far as the caller sees these, in its order. */
async function readCollisions(ctx: Context, collisions: RawBuilder<unknown>): Promise<Collision[]> {
  const { rows } = await sql<{
    node_id: number | null;
    name: string | null;
    network: string;
    kind: Kind;
    other_node_id: number | null;
    other_name: string | null;
    other_network: string;
    other_kind: Kind;
  }>`
    select c.node_id, drafted.name, c.network, c.kind,
      c.other_node_id, other.name as other_name, c.other_network, c.other_kind
    from (${collisions}) c
    left join node drafted on drafted.id = c.node_id
    left join node other on other.id = c.other_node_id
    order by c.place`.execute(ctx.db);
  return rows.map((row) => ({
    drafted: { siteName: row.name ?? `#${row.node_id}`, network: row.network, kind: row.kind },
    other: {
      siteName: row.other_name ?? `#${row.other_node_id}`,
      network: row.other_network,
      kind: row.other_kind,
    },
  }));
}

/**
 * Networks of other sites that collide with those which one site is about to get. None for a node that is not the
 * caller's: a draft that names one is refused later, and must not reveal before what another tenant has.
 */
export async function siteCollisions(
  ctx: Context,
  nodeId: number,
  networks: readonly Pick<SiteNetwork, "network" | "kind">[],
): Promise<SiteNetwork[]> {
  const drafted = networks.filter(({ network }) => parsePrefix(network) !== null);
  const collisions = await readCollisions(
    ctx,
    sql`select c.* from node n cross join lateral weft.site_collisions(n.id, ${JSON.stringify(drafted)}::jsonb) c
      where n.id = ${nodeId} and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`,
  );
  return collisions.map(({ other }) => other);
}

/**
 * Whether a row has these fields of its draft already. An edit that leaves what its site brings into a space as it
 * is, is not held against other sites; neither do the triggers (`weft.guard_networks`).
 * @param stored the row before; null: there is none
 */
export async function isThere<Draft extends object>(
  stored: Promise<object | null>,
  draft: Draft,
  fields: readonly (keyof Draft)[],
): Promise<boolean> {
  const row = (await stored) as Partial<Draft> | null;
  return row !== null && fields.every((field) => (row[field] ?? null) === (draft[field] ?? null));
}

/** A space, if it is the caller's. */
const callersSpace = (ctx: Context, spaceId: number) => sql`
  (select p.id from net_space p
    where p.id = ${spaceId} and ${inCallerScope(ctx, "p.enterprise_id", "p.created_by")})`;

/** Those of the nodes that are the caller's. */
const callersNodes = (ctx: Context, nodeIds: readonly number[]) => sql`
  array(select n.id from node n
    where n.id = any(${[...nodeIds]}::bigint[]) and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")})`;

/** The first collision of a pool of mobile clients with the sites and other pools of its space. */
export async function poolCollision(
  ctx: Context,
  { enterpriseId, spaceId, pool }: { enterpriseId: number; spaceId: number; pool: string },
): Promise<SiteNetwork | undefined> {
  const drafted = JSON.stringify([{ service_id: enterpriseId, network: pool, kind: "pool" }]);
  const [collision] = await readCollisions(
    ctx,
    sql`select * from weft.network_collisions(${callersSpace(ctx, spaceId)}, null, ${drafted}::jsonb)`,
  );
  return collision?.other;
}

/** The first collision of CPEs that become the members of a space, among each other and with its pools. */
export async function memberCollision(
  ctx: Context,
  cpeIds: readonly number[],
  spaceId: number | null,
): Promise<Collision | undefined> {
  const space = spaceId === null ? sql`null` : callersSpace(ctx, spaceId);
  // Who leaves the space by this edit takes its networks along: no present member counts.
  const [collision] = await readCollisions(
    ctx,
    sql`select * from weft.network_collisions(${space}, '{}', weft.drafted_members(${callersNodes(ctx, cpeIds)}))`,
  );
  return collision;
}

/** As `memberCollision`, of one CPE that joins those that stay. */
export async function joinCollision(
  ctx: Context,
  cpeId: number,
  spaceId: number,
): Promise<Collision | undefined> {
  const [collision] = await readCollisions(
    ctx,
    sql`select * from weft.network_collisions(${callersSpace(ctx, spaceId)}, null,
      weft.drafted_members(${callersNodes(ctx, [cpeId])}))`,
  );
  return collision;
}

/**
 * For each node its spaces with their networks, in the caller's transaction, whose scope must be the nodes': all that
 * must never leave them, of members that a node is linked with or not. Nodes of one space have the same list.
 */
export async function readSpaceNetworks(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, readonly string[]>>> {
  const { rows } = await sql<{ spaceId: number; nodes: number[]; networks: string[] }>`
    with own as (
      select space_id, array_agg(node_id) as nodes from space_member
      where node_id = any(${[...nodeIds]}::bigint[]) group by space_id
    ), kept as (
      select space_id, array_agg(distinct network) as networks
      from weft.space_networks(array(select space_id from own)) where kind <> 'route' group by space_id
    )
    select own.space_id as "spaceId", own.nodes, coalesce(kept.networks, '{}') as networks
    from own left join kept on kept.space_id = own.space_id`.execute(trx);
  const byNode = new Map<number, Map<number, readonly string[]>>();
  for (const { spaceId, nodes, networks } of rows) {
    const list = networks.map(networkOf);
    for (const node of nodes) byNode.set(node, (byNode.get(node) ?? new Map()).set(spaceId, list));
  }
  return byNode;
}
