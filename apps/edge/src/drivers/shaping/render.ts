/**
 * Queues of the device as commands of tc(8). What leaves by WAN links and links is redirected into one tree of
 * classes (tc-htb(8)) on an `ifb`, and what goes to the LANs into another, so that a tunnel's rates span all of
 * them; each WAN link has a small tree of its own behind that, for its rate. Nothing is shaped where it arrives:
 * the firewall has given packets their class as priority before they leave. Pure.
 */
import { markMask } from "@weft/contract/device/v1/mark.ts";
import {
  circuitClass,
  classId,
  innerClass,
  leafClass,
  ownClass,
  restClass,
  type ShapedCircuit,
  type ShapedDirection,
  type ShapedTree,
  smallBytes,
  treeMajor,
} from "@weft/contract/device/v1/shaping.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { lineRateName } from "#drivers/without-refused.ts";

/** Interfaces whose only purpose is a queue (`ifb`). */
export const treeDevices: Readonly<Record<ShapedDirection, string>> = { up: "wup", down: "wdn" };

/** kbit/s of a tree without a rate: more than any device carries. */
const unlimited = 100_000_000;
/** Bytes of a tunnel around a packet: outer IPv4 or IPv6, UDP, WireGuard and its padding. */
const tunnelBytes = 80;
/** Share of a rate that the device's own packets are sure of, and that they may take. */
const ownShare = { min: 0.05, max: 0.5 } as const;
/**
 * kbit/s of the device's own packets whatever the rate: probes of four WAN links, BFD and BGP of all tunnels, and states from
 * the controller. With less a small rate would keep the next state from the device, and no operator could take it back.
 */
const ownOfDevice = 256;
/** The same on one WAN link, where small packets of hosts are among them: no more than this share of what the link carries. */
const ownOfLine = { atLeast: 64, share: 0.9 } as const;
/** Ms that a packet waits at most in a queue that is served at its maximum. */
const maxWaitMs = 100;
/** Bytes of the shortest queue, of a burst, and of one turn among classes: some full packets. */
const minQueue = 30_000;
const minBurst = 15_000;
/** Of a queue, as tc(8) takes it. */
const maxQueue = 2 ** 32 - 1;
const quantum = 1_514;

const bytesIn = (kbps: number, ms: number): number => Math.ceil((kbps * ms) / 8);

interface Rates {
  readonly rate: number;
  readonly ceil: number;
  /** Lower is served first with what no class is sure of. */
  readonly prio: number;
  readonly overhead?: number;
}

const htbClass = (device: string, parent: string, id: string, rates: Rates): string => {
  const { rate, ceil, prio, overhead = 0 } = rates;
  const burst = Math.max(minBurst, bytesIn(ceil, 10));
  return [
    `class replace dev ${device} parent ${parent} classid ${id} htb prio ${prio}`,
    `rate ${rate}kbit ceil ${ceil}kbit burst ${burst} cburst ${burst} quantum ${quantum}`,
    ...(overhead > 0 ? [`overhead ${overhead}`] : []),
  ].join(" ");
};

/** @param isFair the kernel has fq_codel (RFC 8290) */
const queue = (device: string, id: string, ceil: number, isFair: boolean): string => {
  const bytes = Math.min(maxQueue, Math.max(minQueue, bytesIn(ceil, maxWaitMs)));
  const handle = `${id.split(":")[1]}:`;
  return `qdisc replace dev ${device} parent ${id} handle ${handle} ${isFair ? "fq_codel" : `bfifo limit ${bytes}`}`;
};

/** What is in a tree, by its places. */
export interface TreeNames {
  /** Its rate, where it has one. */
  readonly rate: readonly ObjectName[];
  readonly ofLeaf: (leaf: number) => readonly ObjectName[];
  readonly ofCircuit: (place: number) => readonly ObjectName[];
}

interface Class extends Rates {
  readonly minor: number;
  /** Absent: it is of the tree. */
  readonly about?: readonly ObjectName[];
  /** Of the class that it is in; absent: of the root. */
  readonly inside?: number;
  /** Others are in it, and packets wait in these. */
  readonly isParent?: true;
}

/** Whose rate it is: a POP bounds small packets of its spaces to what its own class may take (firewall/small-packets.ts). */
export type RateOf = "site" | "pop";

