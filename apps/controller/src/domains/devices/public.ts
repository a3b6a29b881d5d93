/** Nodes, for rows of other features that belong to them, list them or show their names. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { reference } from "#kernel/reference.ts";
import { namesIn } from "#kernel/row-names.ts";

export { isFresh, isPoor, isUp, staleAfter } from "./link-state.ts";
export { isBeingCompiled } from "./pending-compile.ts";
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
