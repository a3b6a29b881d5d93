import { type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import {
  type ChangedLink,
  computeAdjacencies,
  type LinkSettings,
  type MemberNode,
} from "./adjacencies.ts";
import { readMayGo } from "./leaving-store.ts";
import { lineAddress } from "./line-address.ts";
import { noteLinkFindings } from "./link-findings.ts";
import { regionsIn } from "./nearness.ts";
import type { ExistingLink, NewLink } from "./place-links.ts";
import { readPlacement } from "./placement-store.ts";

type Trx = Transaction<Database>;

/** Rows of one insert; a statement takes at most 65,535 parameters. */
const rowsPerInsert = 2_000;

async function readMembers(trx: Trx, spaceId: number): Promise<MemberNode[]> {
  const ids = sql`select node_id from space_member where space_id = ${spaceId}`;
  const { rows: members } = await ids.execute(trx);
  const nodes = await readMemberNodes(trx, ids);
  if (nodes.length !== members.length) {
    throw new Error(`space ${spaceId}: ${nodes.length} of ${members.length} members are readable`);
  }
  return nodes;
}

/**
 * Nodes as `computeAdjacencies` sees them; those that are not readable are left out.
 * @param ids a query of node ids
 */
export async function readMemberNodes(trx: Trx, ids: RawBuilder<unknown>): Promise<MemberNode[]> {
  const nodes = await trx
    .selectFrom("node")
    .leftJoin("node_status", "node_status.node_id", "node.id")
    .leftJoin("enterprise", "enterprise.id", "node.enterprise_id")
    .select(["node.id", "node.kind", "node.enabled", "tunnel_key", "node_status.lines"])
    .select(["node.enterprise_id", "node.regions", "node.bandwidth_kbps"])
    .select(["enterprise.province", "enterprise.city", "enterprise.region"])
    // As numbers: they are compared and digested.
    .select(sql<number | null>`node.longitude::float8`.as("longitude"))
    .select(sql<number | null>`node.latitude::float8`.as("latitude"))
    .select(sql<boolean>`node.expire_at is not null and node.expire_at <= now()`.as("expired"))
    .where(sql<SqlBool>`node.id in (${ids})`)
    .execute();
  const lines = await trx
    .selectFrom("line")
    .selectAll()
    .where(sql<SqlBool>`node_id in (${ids})`)
    .execute();
  const linesOf = Map.groupBy(lines, (line) => line.node_id);
  return nodes.map((node) => ({
    id: node.id,
    kind: node.kind,
    active: node.enabled && !(node.kind === "cpe" && node.expired),
    tunnelKey: node.tunnel_key,
    enterprise: node.enterprise_id,
    spot: {
      longitude: node.longitude,
      latitude: node.latitude,
      // A CPE says no region: it is where its enterprise is.
      regions: regionsIn(
        node.kind === "pop"
          ? node.regions
          : [node.province, node.city, node.region].filter((part) => part).join(),
      ),
    },
    isExpired: node.expired,
    bandwidth: node.kind === "pop" ? node.bandwidth_kbps : null,
    lines: (linesOf.get(node.id) ?? []).map((line) => ({
      slot: line.slot,
      isp: line.isp,
      callable:
        (line.reachable || (node.kind === "pop" && line.addressing === "static")) &&
        lineAddress(line, node.lines ?? []) !== null,
    })),
  }));
}

const toExisting = (row: Selectable<Database["link"]>): ExistingLink => ({
  id: row.id,
  index: row.index_in_space,
  a: { node: row.a_node_id, slot: row.a_slot, key: row.a_key },
  b: { node: row.b_node_id, slot: row.b_slot, key: row.b_key },
  aPort: row.a_port,
  bPort: row.b_port,
  place: row.place,
  isLeaving: row.is_leaving,
});

async function readOtherPorts(trx: Trx, spaceId: number, nodes: readonly number[]) {
  const { rows } = await sql<{ node: number; port: number }>`
    select a_node_id as node, a_port as port from link
    where space_id <> ${spaceId} and a_node_id = any(${nodes}::bigint[])
    union all
    select b_node_id, b_port from link
    where space_id <> ${spaceId} and b_node_id = any(${nodes}::bigint[])`.execute(trx);
  const ports = new Map<number, Set<number>>();
  for (const { node, port } of rows) {
    ports.set(node, (ports.get(node) ?? new Set()).add(port));
  }
  return ports;
}

async function readSettings(trx: Trx, spaceId: number): Promise<LinkSettings[]> {
  const rows = await trx
    .selectFrom("link_choice")
    .selectAll()
    .where("space_id", "=", spaceId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    ends: [
      { node: row.a_node_id, slot: row.a_slot },
      { node: row.b_node_id, slot: row.b_slot },
    ],
    made: row.made,
    enabled: row.enabled,
  }));
}

