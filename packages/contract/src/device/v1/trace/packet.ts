/** A packet of a new flow, and what a site's device does with it, step by step. */

/** How a packet reaches the device: from hosts of a LAN, by a WAN link, or out of a tunnel of the space. */
export const packetOrigins = ["lan", "line", "space"] as const;
export type PacketOrigin = (typeof packetOrigins)[number];

export const packetProtocols = ["tcp", "udp", "icmp"] as const;
export type PacketProtocol = (typeof packetProtocols)[number];

export interface TracedPacket {
  readonly from: PacketOrigin;
  /** Of the LAN or the WAN link; of no use for a packet of the space. */
  readonly interfaceName: string | null;
  readonly source: string;
  /** Of the same family. */
  readonly destination: string;
  readonly protocol: PacketProtocol;
  /** Null: any port that no rule names. */
  readonly sourcePort: number | null;
  /** Null with ICMP only. */
  readonly targetPort: number | null;
  /** Hardware address of the sender in the LAN, in lower case; null: one that no rule names. */
  readonly mac: string | null;
}

/** Stages in the order of the device's rules. */
export const traceStages = [
  ...(["source", "mapping", "route", "policyRoute", "device", "space"] as const),
  ...(["groups", "names"] as const),
  ...(["blocks", "limits", "acl", "zone", "nat"] as const),
] as const;
export type TraceStage = (typeof traceStages)[number];

/** `pass`: it goes on. `change`: with another address. `drop`: it ends here without an answer. */
export type StepVerdict = "pass" | "change" | "drop";

/** Why a stage decided so; the texts are those of the reader (domains/delivery/trace-texts.ts). */
export const traceReasons = [
  // source
  ...(["ownSource", "unchecked", "foreignSource", "knownToSpace", "noSuchLan"] as const),
  // mapping
  ...(["mapped", "unmapped", "deviceOwn", "ownResolver", "namesFiltered"] as const),
  // route
  ...(["toDevice", "toLan", "toSpace", "bySpaceDefault", "byLine"] as const),
  ...(["noTunnel", "noExit", "noRoute", "linkLocal"] as const),
  // policyRoute
  ...(["routed", "routedToHop", "redirected", "routeDown", "refused", "byAnswers"] as const),
  // device
  ...(["deviceIcmp", "deviceTunnel", "deviceClosed", "deviceServes", "noNeighbor"] as const),
  // space
  ...(["spaceByLine"] as const),
  // groups
  ...(["sharesGroup", "outsideGroups"] as const),
  // names
  ...(["encryptedNames"] as const),
  // blocks, limits, acl
  ...(["blocked", "limited", "aclAccept", "aclDrop", "aclNone"] as const),
  // zone
  ...(["mappedHost", "intoSpace", "fromSpace", "betweenLans", "direct", "exit"] as const),
  ...(["spaceToLine", "notForwarded", "notDirect", "unasked"] as const),
  // nat
  ...(["lineAddress", "lanAddress", "hopAddress", "hairpin"] as const),
  ...(["coneAddress", "symmetricAddress"] as const),
] as const;
export type TraceReason = (typeof traceReasons)[number];

export interface TraceStep {
  readonly stage: TraceStage;
  readonly verdict: StepVerdict;
  readonly reason: TraceReason;
  /** The object whose rule decided; absent: none did, or the device does not know which. */
  readonly object?: { readonly family: string; readonly id: number };
  readonly params: Readonly<Record<string, string | number>>;
}

/** What becomes of it: `forwarded` leaves the device again, `delivered` is for the device itself. */
export type TraceOutcome = "forwarded" | "delivered" | "dropped";

export interface Trace {
  readonly outcome: TraceOutcome;
  readonly steps: readonly TraceStep[];
}
