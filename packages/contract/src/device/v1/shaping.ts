/**
 * Rates of a device and of its WAN links (docs/protocol.md, shaping). The section is sent only to devices with the
 * capability. Bandwidth tunnels are in the section `policy`, beside the rules that name them.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import type { BandwidthTunnel, PolicySection } from "#contract/device/v1/policy.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { ipCidr } from "#rules/address.ts";

/** An edge with it shapes what leaves by its WAN links, and what they bring to its LANs. */
export const shapingCapability = "shaping";

/** An edge with it reads `circuits` of the section. */
export const circuitsCapability = "circuits";

const kbps = z.int().min(1).max(1_000_000_000);

/** What the device sends to the other end of a circuit; the other end shapes what it sends itself. */
export const circuitState = z.strictObject({
  id: z.int().positive(),
  /** kbit/s; null: nothing is kept free for it. */
  guaranteed: kbps.nullable(),
  most: kbps,
  /** Ms since 1970 from which on it is as if it were not there, with or without a controller; null: no end. */
  until: z.int().min(0).nullable(),
  /** Ids of the links by which it may leave; all are in one namespace. */
  links: z.array(z.int().positive()).min(1).max(20_000),
  /** Of the other end in the space; null: all that leaves by these links. */
  networks: z.array(ipCidr).max(65_536).nullable(),
});
export type CircuitState = z.output<typeof circuitState>;

export const shapingSection = z.strictObject({
  /** kbit/s of the device towards its WAN links, all together, and towards its LANs; null: not limited. */
  up: kbps.nullable(),
  down: kbps.nullable(),
  /** WAN links whose rate is known, kbit/s. */
  lines: z.array(z.strictObject({ slot: z.int().min(1).max(4), up: kbps })).max(4),
  /** Only for devices that read it; absent: none. */
  circuits: z.array(circuitState).max(stateLimits.circuits).optional(),
});
export type ShapingSection = z.output<typeof shapingSection>;

export const shapedDirections = ["up", "down"] as const;
export type ShapedDirection = (typeof shapedDirections)[number];

/** Share of a device's rate that guarantees of its tunnels get at most; the rest is for what has none. */
export const guaranteedShare = 0.9;

/** What the tunnels of a direction ask for together, kbit/s. */
export const guaranteesOf = (
  tunnels: readonly Pick<BandwidthTunnel, "guaranteed" | "up" | "down">[],
  direction: ShapedDirection,
): number => tunnels.reduce((sum, tunnel) => sum + (tunnel[direction] ? tunnel.guaranteed : 0), 0);

/** Number of a tunnel in the mark of its flows and among the classes: its place in the section, from 1. */
export const leafOf = (tunnels: readonly Pick<BandwidthTunnel, "id">[], id: number): number =>
  tunnels.findIndex((tunnel) => tunnel.id === id) + 1;

/** A class of a tree: its number in the mark of the flows that it is for, from 1, and its rates in kbit/s. */
export interface ShapedLeaf {
  readonly leaf: number;
  readonly slot: number | null;
  readonly guaranteed: number;
  readonly most: number;
}

/** A circuit in a tree: its number, from 1, its rates in kbit/s, and the tunnels' classes in it. */
export interface ShapedCircuit {
  readonly place: number;
  readonly guaranteed: number;
  readonly most: number;
  readonly leaves: readonly ShapedLeaf[];
}

/** What a device sends in one direction, as classes that share its rate. */
export interface ShapedTree {
  /** kbit/s; null: not limited. */
  readonly rate: number | null;
  readonly leaves: readonly ShapedLeaf[];
  readonly circuits: readonly ShapedCircuit[];
}

/** Null: nothing of the direction is shaped, or the rates of the WAN links by themselves say it all. */
export type ShapedTrees = Readonly<Record<ShapedDirection, ShapedTree | null>>;

/** A circuit with its place in the section, from 1, which is its number among the classes. */
export interface PlacedCircuit extends CircuitState {
  readonly place: number;
}

/** Circuits that leave by links of a namespace. @param links ids of its links */
export const circuitsOn = (
  shaping: ShapingSection | undefined,
  links: ReadonlySet<number>,
): PlacedCircuit[] =>
  (shaping?.circuits ?? [])
    .map((circuit, at) => ({ ...circuit, place: at + 1 }))
    .filter((circuit) => circuit.links.some((link) => links.has(link)));

/** Circuits whose end has not come. @param now ms since 1970 */
export const circuitsAt = <Circuit extends Pick<CircuitState, "until">>(
  circuits: readonly Circuit[],
  now: number,
): Circuit[] => circuits.filter(({ until }) => until === null || until > now);

const leavesIn = (
  tunnels: readonly BandwidthTunnel[],
  direction: ShapedDirection,
  share: number,
  maxRate: number | null,
): ShapedLeaf[] =>
  tunnels.flatMap((tunnel, at) =>
    tunnel[direction]
      ? [
          {
            leaf: at + 1,
            slot: tunnel.slot,
            guaranteed: Math.max(1, Math.floor(tunnel.guaranteed * share)),
            most: maxRate === null ? tunnel.most : Math.min(tunnel.most, maxRate),
          },
        ]
      : [],
  );

