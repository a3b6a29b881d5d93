/** Nodes, for rows of other features that belong to them, list them or show their names. */
import { reference } from "#kernel/reference.ts";
import { namesIn } from "#kernel/row-names.ts";

export {
  type Collision,
  isThere,
  joinCollision,
  memberCollision,
  poolCollision,
  readSpaceNetworks,
  siteCollisions,
} from "./space-networks.ts";

export { tunnelEndIssues, warnOfTunnelEnds } from "./tunnel-ends.ts";

const touched = (id: number) => ({ nodeIds: [id] });

export const nodes = reference("node", {}, touched);
export const cpes = reference("node", { kind: "cpe" }, touched);
export const pops = reference("node", { kind: "pop" }, touched);

/** The name of the CPE or POP in a field. */
export const node = namesIn("node");