/**
 * Of what a POP lets through of small packets its own class is sure: what no class is sure of is gone while others send
 * all that they may, and BFD would wait behind small packets that are within their bound.
 */
const ownRates = (rate: number, atLeast: number, of: RateOf): Class => {
  const min = Math.max(atLeast, Math.floor(rate * ownShare.min));
  const max = Math.max(min, Math.floor(rate * ownShare.max));
  return { minor: ownClass, rate: of === "pop" ? max : min, ceil: max, prio: 0 };
};

/** Of a circuit: one, or one with those of tunnels and of the rest in it. */
const circuitClasses = (circuit: ShapedCircuit, names: TreeNames): Class[] => {
  const { place, guaranteed, most, leaves } = circuit;
  const minor = circuitClass(place);
  const about = names.ofCircuit(place);
  const outer: Class = {
    minor,
    rate: guaranteed,
    ceil: Math.max(guaranteed, most),
    prio: 1,
    about,
  };
  if (leaves.length === 0) return [outer];
  const taken = leaves.reduce((sum, leaf) => sum + leaf.guaranteed, 0);
  const rest = { rate: Math.max(1, guaranteed - taken), ceil: outer.ceil, about };
  return [
    { ...outer, isParent: true },
    { ...rest, minor: innerClass(circuit, 0), inside: minor, prio: 1 },
    ...leaves.map((leaf, at) => ({
      minor: innerClass(circuit, at + 1),
      inside: minor,
      prio: 1,
      rate: leaf.guaranteed,
      ceil: Math.max(leaf.guaranteed, leaf.most),
      about,
    })),
  ];
};

/** Classes below a root, from the first to the last. */
const classes = ({ rate, leaves, circuits }: ShapedTree, names: TreeNames, of: RateOf): Class[] => {
  const root = rate ?? unlimited;
  const guaranteedSum = [...leaves, ...circuits].reduce(
    (sum, { guaranteed }) => sum + guaranteed,
    0,
  );
  const left = Math.max(
    Math.floor(root / 100),
    8,
    Math.floor(root * (1 - (of === "pop" ? ownShare.max : ownShare.min))) - guaranteedSum,
  );
  return [
    ownRates(root, ownOfDevice, of),
    ...leaves.map(({ leaf, guaranteed, most }) => ({
      minor: leafClass(leaf),
      rate: guaranteed,
      ceil: Math.max(guaranteed, most),
      prio: 1,
      about: names.ofLeaf(leaf),
    })),
    ...circuits.flatMap((circuit) => circuitClasses(circuit, names)),
    { minor: restClass, rate: Math.min(root, left), ceil: root, prio: 1 },
  ];
};

export interface Queues {
  readonly device: string;
  /** Of its root, "1:"; with what tc(8) makes it by. */
  readonly handle: string;
  readonly root: string;
  /** Ids of its classes, parents first. */
  readonly ids: readonly string[];
  /** Lines of `tc -batch`, in their order. */
  readonly batch: readonly string[];
  /** By line of these: what is left out where tc(8) or the kernel refuses it. */
  readonly abouts: readonly (readonly ObjectName[])[];
  /** All that has a place in it: what is left out where it cannot be made, or nothing is led into it. */
  readonly about: readonly ObjectName[];
}

/** A tree on an `ifb`. What has no class passes by: it goes neither to a WAN link nor came from one. */
export const treeQueues = (
  direction: ShapedDirection,
  tree: ShapedTree,
  isFair: boolean,
  names: TreeNames,
  of: RateOf,
): Queues => {
  const device = treeDevices[direction];
  const major = treeMajor[direction];
  const handle = `${major}:`;
  const root = tree.rate ?? unlimited;
  const top = classId(major, 1);
  const all = classes(tree, names, of).map((shapedClass) => ({
    ...shapedClass,
    id: classId(major, shapedClass.minor),
  }));
  const about = [
    ...names.rate,
    ...tree.leaves.flatMap(({ leaf }) => names.ofLeaf(leaf)),
    ...tree.circuits.flatMap(({ place }) => names.ofCircuit(place)),
  ];
  const lines = [
    {
      line: htbClass(device, handle, top, {
        rate: root,
        ceil: root,
        prio: 0,
        overhead: tunnelBytes,
      }),
      about,
    },
    ...all.flatMap((shapedClass) => [
      {
        line: htbClass(
          device,
          shapedClass.inside ? classId(major, shapedClass.inside) : top,
          shapedClass.id,
          shapedClass,
        ),
        about: shapedClass.about ?? about,
      },
      ...(shapedClass.isParent
        ? []
        : [
            {
              line: queue(device, shapedClass.id, shapedClass.ceil, isFair),
              about: shapedClass.about ?? about,
            },
          ]),
    ]),
  ];
  return {
    device,
    handle,
    // The length of the direct queue is otherwise that of the device's, 32 packets.
    root: `htb default 0 direct_qlen 1000`,
    ids: [top, ...all.map(({ id }) => id)],
    batch: lines.map(({ line }) => line),
    abouts: lines.map((line) => line.about),
    about,
  };
};