/** A tunnel's rates count within the circuit that a packet uses. */
const inTree = (
  { place, guaranteed, most: max }: PlacedCircuit,
  tunnels: readonly BandwidthTunnel[],
  { share, rate }: { readonly share: number; readonly rate: number | null },
): ShapedCircuit => {
  const maxRate = rate === null ? max : Math.min(max, rate);
  const sure = Math.min(maxRate, Math.max(1, Math.floor((guaranteed ?? 0) * share)));
  const inner = Math.min(1, (sure * guaranteedShare) / Math.max(guaranteesOf(tunnels, "up"), 1));
  return {
    place,
    guaranteed: sure,
    most: maxRate,
    leaves: leavesIn(tunnels, "up", inner, maxRate),
  };
};

const treeOf = (
  rate: number | null,
  tunnels: readonly BandwidthTunnel[],
  direction: ShapedDirection,
  circuits: readonly PlacedCircuit[] = [],
): ShapedTree => {
  const guaranteedSum =
    guaranteesOf(tunnels, direction) +
    circuits.reduce((sum, { guaranteed }) => sum + (guaranteed ?? 0), 0);
  const share =
    rate === null ? 1 : Math.min(1, (rate * guaranteedShare) / Math.max(guaranteedSum, 1));
  return {
    rate,
    leaves: leavesIn(tunnels, direction, share, rate),
    circuits: circuits.map((circuit) => inTree(circuit, tunnels, { share, rate })),
  };
};

/**
 * Classes of a device's shaper: a tunnel's number is its place in the section.
 * @param circuits of the main namespace that have not ended
 */
export const treesOf = (
  shaping: ShapingSection | undefined,
  { tunnels = [] }: Pick<PolicySection, "tunnels"> = {},
  circuits: readonly PlacedCircuit[] = [],
): ShapedTrees => {
  const { up: upRate = null, down: downRate = null, lines = [] } = shaping ?? {};
  const up = treeOf(upRate, tunnels, "up", circuits);
  const down = treeOf(downRate, tunnels, "down");
  const ofLines = lines.reduce((sum, line) => sum + line.up, 0);
  const isUp = up.leaves.length + up.circuits.length > 0;
  return {
    up: isUp || (upRate !== null && upRate !== ofLines) ? up : null,
    down: down.leaves.length > 0 || downRate !== null ? down : null,
  };
};

/** The tree of a space's namespace on a POP: of its circuits alone; null: it has none. */
export const spaceTreeOf = (circuits: readonly PlacedCircuit[]): ShapedTree | null =>
  circuits.length === 0 ? null : treeOf(null, [], "up", circuits);

/** Numbers of a tree's classes (tc(8), the part after the colon): of the device's own packets, and of the rest. */
export const ownClass = 0x5;
export const restClass = 0xff00;
/** Of a tunnel, by its number. */
export const leafClass = (leaf: number): number => 0x100 + leaf;
/** Of a circuit, by its number. */
export const circuitClass = (place: number): number => 0x1000 + place;
/** The least number of a class in a circuit; those of circuits are less. */
export const firstInner = 0x2000;
/** In a circuit with classes of tunnels: of the one at this place among them, from 1; 0: of the rest. */
export const innerClass = ({ place, leaves }: ShapedCircuit, at: number): number =>
  firstInner + (place - 1) * (leaves.length + 1) + at;
/** Of what of a circuit goes through no tunnel. */
export const circuitRest = (circuit: ShapedCircuit): number =>
  circuit.leaves.length === 0 ? circuitClass(circuit.place) : innerClass(circuit, 0);
/** Number of the tree of a direction (the part before the colon), and of that of a WAN link. */
export const treeMajor = { up: 1, down: 2, line: 9 } as const;
export const classId = (major: number, minor: number): string =>
  `${major.toString(16)}:${minor.toString(16)}`;
/** Bytes of a packet that is sent before others: acknowledgements, keepalives, BFD inside a tunnel. */
export const smallBytes = 200;

/** Bytes that a tunnel adds at least: IPv4, UDP and WireGuard without padding. */
const leastOuter = 60;
/** Bytes at most of a packet inside of a tunnel that is such a small one outside. */
export const smallInside = smallBytes - leastOuter;
/**
 * Small packets a second that a POP with this rate in kbit/s sends before others: half of what it carries of the largest of
 * them. Of several spaces each may send half of these.
 */
export const smallPacketsAt = (rate: number): number =>
  Math.max(10, Math.floor((rate * 1_000) / 8 / smallBytes / 2));

/** What lines carry is of the provider, and what a site may of its contract: both are as of today. */
export const shapingDeclaration = defineSection(shapingSection, {
  occurs: "optional",
  needs: { capability: shapingCapability },
  limits: {
    lines: { follows: "a WAN link has one of four slots" },
    circuits: { follows: "compile leaves out circuits that are beyond, and says so of each" },
    "circuits[].links": { follows: "they are some of the device's" },
    "circuits[].networks": { follows: "they are some of the space's" },
  },
  fields: {
    up: { list: null, removal: "setting", restored: "present" },
    down: { list: null, removal: "setting", restored: "present" },
    lines: { list: { kind: "lineRate", key: ["slot"] }, removal: "follows", restored: "present" },
    circuits: { list: { kind: "circuit", key: ["id"] }, removal: "policy", restored: "present" },
  },
});
