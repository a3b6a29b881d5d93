/**
 * Messages from edges, and fields of them, that came after the protocol's first version. Its schemas are strict: a
 * controller that does not know one refuses it, and ends the connection. So an edge asks, and sends what
 * the controller of this connection says that it reads.
 *
 * States have no such list: what came later (`space.<space>`, `underlay.lans[].networks`) denies, and a
 * device without it would let out what its space keeps. docs/protocol.md, additions.
 */

/** An edge with this capability is sent, after each report, the names of those that the controller reads. */
export const acceptsCapability = "controller.accepts";
export const messageAdditions = {
  /** `findings` of an outcome. */
  findings: "outcome.findings",
  /** `hits` of metrics. */
  hits: "metrics.hits",
  /** The message itself. */
  repairs: "repairs",
  /** The message itself. */
  leases: "leases",
  /** The message itself. */
  paths: "paths",
  /** The message itself. */
  moves: "moves",
  /** `classes` of paths, and moves of a class. */
  pathClasses: "paths.classes",
  /** The message itself. */
  pins: "pins",
  /** The message itself. */
  standby: "standby",
  /** `standMs` of measures. */
  standingMeasures: "measures.standMs",
  /** The message itself. */
  ipv6: "ipv6",
  /** The message itself. */
  flows: "flows",
  /** `bases` of need, to which `sections` gives deltas. */
  bases: "need.bases",
  /** `revision` of an outcome. */
  revisions: "outcome.revision",
} as const;
export type MessageAddition = (typeof messageAdditions)[keyof typeof messageAdditions];

/** An edge with this capability keeps a second key of its controller (`nextKey`) and answers with `pins`. */
export const nextKeyCapability = "controller.nextKey";

/** An edge with this capability reads `translated` of a LAN (X-mode bypass NAT): others refuse the whole state. */
export const lanTranslationCapability = "lan.translation";

/** An edge with this capability reads `byteRecords`, and reports no bytes where a site keeps no records of them. */
export const byteRecordsCapability = "log.bytes";

/** An edge with this capability reads `ranks` of what it announces, and prefers what others announce by them. */
export const rankedSitesCapability = "routing.ranks";

interface Capability {
  readonly name: string;
  readonly can: boolean;
}
const has = (reported: readonly Capability[], wanted: string): boolean =>
  reported.some(({ name, can }) => can && name === wanted);
export const requestsAdditions = (reported: readonly Capability[]): boolean =>
  has(reported, acceptsCapability);
export const keepsNextKey = (reported: readonly Capability[]): boolean =>
  has(reported, nextKeyCapability);
/** @param reported null: it has not reported yet */
export const translatesSpace = (reported: readonly Capability[] | null): boolean =>
  reported !== null && has(reported, lanTranslationCapability);
/** @param reported null: it has not reported yet */
export const ranksSites = (reported: readonly Capability[] | null): boolean =>
  reported !== null && has(reported, rankedSitesCapability);
/** @param reported null: it has not reported yet */
export const omitsBytes = (reported: readonly Capability[] | null): boolean =>
  reported !== null && has(reported, byteRecordsCapability);
/** What a controller of this version reads. */
export const acceptsAll = {
  type: "accepts" as const,
  names: Object.values<string>(messageAdditions),
};
