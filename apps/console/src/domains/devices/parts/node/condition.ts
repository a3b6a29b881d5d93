import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";

/** What a list knows about a device: enough to say which state it is in. */
export interface NodeFacts {
  /** Absent for a POP, which cannot be disabled. */
  readonly enable?: boolean;
  /** null: no device has used a claim yet. */
  readonly enrolment: EnrolmentState | null;
  /** 1 online, anything else offline (specification section 4). */
  readonly linkStatus: number;
  readonly linksUp: number;
  readonly links: number;
  /** Of those that are up; absent: not known. */
  readonly linksPoor?: number;
}

/** The state of a node in one label. */
export type Condition =
  | "offline"
  | "cutOff"
  | "degraded"
  | "pending"
  | "unclaimed"
  | "rejected"
  | "quarantined"
  | "disabled"
  | "online";

/**
 * State of a node as a person reads it in a list. What a person decided (disabled, rejected) goes
 * before what was measured: a disabled device that is offline is no trouble.
 */
export const conditionOf = (node: NodeFacts): Condition => {
  if (node.enable === false) return "disabled";
  const isOnline = node.linkStatus === 1;
  if (node.enrolment === null) return "unclaimed";
  if (node.enrolment !== "approved") return node.enrolment;
  if (!isOnline) return "offline";
  if (node.links > 0 && node.linksUp === 0) return "cutOff";
  // Some site of a POP is always down: that is the site's trouble, and the column of links says it.
  const isHub = node.enable === undefined;
  const hasTrouble = node.linksUp < node.links || (node.linksPoor ?? 0) > 0;
  return hasTrouble && !isHub ? "degraded" : "online";
};
