/** Nodes, for rows of other features that belong to them, list them or show their names. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { reference } from "#kernel/reference.ts";
import { namesIn } from "#kernel/row-names.ts";

/**
 * True while the last metrics of a link are current.
 * @param status alias of `link_status` in the statement; it may be the empty side of a left join.
 */
export const isFresh = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${sql.ref(`${status}.at`)} > now() - weft.stale_after(), false)`;

/**
 * True for a link that is up, or was up when it was measured last and its device may be on the way back to gateways that have
 * just started (link-state.sql): what every screen shows, as the health of nodes does. Its metrics count only while it is
 * fresh.
 */
export const isUp = (status: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${status}.${name}`);
  return sql<SqlBool>`weft.link_is_up(${column("up")}, ${column("at")}, ${column("link_id")},
    (select weft.devices_return()))`;
};

/** True while a link is measured to be up: for what is decided by it and cannot be taken back. */
export const isMeasuredUp = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(coalesce(${sql.ref(`${status}.up`)}, false) and ${isFresh(status)})`;

/** True for a link that is up and beyond a limit (quality.ts). */
export const isPoor = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isUp(status)} and exists (
    select from link_quality q where q.link_id = ${sql.ref(`${status}.link_id`)}))`;

/**
 * True while a write that concerns a node has not become a state, or was found to change none: a change
 * that was not read yet, of the node or of one of its spaces, or a compile that is due.
 * What waits is read once for all nodes of a statement.
 * @param nodeId expression for the id of the node
 */
export const isBeingCompiled = (nodeId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from compile_mark where compile_mark.node_id = ${nodeId})
  or ${nodeId} = any (array(select unnest(node_ids) from change where not done))
  or ${nodeId} = any (array(select m.node_id from space_member m where m.space_id = any (
    array(select unnest(space_ids) from change where not done)))))`;

export { sharePops } from "./shared-pops.ts";
export {
  type Collision,
  isThere,
  joinCollision,
  memberCollision,
  poolCollision,
  readSpaceNetworks,
  siteCollisions,
} from "./space-networks.ts";

export {
  controllerIssues,
  controllers,
  lineSurroundings,
  ownNode,
  warnOfEndsOnLine,
  warnOfNetworksAround,
  warnOfTunnelEnds,
} from "./tunnel-ends.ts";

/** Fields of a list's query that ask for the rows of all CPEs; `groupid` limits them to those of one enterprise. */
interface AcrossQuery {
  readonly acrossCpes?: boolean;
  readonly groupid?: number | null;
}

/** Rows of CPEs, for a query of all of them; null: the query is for one node. */
export function ofAllCpes(query: object): RawBuilder<SqlBool> | null {
  const { acrossCpes, groupid } = query as AcrossQuery;
  if (acrossCpes !== true) return null;
  const ofEnterprise = groupid == null ? sql`true` : sql`enterprise_id = ${groupid}`;
  return sql<SqlBool>`node_id in (select id from node where kind = 'cpe' and ${ofEnterprise})`;
}

const touched = (id: number) => ({ nodeIds: [id] });

export const nodes = reference("node", {}, touched);
export const cpes = reference("node", { kind: "cpe" }, touched);
export const pops = reference("node", { kind: "pop" }, touched);

/** The name of the CPE or POP in a field. */
export const node = namesIn("node");
