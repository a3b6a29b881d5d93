/** What compile reads: nodes, their links and the other ends, all on one snapshot. */
import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import { type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { lineAddress } from "#domains/delivery/links/public.ts";
import { readSpaceNetworks } from "#domains/devices/public.ts";
import { readCircuits } from "#domains/overlay/circuit/public.ts";
import { readGroups } from "#domains/overlay/cug/public.ts";
import { isOfPair } from "#domains/overlay/link/public.ts";
import { readSegments } from "#domains/overlay/segment-route/public.ts";
import { readClasses } from "#domains/overlay/traffic-class/public.ts";
import { readAccelerations } from "#domains/policies/acceleration/public.ts";
import {
  policyRowsOf,
  readEnterpriseGroups,
  readStoredPolicies,
} from "#domains/policies/merged/public.ts";
import {
  type PolicyContext,
  readSiteObjects,
  type SiteObject,
} from "#domains/policies/policy-finding/public.ts";
import type { Vault } from "#kernel/vault.ts";
import type { NodeView, ViewLink, ViewNode } from "./compile.ts";
import { readSites, type ViewSite } from "./device-settings.ts";
import { requireAllIntent } from "./intent-counts.ts";
import { type LineQualities, readLineQualities } from "./line-qualities.ts";
import { calledLine, readServices } from "./mobile-clients.ts";
import { sealTo, standIn } from "./neighbor-password.ts";
import { readPublished } from "./published-template.ts";
import type { ViewStandby } from "./standby-section.ts";

type Trx = Transaction<Database>;
type NodeRow = Pick<
  Selectable<Database["node"]>,
  "id" | "kind" | "name" | "enterprise_id" | "x_mode"
> &
  Pick<Selectable<Database["node_status"]>, "lines"> & {
    /** kbit/s of a CPE by its configuration, or of a POP; 0 or null: not limited. */
    readonly bandwidth: number | null;
    /** Bytes inside every tunnel of it; 0: as each line says. */
    readonly mtu: number;
  };

export interface ReadView extends NodeView {
  readonly enterpriseId: number;
  readonly capabilities: PolicyContext["capabilities"];
  readonly siteObjects: readonly SiteObject[];
}

/** Of each node its view, or why it has none; a node that does not exist is left out. */
export type ReadViews = ReadonlyMap<number, ReadView | Error>;

/**
 * Reads the views of nodes in the caller's transaction, which must be on one snapshot; its scope becomes theirs. Each
 * reader reads for all of them at a time.
 * @param vault of what is sent to the devices; without it the states are for comparing only
 * @throws Error when a row that the states are made of cannot be read: an empty answer in its place
 * would take away what it stands for.
 */
export async function readViews(
  trx: Trx,
  nodeIds: readonly number[],
  vault?: Vault,
): Promise<ReadViews> {
  await setScope(trx, nodeIds);
  // Side by side: they travel together.
  const [links, templates] = await Promise.all([
    readLinks(trx, nodeIds),
    readPublished(trx, nodeIds),
  ]);
  const linksOf = linksByNode(links, nodeIds);
  const ids = [...new Set([...nodeIds, ...links.flatMap(({ a, b }) => [a.node, b.node])])];
  const [
    nodes,
    sites,
    services,
    spaces,
    policies,
    enterpriseGroups,
    devices,
    siteObjects,
    groups,
    circuits,
  ] = await Promise.all([
    readNodes(trx, ids),
    readSites(trx, nodeIds),
    readServices(trx, nodeIds),
    readSpaceNetworks(trx, nodeIds),
    readStoredPolicies(trx, "node_id", nodeIds),
    readEnterpriseGroups(trx, nodeIds),
    readDevices(trx, nodeIds),
    readSiteObjects(trx, nodeIds),
    readGroups(trx, nodeIds),
    readCircuits(trx, nodeIds),
    requireAllIntent(trx, nodeIds, ids),
  ]);
  const allSpaces = [...new Set([...spaces.values()].flatMap((space) => [...space.keys()]))];
  const [segments, classes, accelerations] = await Promise.all([
    readSegments(trx, allSpaces),
    readClasses(trx, allSpaces),
    readAccelerations(trx, allSpaces),
  ]);
  const viewOf = (nodeId: number): ReadView | Error | null => {
    const node = nodes.get(nodeId);
    if (!node) return null;
    const ownLinks = linksOf.get(nodeId) ?? [];
    const others = [...new Set(ownLinks.flatMap(({ a, b }) => [a.node, b.node]))].filter(
      (id) => id !== nodeId,
    );
    const missing = others.filter((id) => !nodes.has(id));
    if (missing.length > 0)
      return new Error(`node ${nodeId}: its peers ${missing} are not readable`);
    const peers = new Map(
      others.flatMap((id) => {
        const peer = nodes.get(id);
        return peer ? [[id, peer.view] as const] : [];
      }),
    );
    const { tunnelKey, ...device } = devices.get(nodeId) ?? noDevice;
    const ownSpaces = spaces.get(nodeId) ?? new Map<number, readonly string[]>();
    return {
      node: node.view,
      enterpriseId: node.enterpriseId,
      links: ownLinks,
      peers,
      template: templates.get(nodeId) ?? null,
      ...(sites.has(nodeId) && { site: sites.get(nodeId) as ViewSite }),
      services: services.get(nodeId) ?? [],
      spaces: ownSpaces,
      ...device,
      siteObjects: siteObjects.get(nodeId) ?? [],
      groups: groups.get(nodeId) ?? null,
      circuits: circuits.get(nodeId) ?? [],
      segments: ofSpaces(segments, ownSpaces),
      classes: ofSpaces(classes, ownSpaces),
      accelerations: ofSpaces(accelerations, ownSpaces),
      policy: policyRowsOf(policies.get(nodeId) ?? {}),
      enterpriseGroups: enterpriseGroups.get(node.enterpriseId) ?? {},
      sealPassword: vault ? sealTo(vault, nodeId, tunnelKey) : standIn,
    };
  };
  return new Map(
    nodeIds.flatMap((nodeId) => {
      const view = viewOf(nodeId);
      return view ? [[nodeId, view] as const] : [];
    }),
  );
}

/**
 * Reads the view of one node, as `readViews`; null when there is no such node.
 * @throws Error what keeps the node from being compiled
 */
export async function readView(trx: Trx, nodeId: number, vault?: Vault): Promise<ReadView | null> {
  const view = (await readViews(trx, [nodeId], vault)).get(nodeId) ?? null;
  if (view instanceof Error) throw view;
  return view;
}

/** The caller's transaction reads what the states of these nodes are made of. */
async function setScope(trx: Trx, nodeIds: readonly number[]): Promise<void> {
  await sql`select set_config('weft.scope',
    weft.compile_scope(${[...nodeIds]}::bigint[])::text, true)`.execute(trx);
}

/** A link is in the view of each of its ends. */
function linksByNode(
  links: readonly ViewLink[],
  nodeIds: readonly number[],
): ReadonlyMap<number, readonly ViewLink[]> {
  const found = new Map<number, ViewLink[]>(nodeIds.map((id) => [id, []]));
  for (const link of links) {
    found.get(link.a.node)?.push(link);
    if (link.b.node !== link.a.node) found.get(link.b.node)?.push(link);
  }
  return found;
}

const ofSpaces = <Value>(
  all: ReadonlyMap<number, Value>,
  own: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, Value> => new Map([...all].filter(([space]) => own.has(space)));

const noDevice: ViewDevice = {
  tunnelKey: null,
  capabilities: null,
  timeZone: defaultParams.timezone,
};

interface ViewDevice {
  readonly tunnelKey: string | null;
  readonly capabilities: PolicyContext["capabilities"];
  readonly timeZone: string;
  readonly standby?: ViewStandby;
  /** LANs of it whose gateway is another device's, for which it does not stand; absent: none. */
  readonly rivals?: readonly string[];
}

/** What devices reported that they can do (every one that reports can do something), and their time zones. */
async function readDevices(
  trx: Trx,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, ViewDevice>> {
  const rivals = sql<{ node_id: number; networks: string[] }>`(
    select node_id, array_agg(network order by network) as networks
    from weft.standby_rivals(${[...nodeIds]}::bigint[]) group by node_id)`.as("rivals");
  const [rows, standbys] = await Promise.all([
    trx
      .selectFrom("node")
      .leftJoin("node_status", "node_status.node_id", "node.id")
      .leftJoin("enterprise_param", "enterprise_param.enterprise_id", "node.enterprise_id")
      .leftJoin(rivals, (join) => join.onRef("rivals.node_id", "=", "node.id"))
      .select(["node.id", "node_status.capabilities", "node_status.tunnel_key"])
      .select("rivals.networks as rivals")
      .select(({ fn }) => fn.coalesce("node.time_zone", "enterprise_param.timezone").as("timeZone"))
      .where(sql<boolean>`node.id = any(${[...nodeIds]}::bigint[])`)
      .execute(),
    readStandbys(trx, nodeIds),
  ]);
  return new Map(
    rows.map(({ id, capabilities, tunnel_key, timeZone, rivals: networks }) => {
      const standby = standbys.get(id);
      return [
        id,
        {
          tunnelKey: tunnel_key,
          capabilities: capabilities && capabilities.length > 0 ? capabilities : null,
          timeZone: timeZone ?? defaultParams.timezone,
          ...(standby && { standby }),
          ...(networks && { rivals: networks }),
        },
      ];
    }),
  );
}

/** The places of nodes in their standby groups, and what the other device of each can do. */
async function readStandbys(
  trx: Trx,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, ViewStandby>> {
  const { rows } = await sql<ViewStandby & { readonly node: number }>`
    select node_id as node, standby_group as "group", role, priority, partner_can as "partnerCan",
      line, partner, is_beyond as "isBeyond"
    from weft.standby_of(${[...nodeIds]}::bigint[])`.execute(trx);
  return new Map(rows.map(({ node, ...standby }) => [node, standby]));
}

/**
 * The POP as clients call it: its line, and its public key (null: no device reported one). Read as the
 * worker does: it may be another enterprise's, whose lines the caller cannot read. That the caller
 * may know it must have been checked before.
 */
export async function readCalled(pools: Pools<Database>, popId: number) {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return scopedSnapshot(pools.worker, scope, async (trx) => {
    await setScope(trx, [popId]);
    const [nodes, status] = await Promise.all([
      readNodes(trx, [popId]),
      trx
        .selectFrom("node_status")
        .select("tunnel_key")
        .where("node_id", "=", popId)
        .executeTakeFirst(),
    ]);
    const line = calledLine(nodes.get(popId)?.view.lines ?? []);
    return { line, key: status?.tunnel_key ?? null };
  });
}

/** Links whose two ends are members of their space: others are about to be removed. */
async function readLinks(trx: Trx, nodeIds: readonly number[]): Promise<ViewLink[]> {
  const among = (column: string) =>
    sql<boolean>`${sql.ref(column)} = any(${[...nodeIds]}::bigint[])`;
  const rows = await trx
    .selectFrom("link")
    .innerJoin("space_member as am", (join) =>
      join.onRef("am.space_id", "=", "link.space_id").onRef("am.node_id", "=", "link.a_node_id"),
    )
    .innerJoin("space_member as bm", (join) =>
      join.onRef("bm.space_id", "=", "link.space_id").onRef("bm.node_id", "=", "link.b_node_id"),
    )
    .leftJoin("link_choice", (join) =>
      join.onRef("link_choice.space_id", "=", "link.space_id").on(isOfPair("link", "link_choice")),
    )
    .selectAll("link")
    .select("link_choice.preference")
    .where(({ or }) => or([among("link.a_node_id"), among("link.b_node_id")]))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    spaceId: row.space_id,
    index: row.index_in_space,
    preference: row.preference,
    place: row.place,
    isLeaving: row.is_leaving,
    a: { node: row.a_node_id, slot: row.a_slot, port: row.a_port, key: row.a_key },
    b: { node: row.b_node_id, slot: row.b_slot, port: row.b_port, key: row.b_key },
  }));
}

/** Nodes as compile sees them, with whom they belong to; those that are not readable are left out. */
export async function readNodes(trx: Trx, ids: readonly number[]) {
  const among = (column: string) => sql<boolean>`${sql.ref(column)} = any(${ids}::bigint[])`;
  // Side by side: they travel together.
  const [nodes, lines, sections, routes, notices, pins, qualities] = await Promise.all([
    trx
      .selectFrom("node")
      .leftJoin("node_status", "node_status.node_id", "node.id")
      .leftJoin("node_config", "node_config.node_id", "node.id")
      .select(["node.id", "node.kind", "node.name", "node.enterprise_id", "node.x_mode"])
      .select(["node_status.lines"])
      .select(sql<number>`coalesce((items ->> 'mtu')::int, 0)`.as("mtu"))
      .select(
        sql<number | null>`case node.kind when 'pop' then node.bandwidth_kbps
          else nullif((items ->> 'bandwidth')::bigint, 0) end`.as("bandwidth"),
      )
      .where(among("node.id"))
      .execute(),
    trx.selectFrom("line").selectAll().where(among("node_id")).execute(),
    trx.selectFrom("lan_section").selectAll().where(among("node_id")).execute(),
    trx.selectFrom("static_route").selectAll().where(among("node_id")).execute(),
    trx
      .selectFrom("route_notice")
      .select(["node_id", "network", "preference"])
      .where("enabled", "=", true)
      .where(among("node_id"))
      .execute(),
    trx.selectFrom("node_pin").select(["node_id", "announced"]).where(among("node_id")).execute(),
    readLineQualities(trx, ids),
  ]);
  const of = {
    pins: new Map(pins.map(({ node_id, announced }) => [node_id, announced])),
    lines: groupByNode(lines),
    sections: groupByNode(sections),
    routes: groupByNode(routes),
    notices: groupByNode(notices),
    qualities,
  };
  return new Map(
    (nodes as NodeRow[]).map((node) => [
      node.id,
      { enterpriseId: node.enterprise_id, view: toViewNode(node, of) },
    ]),
  );
}

function groupByNode<Row extends { node_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  return Map.groupBy(rows, (row) => row.node_id);
}

interface RowsOf {
  readonly pins: ReadonlyMap<number, readonly string[]>;
  readonly lines: Map<number, Selectable<Database["line"]>[]>;
  readonly sections: Map<number, Selectable<Database["lan_section"]>[]>;
  readonly routes: Map<number, Selectable<Database["static_route"]>[]>;
  readonly notices: Map<number, { node_id: number; network: string; preference: number | null }[]>;
  readonly qualities: LineQualities;
}

const toViewNode = (node: NodeRow, of: RowsOf): ViewNode => ({
  id: node.id,
  kind: node.kind,
  name: node.name,
  xMode: node.x_mode,
  announced: of.pins.get(node.id) ?? null,
  bandwidth: node.bandwidth,
  lines: (of.lines.get(node.id) ?? []).map((line) => ({
    id: line.id,
    name: line.name,
    slot: line.slot,
    interfaceName: line.interface_name,
    addressing: line.addressing,
    ip: line.ip,
    gateway: line.gateway,
    ipv6: {
      mode: line.ipv6_mode,
      ip: line.ip6,
      gateway: line.gateway6,
      length: line.prefix_length,
    },
    mtu: node.mtu === 0 ? line.mtu : Math.min(node.mtu, line.mtu),
    address: lineAddress(line, node.lines ?? []),
    publicPort: line.public_port,
    quality: line.line_quality,
    givenQuality: of.qualities.get(node.id)?.get(line.slot) ?? 0,
    up: line.up_kbps,
    down: line.down_kbps,
  })),
  sections: (of.sections.get(node.id) ?? []).map((section) => ({
    id: section.id,
    interfaceName: section.interface_name,
    network: section.network,
    network6: section.network6,
    vlan: section.vlan,
    enableForward: section.enable_forward,
    enableDirect: section.enable_direct,
    enableCentral: section.enable_central,
    ownAddress: section.own_address,
    range:
      section.dhcp_start === null || section.dhcp_end === null
        ? null
        : { first: section.dhcp_start, last: section.dhcp_end },
    ipv6:
      section.ipv6_slot === null ? null : { slot: section.ipv6_slot, subnet: section.ipv6_subnet },
  })),
  routes: (of.routes.get(node.id) ?? []).map((route) => ({
    destination: route.destination,
    nextHop: route.next_hop,
    metric: route.metric,
    enabled: route.enabled,
    announce: route.announce,
  })),
  notices: (of.notices.get(node.id) ?? []).map(({ network }) => network),
  places: (of.notices.get(node.id) ?? []).flatMap(({ network, preference }) =>
    preference === null ? [] : [{ network, preference }],
  ),
});