async function addLinks(
  trx: Trx,
  space: { id: number; enterprise_id: number },
  links: readonly NewLink[],
): Promise<void> {
  for (let at = 0; at < links.length; at += rowsPerInsert) {
    await trx
      .insertInto("link")
      .values(
        links.slice(at, at + rowsPerInsert).map(({ a, b, aPort, bPort, index, place }) => ({
          enterprise_id: space.enterprise_id,
          space_id: space.id,
          index_in_space: index,
          a_node_id: a.node,
          a_slot: a.slot,
          a_port: aPort,
          a_key: a.key,
          b_node_id: b.node,
          b_slot: b.slot,
          b_port: bPort,
          b_key: b.key,
          place: place ?? null,
        })),
      )
      .execute();
  }
}

/** Writes places of links that stay, and which of them are leaving. */
async function changeLinks(trx: Trx, changed: readonly ChangedLink[]): Promise<void> {
  if (changed.length === 0) return;
  const ids = changed.map(({ link }) => link.id);
  const places = changed.map(({ place }) => place);
  const leaving = changed.map(({ isLeaving }) => isLeaving);
  await sql`
    update link l set place = f.place, is_leaving = f.is_leaving
    from unnest(${ids}::bigint[], ${places}::smallint[], ${leaving}::boolean[])
      as f (id, place, is_leaving)
    where l.id = f.id`.execute(trx);
}

/**
 * Settles which links a space has, in the caller's transaction, whose scope it sets to that
 * space's enterprises. Calls must not run at the same time: ports of a POP are shared by its spaces.
 * @returns the nodes at both ends of links that came, went or changed.
 * @throws Error when a member cannot be read: links are never settled from half a view.
 */
export async function reconcileLinks(trx: Trx, spaceId: number): Promise<Set<number>> {
  await sql`select set_config('weft.scope', weft.space_scope(${spaceId})::text, true)`.execute(trx);
  const space = await trx
    .selectFrom("net_space")
    .select(["id", "enterprise_id", "topology"])
    .where("id", "=", spaceId)
    .executeTakeFirst();
  // Removed: its links went with it.
  if (!space) return new Set();
  const members = await readMembers(trx, spaceId);
  const rows = await trx.selectFrom("link").selectAll().where("space_id", "=", spaceId).execute();
  const otherPorts = await readOtherPorts(
    trx,
    spaceId,
    members.map(({ id }) => id),
  );
  const settings = await readSettings(trx, spaceId);
  const { topology } = space;
  const changes = computeAdjacencies({
    topology,
    members,
    links: rows.map(toExisting),
    settings,
    otherPorts,
    ...(await readPlacement(trx, spaceId, members)),
    mayGo: rows.some((row) => row.is_leaving) ? await readMayGo(trx, spaceId) : new Set(),
  });
  const { add, remove, change } = changes;
  if (remove.length > 0) {
    const gone = remove.map(({ id }) => id);
    await trx.deleteFrom("link").where(sql<SqlBool>`id = any(${gone}::bigint[])`).execute();
  }
  await addLinks(trx, space, add);
  await changeLinks(trx, change);
  await noteLinkFindings(trx, spaceId, changes);
  if (changes.isPartial)
    await sql`select weft.settle_again(array[${spaceId}]::bigint[])`.execute(trx);
  const touched = [...add, ...remove, ...change.map(({ link }) => link)];
  return new Set(touched.flatMap(({ a, b }) => [a.node, b.node]));
}
