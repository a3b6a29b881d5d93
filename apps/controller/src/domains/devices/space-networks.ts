/**
 * The networks of a space: what its members bring into it or send elsewhere. One list for all: compile
 * keeps it inside, and every write is held against it that could attract or divert another site's
 * traffic. The list itself is `weft.space_networks`; triggers hold two writes of one moment against the
 * same rule (`weft.require_no_collision`).
 */

import { networkOf, type Prefix, parsePrefix } from "@weft/contract/rules/address.ts";
import { prefixLookup } from "@weft/contract/rules/prefix-lookup.ts";
import { sql, type Transaction } from "kysely";
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
  /** The site; a pool of mobile clients is one of its own, however many there are at its POP. */
  readonly site: string;
  readonly siteName: string;
  readonly network: string;
  readonly kind: Kind;
}

export interface Collision {
  readonly drafted: SiteNetwork;
  readonly other: SiteNetwork;
}

const isOwn = ({ kind }: SiteNetwork): boolean => kind === "lan" || kind === "pool";

/** A site's own way out: no network of another site. */
const isOwnDefault = ({ network, kind }: SiteNetwork): boolean =>
  kind === "route" && network.endsWith("/0");

/** Whether one of two networks of different sites takes traffic of the other; `outer` contains `inner`. */
const collide = (outer: SiteNetwork, inner: SiteNetwork, isSame: boolean): boolean =>
  isOwn(outer) || (isSame && !(outer.kind === inner.kind && mayBeBoth.includes(inner.kind)));

/** What several sites may have of the same network. */
const mayBeBoth: readonly Kind[] = ["route", "shared"];

interface Placed {
  readonly one: SiteNetwork;
  readonly isDrafted: boolean;
  readonly prefix: Prefix;
}

/**
 * What drafted networks must not be saved for: each pair of them with a network of another site that one
 * would take traffic of. Pairs of networks that are there already are not named. Pure.
 */
export function collisions(
  drafted: readonly SiteNetwork[],
  there: readonly SiteNetwork[],
): Collision[] {
  const placed = [
    ...drafted.map((siteNetwork) => [siteNetwork, true] as const),
    ...there.map((siteNetwork) => [siteNetwork, false] as const),
  ];
  const keyed = ({ site, network }: SiteNetwork) => `${site} ${networkOf(network)}`;
  const shared = new Set(
    placed.flatMap(([siteNetwork]) =>
      siteNetwork.kind === "shared" && parsePrefix(siteNetwork.network) ? keyed(siteNetwork) : [],
    ),
  );
  const all = placed.flatMap(([siteNetwork, isDrafted]): Placed[] => {
    const prefix = parsePrefix(siteNetwork.network);
    if (!prefix || isOwnDefault(siteNetwork)) return [];
    // Its own way to a network that it shares with others is no network beside that.
    if (siteNetwork.kind === "route" && shared.has(keyed(siteNetwork))) return [];
    return [{ one: siteNetwork, isDrafted, prefix }];
  });
  const around = prefixLookup(all.map((network) => [network.prefix, network] as const));
  return all.flatMap((inner) =>
    around(inner.prefix)
      .toReversed()
      .flatMap((outer): Collision[] => {
        const isSame = outer.prefix.length === inner.prefix.length;
        if (outer.one.site === inner.one.site || !(outer.isDrafted || inner.isDrafted)) return [];
        if (!collide(outer.one, inner.one, isSame)) return [];
        return [
          inner.isDrafted
            ? { drafted: inner.one, other: outer.one }
            : { drafted: outer.one, other: inner.one },
        ];
      }),
  );
}

/** A network that is there already. */
interface Beside extends SiteNetwork {
  readonly nodeId: number;
  /** The site that the first of the nodes is at that were asked about. */
  readonly ownSite: string;
}

interface Row {
  readonly node_id: number;
  /** Of two nodes that stand for each other it is the first one's number. */
  readonly place: number;
  readonly own_place: number | null;
  readonly service_id: number | null;
  readonly name: string | null;
  readonly network: string;
  readonly kind: Kind;
}

const siteOf = (nodeId: number): string => `node ${nodeId}`;

/**
 * Networks of the spaces and of the spaces that the nodes are in, and those of the nodes themselves.
 * Those of sites that the caller does not see are among them, by the number of the site. Beside a
 * node or a space that is not the caller's there are none: a draft that names one is refused later,
 * and must not reveal before what another tenant has.
 */
