/**
 * Addresses by which tunnels and the management path travel, beside the networks that are saved: a network may contain
 * some, and then hosts reach them another way than before; no device may have one of them as its own.
 */
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import type { Warning } from "@weft/contract/kernel/warning.ts";
import {
  addressOf,
  isNearlyDefault,
  isWithin,
  parseAddress,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

interface TunnelEnd {
  /** Null: a controller. */
  readonly nodeId: number | null;
  /** Of the node; null: of a controller. */
  readonly name: string | null;
  readonly address: string;
}

interface Place {
  readonly nodeIds?: readonly number[];
  readonly spaceIds?: readonly number[];
}

/** "wss://192.0.2.1:8443" as devices know a controller; null for one that they find by its name. */
function addressOfController(url: string): string | null {
  const { hostname } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, "");
  return parseAddress(address) && !/^(127\.|::1$)/.test(address) ? address : null;
}

/**
 * Ends of tunnels in the spaces of the place, of the POPs that the caller sees, and the controllers. Beside a node or a
 * space that is not the caller's there are none.
 */
async function tunnelEnds(
  ctx: Context,
  { nodeIds = [], spaceIds = [] }: Place,
): Promise<TunnelEnd[]> {
  const { rows } = await sql<{ nodeId: number | null; name: string | null; address: string }>`
    with ends as materialized (
      select * from weft.tunnel_ends(
        array(select id from node where id = any(${[...nodeIds]}::bigint[])
          and ${inCallerScope(ctx, "enterprise_id", "created_by")}),
        array(select id from net_space where id = any(${[...spaceIds]}::bigint[])
          and ${inCallerScope(ctx, "enterprise_id", "created_by")}))
      union
      select l.node_id, one.address from line l join node n on n.id = l.node_id
        cross join lateral (values
          (case when l.addressing = 'static' then split_part(l.ip, '/', 1) end), (l.public_ip)) one (address)
        where n.kind = 'pop' and one.address is not null
    )
    select e.node_id as "nodeId", n.name, e.address from ends e left join node n on n.id = e.node_id
    order by e.node_id nulls last, e.address`.execute(ctx.db);
  return rows.flatMap(({ nodeId, name, address }): TunnelEnd[] => {
    if (nodeId !== null) return [{ nodeId, name: name ?? `#${nodeId}`, address }];
    const controllerAddress = addressOfController(address);
    return controllerAddress === null
      ? []
      : [{ nodeId: null, name: null, address: controllerAddress }];
  });
}

interface Drafted {
  readonly path: string;
  /** Null: none. */
  readonly network: string | null;
}

const withinOf = (network: string, ends: readonly TunnelEnd[]): TunnelEnd | undefined =>
  isNearlyDefault(network) ? undefined : ends.find(({ address }) => isWithin(network, address));

/**
 * Warns of networks that contain an end of tunnels: the first of each, by its name.
 * @param isAttached the device is in the networks itself, so that it looks for a controller there
 */
export async function warnOfTunnelEnds(
  ctx: Context,
  place: Place,
  drafted: readonly Drafted[],
  isAttached = false,
): Promise<void> {
  const present = drafted.flatMap(({ path, network }) =>
    network === null || parsePrefix(network) === null ? [] : [{ path, network }],
  );
  if (present.length === 0) return;
  const ends = await tunnelEnds(ctx, place);
  const warnings = present.flatMap(({ path, network }): Warning[] => {
    const tunnelEnd = withinOf(network, ends);
    if (tunnelEnd === undefined) return [];
    const { address, name } = tunnelEnd;
    if (name !== null)
      return [{ path, warning: "containsTunnelEnd", params: { network, address, name } }];
    const warning = isAttached ? "controllerInLan" : "containsController";
    return [{ path, warning, params: { network, address } }];
  });
  if (warnings.length > 0) ctx.warn(...warnings);
}

const textOf = (address: string): string => {
  const parsed = parseAddress(addressOf(address));
  return parsed === null ? "" : `${parsed.family} ${parsed.address}`;
};

/**
 * Addresses that a device is to have and that are a controller's. Those that tunnels call are held apart where they are
 * written (`weft.require_called_apart`).
 */
export function controllerIssues(
  known: readonly string[],
  drafted: readonly { readonly path: string; readonly address: string | null }[],
): RuleIssue[] {
  const controllerAddresses = new Set(known.map(textOf));
  return drafted.flatMap(({ path, address }): RuleIssue[] =>
    address === null || !controllerAddresses.has(textOf(address))
      ? []
      : [{ path, rule: "controllerAddress", params: { value: addressOf(address) } }],
  );
}

/** Addresses of the controllers as devices know them. */
export async function controllers(ctx: Context): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select unnest(edge_addresses) as url from installation`.execute(ctx.db);
  return rows.flatMap(({ url }) => addressOfController(url) ?? []);
}

/** The node, if it is the caller's: beside another one there is nothing to name. */
export const ownNode = (ctx: Context, nodeId: number) => sql`array(
  select id from node where id = ${nodeId} and ${inCallerScope(ctx, "enterprise_id", "created_by")})`;

/** What a WAN link is beside: what its device calls, by tunnels and for contact. */
export interface LineSurroundings {
  readonly isPop: boolean;
  readonly ends: readonly { readonly name: string; readonly address: string }[];
  readonly controllers: readonly string[];
}

/** Asks the database once for all of it. */
export async function lineSurroundings(ctx: Context, nodeId: number): Promise<LineSurroundings> {
  const { rows } = await sql<{
    isPop: boolean;
    ends: { name: string; address: string }[];
    urls: string[];
  }>`
    select coalesce((select kind = 'pop' from node where id = ${nodeId}), false) as "isPop",
      (select edge_addresses from installation) as urls,
      (select coalesce(json_agg(json_build_object('name', coalesce(n.name, '#' || c.node_id), 'address', c.address)
          order by c.node_id, c.address), '[]')
        from weft.called_beside(${ownNode(ctx, nodeId)}) c left join node n on n.id = c.node_id) as ends`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw new Error("a select of facts gave no row");
  const { isPop, ends, urls } = row;
  return { isPop, ends, controllers: urls.flatMap((url) => addressOfController(url) ?? []) };
}

/**
 * Warns of a WAN link whose network contains what the device calls: it is looked for on the link itself, as is right for a
 * neighbour and wrong after a slip in the prefix length.
 */
export function warnOfEndsOnLine(
  ctx: Context,
  { ends, controllers: known }: LineSurroundings,
  { path, network }: { readonly path: string; readonly network: string },
): void {
  const end = ends.find(({ address }) => isWithin(network, address));
  if (end) ctx.warn({ path, warning: "endOnLine", params: { network, ...end } });
  const controller = known.find((address) => isWithin(network, address));
  if (controller !== undefined)
    ctx.warn({ path, warning: "controllerOnLine", params: { network, address: controller } });
}

/** Warns of an address that tunnels call this node at and that lies in a network of another member of its spaces. */
export async function warnOfNetworksAround(
  ctx: Context,
  nodeId: number,
  { path, address }: { readonly path: string; readonly address: string },
): Promise<void> {
  const { rows } = await sql<{ name: string; network: string }>`
    select coalesce(n.name, '#' || a.node_id) as name, a.network
    from weft.networks_around(${ownNode(ctx, nodeId)}, ${address}) a left join node n on n.id = a.node_id
    order by masklen(a.network::inet) desc, a.node_id limit 1`.execute(ctx.db);
  const [found] = rows;
  if (found) ctx.warn({ path, warning: "endInNetwork", params: { address, ...found } });
}
