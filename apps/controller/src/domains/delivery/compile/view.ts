/** What compile reads: one node, its links and their other ends, all on one snapshot. */
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
import { policyRowsOf, readStoredPolicy } from "#domains/policies/merged/public.ts";
import {
  type PolicyGround,
  readSiteObjects,
  type SiteObject,
} from "#domains/policies/policy-finding/public.ts";
import { readPublished } from "#domains/templates/router-template/public.ts";
import type { Vault } from "#kernel/vault.ts";
import type { NodeView, ViewLink, ViewNode } from "./compile.ts";
import { readSite } from "./device-settings.ts";
import { requireAllIntent } from "./intent-counts.ts";
import { calledLine, readServices } from "./mobile-clients.ts";
import { sealTo, standIn } from "./neighbor-password.ts";
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
  readonly capabilities: PolicyGround["capabilities"];
  readonly siteObjects: readonly SiteObject[];
}

/**
 * Reads the view of a node in the caller's transaction, which must be on one snapshot; its scope
 * becomes that node's. Null when there is no such node.
 * @param vault of what is sent to the device; without it the state is for comparing only
 * @throws Error when a row that the state is made of cannot be read: an empty answer in its place
 * would take away what it stands for.
 */
export async function readView(trx: Trx, nodeId: number, vault?: Vault): Promise<ReadView | null> {
  await sql`select set_config('weft.scope', weft.compile_scope(${nodeId})::text, true)`.execute(
    trx,
  );
  // Side by side: they travel together.
  const [links, template] = await Promise.all([readLinks(trx, nodeId), readPublished(trx, nodeId)]);
  const ids = [...new Set([nodeId, ...links.flatMap(({ a, b }) => [a.node, b.node])])];
  const [
    nodes,
    site,
    services,
    spaces,
    policy,
    { tunnelKey, ...device },
    siteObjects,
    groups,
    circuits,
  ] = await Promise.all([
    readNodes(trx, ids),
    readSite(trx, nodeId),
    readServices(trx, nodeId),
    readSpaceNetworks(trx, nodeId),
    readStoredPolicy(trx, "node_id", nodeId),
    readDevice(trx, nodeId),
    readSiteObjects(trx, nodeId),
    readGroups(trx, nodeId),
    readCircuits(trx, nodeId),
    requireAllIntent(trx, nodeId, ids),
  ]);
  const own = nodes.get(nodeId);
  if (!own) return null;
  const [segments, classes] = await Promise.all([
    readSegments(trx, [...spaces.keys()]),
    readClasses(trx, [...spaces.keys()]),
  ]);
  const missing = ids.filter((id) => !nodes.has(id));
  if (missing.length > 0) throw new Error(`node ${nodeId}: its peers ${missing} are not readable`);
  const peers = new Map([...nodes].map(([id, { view }]) => [id, view]));
  peers.delete(nodeId);
  const { view: node, enterpriseId } = own;
  return {
    node,
    enterpriseId,
    links,
    peers,
    template,
    site,
    services,
    spaces,
    ...device,
    siteObjects,
    groups,
    circuits,
    segments,
    classes,
    policy: policyRowsOf(policy),
    sealPassword: vault ? sealTo(vault, nodeId, tunnelKey) : standIn,
  };
}

/** What the device reported that it can do (every one that reports can do something), and its time zone. */
async function readDevice(trx: Trx, nodeId: number) {
  const row = await trx
    .selectFrom("node")
    .leftJoin("node_status", "node_status.node_id", "node.id")
    .leftJoin("enterprise_param", "enterprise_param.enterprise_id", "node.enterprise_id")
    .select(["node_status.capabilities", "node_status.tunnel_key"])
    .select(({ fn }) => fn.coalesce("node.time_zone", "enterprise_param.timezone").as("timeZone"))
    .where("node.id", "=", nodeId)
    .executeTakeFirst();
  const standby = await readStandby(trx, nodeId);
  const { capabilities = null, timeZone = null } = row ?? {};
  return {
    tunnelKey: row?.tunnel_key ?? null,
    capabilities: capabilities && capabilities.length > 0 ? capabilities : null,
    timeZone: timeZone ?? defaultParams.timezone,
    ...(standby && { standby }),
  };
}

/** The node's place in a standby group, and what the other device of it can do; undefined: it is in none. */
async function readStandby(trx: Trx, nodeId: number): Promise<ViewStandby | undefined> {
  const { rows } = await sql<ViewStandby>`
    select standby_group as "group", role, priority, partner_can as "partnerCan"
    from weft.standby_of(${nodeId})`.execute(trx);
  return rows[0];
}

/**
 * The POP as clients call it: its line, and its public key (null: no device reported one). Read as the
 * worker does: it may be another enterprise's, whose lines the caller cannot read. That the caller
 * may know it must have been checked before.
 */
export async function readCalled(pools: Pools<Database>, popId: number) {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return scopedSnapshot(pools.worker, scope, async (trx) => {
    await sql`select set_config('weft.scope', weft.compile_scope(${popId})::text, true)`.execute(
      trx,
    );
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
async function readLinks(trx: Trx, nodeId: number): Promise<ViewLink[]> {
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
    .where((one) =>
      one.or([one("link.a_node_id", "=", nodeId), one("link.b_node_id", "=", nodeId)]),
    )
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
  const [nodes, lines, sections, routes, notices, pins] = await Promise.all([
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
  ]);
  const of = {
    pins: new Map(pins.map(({ node_id, announced }) => [node_id, announced])),
    lines: groupByNode(lines),
    sections: groupByNode(sections),
    routes: groupByNode(routes),
    notices: groupByNode(notices),
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
}

const toViewNode = (node: NodeRow, of: RowsOf): ViewNode => ({
  id: node.id,
  kind: node.kind,
  name: node.name,
  xMode: node.x_mode,
  announced: of.pins.get(node.id) ?? null,
  bandwidth: node.bandwidth,
  lines: (of.lines.get(node.id) ?? []).map((line) => ({
    slot: line.slot,
    interfaceName: line.interface_name,
    addressing: line.addressing,
    ip: line.ip,
    gateway: line.gateway,
    mtu: node.mtu === 0 ? line.mtu : Math.min(node.mtu, line.mtu),
    address: lineAddress(line, node.lines ?? []),
    publicPort: line.public_port,
    up: line.up_kbps,
    down: line.down_kbps,
  })),
  sections: (of.sections.get(node.id) ?? []).map((section) => ({
    interfaceName: section.interface_name,
    network: section.network,
    network6: section.network6,
    vlan: section.vlan,
    enableForward: section.enable_forward,
    enableDirect: section.enable_direct,
    enableCentral: section.enable_central,
    ownAddress: section.own_address,
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