async function networksBeside(
  ctx: Context,
  nodeIds: readonly number[],
  spaceIds: readonly number[] = [],
): Promise<Beside[]> {
  const [first = null] = nodeIds;
  const { rows } = await sql<Row>`
    with beside as materialized (select * from weft.networks_beside(
      array(select id from node where id = any(${[...nodeIds]}::bigint[])
        and ${inCallerScope(ctx, "enterprise_id", "created_by")}),
      array(select id from net_space where id = any(${[...spaceIds]}::bigint[])
        and ${inCallerScope(ctx, "enterprise_id", "created_by")})))
    select s.*, n.name, coalesce(p.site, s.node_id) as place,
      (select site from weft.standby_sites(array[${first}::bigint])) as own_place
    from beside s
    left join weft.standby_sites(array(select distinct node_id from beside)) p on p.node_id = s.node_id
    left join node n on n.id = s.node_id
    order by s.node_id, s.network`.execute(ctx.db);
  return rows.map(({ node_id, place, own_place, service_id, name, network, kind }) => ({
    nodeId: node_id,
    ownSite: siteOf(own_place ?? first ?? node_id),
    site: service_id === null ? siteOf(place) : poolOf(service_id),
    siteName: name ?? `#${node_id}`,
    network,
    kind,
  }));
}

const poolOf = (enterpriseId: number): string => `clients ${enterpriseId}`;

/**
 * Networks of other sites that collide with those which one site is about to get. What the site has
 * already is not compared again: a database from before this rule may hold pairs that break it, and their
 * rows must stay editable.
 */
export async function siteCollisions(
  ctx: Context,
  nodeId: number,
  networks: readonly Pick<SiteNetwork, "network" | "kind">[],
): Promise<SiteNetwork[]> {
  const all = await networksBeside(ctx, [nodeId]);
  // Without any network beside it there is nothing to collide with.
  const site = all[0]?.ownSite ?? siteOf(nodeId);
  const textOf = ({ network, kind }: Pick<SiteNetwork, "network" | "kind">) =>
    `${kind} ${networkOf(network)}`;
  const present = new Set(all.filter((one) => one.nodeId === nodeId).map(textOf));
  const others = all.filter((one) => one.site !== site);
  const ofSite = new Set(
    all.filter((one) => one.site === site && one.kind === "shared").map(textOf),
  );
  const drafted = networks
    .filter((network) => parsePrefix(network.network) !== null && !present.has(textOf(network)))
    // Its own way to a network that it shares with others.
    .filter(
      (network) => network.kind !== "route" || !ofSite.has(textOf({ ...network, kind: "shared" })),
    )
    .map((network) => ({ site, siteName: "", ...network }));
  return collisions(drafted, others).map(({ other }) => other);
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

/** The first collision of a pool of mobile clients with the sites and other pools of its space. */
export async function poolCollision(
  ctx: Context,
  { enterpriseId, spaceId, pool }: { enterpriseId: number; spaceId: number; pool: string },
): Promise<SiteNetwork | undefined> {
  const site = poolOf(enterpriseId);
  const others = (await networksBeside(ctx, [], [spaceId])).filter((one) => one.site !== site);
  return collisions([{ site, siteName: "", network: pool, kind: "pool" }], others)[0]?.other;
}

/** The first collision of CPEs that become the members of a space, among each other and with its pools. */
export async function memberCollision(
  ctx: Context,
  cpeIds: readonly number[],
  spaceId: number | null,
): Promise<Collision | undefined> {
  const all = await networksBeside(ctx, cpeIds, spaceId === null ? [] : [spaceId]);
  const drafted = all.filter(({ nodeId, kind }) => kind !== "pool" && cpeIds.includes(nodeId));
  // Who leaves the space by this edit takes its networks along.
  return collisions(
    drafted,
    all.filter(({ kind }) => kind === "pool"),
  )[0];
}

/** As `memberCollision`, of one CPE that joins those that stay. */
export async function joinCollision(
  ctx: Context,
  cpeId: number,
  spaceId: number,
): Promise<Collision | undefined> {
  const all = await networksBeside(ctx, [cpeId], [spaceId]);
  const isOwn = ({ nodeId, kind }: Beside): boolean => kind !== "pool" && nodeId === cpeId;
  const [drafted, there] = [all.filter(isOwn), all.filter((one) => !isOwn(one))];
  return collisions(drafted, there)[0];
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
  const found = new Map<number, Map<number, readonly string[]>>();
  for (const { spaceId, nodes, networks } of rows) {
    const list = networks.map(networkOf);
    for (const node of nodes) found.set(node, (found.get(node) ?? new Map()).set(spaceId, list));
  }
  return found;
}
