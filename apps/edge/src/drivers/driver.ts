/**
 * What every driver is: it picks its part of the desired state, looks at the machine, plans the
 * steps between the two (pure) and runs one step. A step is plain JSON, so that it can be journaled,
 * hashed for drift and shown to an operator.
 */
import type { CommandWhat, DialFinding } from "@weft/contract/device/v1/commands.ts";
import type { HostLease } from "@weft/contract/device/v1/leases.ts";
import type { StandbyPlace } from "@weft/contract/device/v1/standby.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { Ipv6Line } from "@weft/contract/device/v1/wan-ipv6.ts";
import type { CutExits } from "./acceleration/watch.ts";
import type { ExhaustedRange } from "./dns/exhausted.ts";
import type { FlowTable } from "./firewall/flow-table.ts";
import type { SmallDrops } from "./firewall/small-packets.ts";
import type { ForeignSource } from "./firewall/sources.ts";
import type { FlowRecords } from "./flows/records.ts";
import type { PathReport } from "./paths/engine.ts";
import type { Moves } from "./paths/moves.ts";
import type { PathMtu } from "./probe/path-mtu.ts";
import type { ObjectName, Refusals } from "./refusals.ts";
import type { Repairs } from "./repairs.ts";
import type { DriverName } from "./section-drivers.ts";
import type { CutSegments } from "./segment/findings.ts";
import type { Ipv6State } from "./underlay/ipv6-state.ts";
import type { Silence } from "./underlay/line-health.ts";
import type { Lease } from "./underlay/render.ts";

/**
 * Order of apply (each number is one phase; lower runs first). Removals run after all additions,
 * in the opposite order of their additions, so that the new path exists before the old one goes.
 */
export const phases = {
  /** Before the addresses that others may have from here on are set here. */
  removeStandby: 3,
  /** Before the firewall sends hosts to them. */
  filters: 4,
  /** Before anything that makes the machine forward: its rules name interfaces that need not exist. */
  firewall: 5,
  addUnderlay: 10,
  addTunnel: 30,
  shaping: 40,
  addRouting: 60,
  probe: 70,
  dns: 72,
  removeRouting: 80,
  removeTunnel: 90,
  removeUnderlay: 95,
  /** After a gateway that was the device's own is gone: it is now whose turn it is. */
  addStandby: 97,
} as const;
export type Phase = (typeof phases)[keyof typeof phases];

/** One thing to do. `kind` and the further fields belong to the driver. */
export interface Step {
  readonly driver: DriverName;
  readonly kind: string;
  readonly phase: Phase;
  /** One line for journal, drift display and log: "add route 10.9.0.0/16 via 10.1.1.254". */
  readonly summary: string;
  /** The object of the state that the step is for: where the machine refuses the step, it is left out. Absent: none alone. */
  readonly about?: ObjectName;
}

/** What a machine can do: reported to the controller before an operator relies on it. */
export interface Capability {
  readonly name: string;
  readonly can: boolean;
  /** Why not, as the tool or kernel reports it. */
  readonly reason: string | null;
}

/**
 * `Part` is the driver's share of a state, `Found` what it observed, `Own` its step type.
 * Only `plan` decides; `observe` and `run` do nothing clever.
 */
export interface Driver<Part, Found, Own extends Step> {
  readonly name: DriverName;
  /** This driver's part of a state. Null state: nothing is wanted (leaving the installation). */
  pick(state: DesiredState | null): Part;
  /** Throws with the tool's message when the part cannot be applied on this machine; touches nothing. */
  validate(part: Part): Promise<void>;
  /** What is there now, as far as this driver owns it. */
  observe(part: Part): Promise<Found>;
  /** Steps from found to wanted; empty when nothing is to do. Pure: no clock, no I/O, no randomness. */
  plan(part: Part, found: Found): Own[];
  /** Runs one step; idempotent, so that a step may run again after a crash. */
  run(step: Own, part: Part): Promise<void>;
}

/** Live metrics of one link, for the `measures` message. Rates in bit/s; null: not measured. */
export interface LinkMeasure {
  readonly id: number;
  readonly up: boolean;
  readonly rttMs: number | null;
  readonly jitterMs: number | null;
  readonly lossPercent: number | null;
  readonly inRate: number | null;
  readonly outRate: number | null;
}

/** Metrics of the device itself since they were last asked for. Rates in bit/s; null: not known. */
export interface DeviceMetrics {
  readonly lines: readonly {
    readonly interfaceName: string;
    readonly inRate: number | null;
    readonly outRate: number | null;
  }[];
  readonly cpuPercent: number | null;
  readonly memoryPercent: number | null;
}

/** How often the rules of a policy object, an ACL rule or a blacklist entry fitted since the last reading. */
export interface ObjectHits {
  readonly family: string;
  readonly id: number;
  readonly count: number;
}

/** What a line's interface shows right now. */
export interface LineReport {
  readonly interfaceName: string;
  readonly addressing: "static" | "dhcp" | null;
  readonly address: string | null;
  readonly up: boolean;
  /** It is up, and nothing answers by it; absent: something does. */
  readonly isSilent?: boolean;
}