/** Instructions of classic BPF as tc(8) takes them: opcode, jump if true, jump if false, value. */
const bytecode = (...instructions: readonly string[]): string =>
  `${instructions.length},${instructions.join(",")}`;
const loadMark = "32 0 0 4294963220";
/** Whether it is tagged: by the interface of its VLAN, which is its WAN link or LAN, and where it was shaped before. */
const loadIsTagged = "32 0 0 4294963248";
const loadLength = "128 0 0 0";
const [miss, hit] = ["6 0 0 0", "6 0 0 4294967295"];

/** Packets that the device sends itself, and small ones of any, but those beyond their share; of no VLAN. */
const first = bytecode(
  loadIsTagged,
  "21 0 5 0",
  loadMark,
  `69 4 0 ${markMask("control")}`,
  `69 2 0 ${markMask("late")}`,
  loadLength,
  `37 0 1 ${smallBytes}`,
  miss,
  hit,
);
/** All of no VLAN but packets of tunnels: what is inside them was shaped already. */
const inner = bytecode(
  loadIsTagged,
  "21 0 4 0",
  loadMark,
  `84 0 0 ${markMask("outer")}`,
  "21 0 1 0",
  hit,
  miss,
);
const any = bytecode(loadIsTagged, "21 0 1 0", hit, miss);
const tagged = bytecode(loadIsTagged, "21 1 0 0", hit, miss);

/** Class of what is not sent before others; the number of the tree itself is taken. */
const lineRest = 0x10;

/** The tree of a WAN link with a rate. */
export const lineQueues = (device: string, rate: number, isFair: boolean, of: RateOf): Queues => {
  const major = treeMajor.line;
  const [handle, top] = [`${major}:`, classId(major, 1)];
  const [small, rest] = [classId(major, ownClass), classId(major, lineRest)];
  const { atLeast, share } = ownOfLine;
  const ofOwn = ownRates(rate, Math.min(atLeast, Math.max(1, Math.floor(rate * share))), of);
  const about = [lineRateName(device)];
  const batch = [
    htbClass(device, handle, top, { rate, ceil: rate, prio: 0 }),
    htbClass(device, top, small, ofOwn),
    queue(device, small, ofOwn.ceil, isFair),
    htbClass(device, top, rest, { rate: Math.max(8, rate - ofOwn.rate), ceil: rate, prio: 1 }),
    queue(device, rest, rate, isFair),
    `filter replace dev ${device} parent ${handle} protocol all prio 1 handle 1 bpf bytecode "${first}" classid ${small}`,
    // By no class: what VLANs of the card send is not of this link.
    `filter replace dev ${device} parent ${handle} protocol all prio 2 handle 1 bpf bytecode "${tagged}" classid ${handle}0`,
  ];
  return {
    device,
    handle,
    root: `htb default ${lineRest.toString(16)}`,
    ids: [top, small, rest],
    batch,
    abouts: batch.map(() => about),
    about,
  };
};

/** Where packets leave, and the tree that they pass before. */
export interface Redirect {
  readonly device: string;
  readonly to: string;
  /** What is in the tree: without the redirect it would not be what it is of. */
  readonly about: readonly ObjectName[];
  /** Packets of tunnels pass by. */
  readonly sparesTunnels: boolean;
}

export const redirectLine = ({ device, to, sparesTunnels }: Redirect): string =>
  `filter replace dev ${device} egress protocol all prio 1 handle 1 bpf bytecode "${sparesTunnels ? inner : any}" action mirred egress redirect dev ${to}`;
