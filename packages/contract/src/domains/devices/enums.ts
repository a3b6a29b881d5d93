/** Codes of nodes, lines and links. Texts: `enum.<name>.<code>` in messages.ts. */

/** Section 4: 0 router, 1 bypass route, other bypass NAT (2 is written). */
/**
 * Gateway of its LANs; or beside their gateway, which sends it what is for the space (bypass route), and what comes out of
 * the space then also with its own address (bypass NAT).
 */
export const xModeOf = { gateway: 0, bypassRoute: 1, bypassNat: 2 } as const;
export const xModes = [xModeOf.gateway, xModeOf.bypassRoute, xModeOf.bypassNat] as const;
export type XMode = (typeof xModes)[number];
/** Section 4: 0 common, 1 special line, other cloud special line (2 is written). */
export const lineQualities = [0, 1, 2] as const;
/** How a line gets its address. */
export const addressings = ["static", "dhcp"] as const;
export type Addressing = (typeof addressings)[number];
/**
 * IPv6 of a line: none; as it is set; by router advertisements, and DHCPv6 where they say so; the same with a prefix for
 * LANs (DHCPv6-PD).
 */
export const ipv6Modes = ["off", "static", "auto", "delegated"] as const;
export type Ipv6Mode = (typeof ipv6Modes)[number];
/** `unsupported`: its edge cannot; `unknown`: it has reported nothing yet; `waiting`: it has no address. */
export const ipv6States = ["up", "waiting", "unsupported", "unknown"] as const;
export type Ipv6State = (typeof ipv6States)[number];
/** What becomes of changes made on a device itself: corrected, or only reported. */
export const driftPolicies = ["heal", "flag"] as const;
export type DriftPolicy = (typeof driftPolicies)[number];
/** Section 5: the device that carries traffic, and the one that waits. */
export const standbyRoles = ["active", "standby"] as const;
export type StandbyRole = (typeof standbyRoles)[number];
/** What it is at the moment: `fault` cannot take over, `alone` is active without a device that could. */
export const standbyStates = ["active", "standby", "fault", "alone"] as const;
export type StandbyState = (typeof standbyStates)[number];
/** Shape of a space: 0 hub and spoke, 1 full mesh. */
export const topologies = [0, 1] as const;
export type Topology = (typeof topologies)[number];
export const topology = { hubAndSpoke: 0, fullMesh: 1 } as const;
/** Section 4: 1 online, anything else offline (0 is written). */
export const linkStatuses = [0, 1] as const;
/** Approval queue of devices. */
export const enrolmentStates = ["pending", "approved", "rejected", "quarantined"] as const;
export type EnrolmentState = (typeof enrolmentStates)[number];
export const nodeKinds = ["cpe", "pop"] as const;
export type NodeKind = (typeof nodeKinds)[number];
/** Section 4: CPE type is a bit mask with a gap; no bit is "unknown". */
export const cpeTypeBits = [
  [1, "X86"],
  [2, "Mips"],
  [4, "MIPSEL"],
  [8, "ARM"],
  [16, "WinPC"],
  [128, "MAC"],
] as const;

/**
 * What is in order or not: contact with a device, whether its configuration can be generated and has full
 * effect, whether what is to be kept out is, whether it made a wave of a rollout fail, whether its programs keep running, a WAN link, an overlay link. A rule about them has no threshold.
 */
export const stateMetrics = [
  "node",
  "config",
  "finding",
  "deny",
  "rollout",
  "repair",
  "line",
  "link",
] as const;
/** What is measured: delay and jitter in ms, the others in percent. */
export const measuredMetrics = ["delay", "jitter", "loss", "bandwidth", "cpu", "mem"] as const;
export const alarmMetrics = [...stateMetrics, ...measuredMetrics] as const;
export type AlarmMetric = (typeof alarmMetrics)[number];