/** IPv6 of a line. */
export interface Ipv6LineReport extends Omit<Ipv6Line, "validMs" | "prefixMs"> {
  /** Ms since 1970, in whole minutes; null: its address does not end. */
  readonly validUntil: number | null;
  readonly prefixUntil: number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike drivers has no narrower type
export type AnyDriver = Driver<any, any, any>;

type Dial = Extract<CommandWhat, { kind: "ping" | "http" | "dns" | "trace" }>;
type Relay = Extract<CommandWhat, { kind: "relay" }>;

/** What a machine does when it is told to, beside running its state. */
export interface Commands {
  /** What the local API says of the edge at `/status`. */
  describe(status: () => unknown): void;
  capabilities(): Promise<readonly Capability[]>;
  /** Throws with a message for the operator. */
  dial(what: Dial, timeoutMs: number): Promise<DialFinding>;
  relay(what: Relay, timeoutMs: number): Promise<{ status: number; body: unknown }>;
  /** Why the device cannot be restarted from here; null: it can. */
  restartObstacle(): string | null;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** What a device is in its standby group. */
export interface StandbyState {
  readonly place: StandbyPlace;
  /** Ms since 1970. */
  readonly since: number;
}

/** Everything the state machine needs from a machine; real or simulated. */
export interface Machine {
  readonly drivers: readonly AnyDriver[];
  capabilities(): Promise<Capability[]>;
  /** Interfaces that exist, with their global addresses; null: any that a state names. */
  interfaces(): Promise<ReadonlyMap<string, readonly string[]> | null>;
  /** DHCP leases by interface, used or not. */
  leases(): Promise<Readonly<Record<string, Lease>>>;
  /** IPv6 of lines whose state has it, as their interfaces show it. @param now ms since 1970 */
  ipv6Lines(now: number): Promise<Ipv6LineReport[]>;
  /** What lines have of IPv6 by router advertisements and DHCPv6, by interface, used or not. */
  ipv6(): Ipv6State;
  lines(): Promise<LineReport[]>;
  /** Addresses of the controllers, as far as they are known. */
  controllers(): Promise<readonly string[]>;
  measures(): Promise<LinkMeasure[]>;
  /**
   * Whether the links that this end probes answer right now; those that are not known yet are left
   * out. Cheap: asked several times per second.
   */
  verdicts(): ReadonlyMap<number, boolean>;
  /** Links by id whose path carries less than they were given, found by probing (RFC 8899). */
  pathMtus(): ReadonlyMap<number, PathMtu>;
  /** Interfaces by which packets with foreign sources came lately, as of the last observe. */
  foreignSources(): readonly ForeignSource[];
  /** Small packets beyond what a space may send through this POP, as of the last observe. */
  smallDrops(): readonly SmallDrops[];
  /** Lines that lead nowhere although they are plugged. */
  silentLines(): readonly Silence[];
  /** Ids of links that answer this end's probes by IPv4, but not by IPv6. */
  deadIpv6(): ReadonlySet<number>;
  /** Routers of the site without a session for a while: addresses, and interfaces with OSPF. */
  silentRouters(): ReadonlySet<string>;
  /** Segment routes that do not act at the moment, by id. */
  cutSegments(): CutSegments;
  /** Exits of the site that are not there at the moment, by their mark. */
  cutExits(): CutExits;
  /** The kernel's table of flows while it is crowded or refused some lately; null: neither. */
  flowTable(): FlowTable | null;
  /** Addresses that hosts of the LANs have of it, at most as many as a message takes, and how many there are. */
  hostLeases(): { readonly items: readonly HostLease[]; readonly total: number };
  /** Ranges of the LANs that have no address left for a further host. */
  exhaustedRanges(): readonly ExhaustedRange[];
  /** Why the LANs are served neither names nor addresses although they should be; null: nothing is wrong. */
  resolverFailure(): string | null;
  /** Why some hosts get no names although a resolver should deny them only a few; null: nothing is wrong. */
  filterFailure(): string | null;
  /** What it is in its standby group; null: it is in none, or not known yet. */
  standby(): StandbyState | null;
  /** Why it cannot stand for the other device of its site although it should; null: nothing is wrong. */
  standbyFailure(): string | null;
  /** Calls back when carrier or address of a line may have changed, until the returned is called. */
  watchLines(changed: () => void): () => void;
  /** Calls back when what acts may no longer be what the state says, until the returned is called. */
  watchKernel(changed: () => void): () => void;
  /** Ms between two checks that `watchKernel` did not ask for. */
  readonly checkMs: number;
  /** What other programs put in the way of this state, one line each for people; nothing heals it. */
  strangers(state: DesiredState): Promise<readonly string[]>;
  metrics(): Promise<DeviceMetrics>;
  /** What it gives is not given again. @param max objects; the others come with the next call */
  hits(max: number): Promise<ObjectHits[]>;
  /** Quality of the links in the direction that the device sends in; empty where it does not measure. */
  paths(): readonly PathReport[];
  /** Traffic that it sends by other links than before. */
  readonly moves: Pick<Moves, "waiting" | "forget">;
  /** Flows of the site's hosts, while they are recorded. */
  readonly flows: Pick<FlowRecords, "first" | "forget" | "size" | "dropped">;
  /** Programs that were started again. */
  readonly repairs: Repairs;
  /** Objects that it refused. */
  readonly refusals: Refusals;
  readonly commands: Commands;
  /** Called once before the first observe: adopts what outlived an earlier run of the edge. */
  start(): Promise<void>;
  /** Gives back what the null state leaves as it is: kernel settings. Only when the device leaves. */
  giveBack(): Promise<void>;
  /** Ends what must not outlive the edge (probes); tunnels and routing go on. */
  stop(): Promise<void>;
}
