/**
 * Bounds of the small packets that a space sends through a POP. Outside of their tunnels small packets of hosts are not told from BFD
 * of the same size, and are sent before others with it (shaping/render.ts): more of them than that class carries would end the
 * sessions of all tunnels, those of other tenants too. Each space is bounded in its namespace, where its packets are told from
 * BFD, and all of them together in the main one, where each is sure of a share. Pure.
 */
import { markMask, markText } from "@weft/contract/device/v1/mark.ts";
import {
  classId,
  ownClass,
  restClass,
  smallBytes,
  smallInside,
  smallPacketsAt,
  treeMajor,
} from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { spaceExits } from "#drivers/exits.ts";
import { icmpErrors } from "./errors.ts";
import { chain, portRanges, set } from "./nft.ts";
import { type NamedSet, namedSet } from "./sources.ts";

/** A WAN link with a rate, and interfaces of the space whose tunnels leave by it. */
interface BoundLine {
  readonly slot: number;
  readonly perSecond: number;
  readonly interfaceNames: readonly string[];
}

export interface SmallBounds {
  /** Of the whole device, or of its only WAN link; null: neither rate is known. */
  readonly perSecond: number | null;
  readonly lines: readonly BoundLine[];
  /** Bytes of the narrowest link: the POP divides longer packets, and what is left of each may be small. Null: there is no link. */
  readonly narrowest: number | null;
}

/** Small packets a second that a POP carries: by all WAN links together, and by each of them. */
interface Carried {
  /** Null: neither rate is known. */
  readonly perSecond: number | null;
  readonly lines: readonly { readonly slot: number; readonly perSecond: number }[];
}

/** Null: the device is no POP, or no rate of it is known. */
const carriedBy = ({ node, shaping, underlay }: DesiredState): Carried | null => {
  if (node.kind !== "pop" || !shaping) return null;
  const isOnly = underlay.lines.length === 1;
  const rates = [
    ...(shaping.up === null ? [] : [shaping.up]),
    ...(isOnly ? shaping.lines.map(({ up }) => up) : []),
  ];
  const lines = isOnly ? [] : shaping.lines;
  if (rates.length === 0 && lines.length === 0) return null;
  return {
    perSecond: rates.length > 0 ? smallPacketsAt(Math.min(...rates)) : null,
    lines: lines.map(({ slot, up }) => ({ slot, perSecond: smallPacketsAt(up) })),
  };
};

/** Namespaces in which tunnels of spaces end; null is the main one. */
const placesIn = ({ tunnels, clients = [] }: DesiredState): (string | null)[] => [
  ...new Set([...tunnels, ...clients].map(({ netns }) => netns)),
];

/** Of several spaces each may send half of what is carried at most: the other half is for their shares. */
const halfOf = (perSecond: number): number => Math.max(5, Math.floor(perSecond / 2));

/** Null: the device is no POP, or no rate of it is known. */
export const smallBoundsOf = (state: DesiredState, netns: string): SmallBounds | null => {
  const { tunnels, clients = [] } = state;
  const carried = carriedBy(state);
  if (carried === null) return null;
  const links = tunnels.flatMap((tunnel) => (tunnel.netns === netns ? tunnel.links : []));
  const entrances = clients.filter((section) => section.netns === netns);
  const ofSpace = placesIn(state).length > 1 ? halfOf : (perSecond: number) => perSecond;
  return {
    perSecond: carried.perSecond === null ? null : ofSpace(carried.perSecond),
    lines: carried.lines.map(({ slot, perSecond }) => ({
      slot,
      perSecond: ofSpace(perSecond),
      interfaceNames: [...links, ...entrances].flatMap((one) =>
        one.slot === slot ? [one.interfaceName] : [],
      ),
    })),
    narrowest: links.length > 0 ? Math.min(...links.map(({ mtu }) => mtu)) : null,
  };
};

/** A space among those that send small packets by the same WAN links. */
interface Sharer {
  /** UDP ports of its tunnels. */
  readonly ports: readonly number[];
  /** Interface by which its hosts leave; null: none do. */
  readonly exit: string | null;
}

export interface SmallShares {
  readonly sharers: readonly Sharer[];
  /** Small packets a second that WAN links carry together. */
  readonly bounds: readonly { readonly wan: readonly string[]; readonly perSecond: number }[];
}

/** Spaces of a POP that share what it carries; null: there are none, or no rate is known. */
export const smallSharesOf = (state: DesiredState): SmallShares | null => {
  const { tunnels, clients = [], underlay } = state;
  const carried = carriedBy(state);
  const places = placesIn(state);
  if (carried === null || places.length < 2) return null;
  const exits = spaceExits(state);
  const wanOf = (slot: number): string[] =>
    underlay.lines.flatMap((line) => (line.slot === slot ? [line.interfaceName] : []));
  const whole = underlay.lines.map(({ interfaceName }) => interfaceName);
  return {
    sharers: places.map((netns) => ({
      ports: [
        ...tunnels.flatMap((tunnel) => (tunnel.netns === netns ? tunnel.links : [])),
        ...clients.filter((section) => section.netns === netns),
      ].map(({ listenPort }) => listenPort),
      exit: exits.find((exit) => exit.netns === netns)?.interfaceName ?? null,
    })),
    bounds: [
      ...(carried.perSecond === null ? [] : [{ wan: whole, perSecond: carried.perSecond }]),
      ...carried.lines.map(({ slot, perSecond }) => ({ wan: wanOf(slot), perSecond })),
    ].filter(({ wan }) => wan.length > 0),
  };
};

/** Small packets that a space had too many of lately. */
export interface SmallDrops {
  readonly netns: string;
  /** By which they came; null: the POP itself answered. */
  readonly interfaceName: string | null;
  readonly packets: number;
}

interface SmallParts {
  readonly sets: readonly NamedSet[];
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** Before whatever lets packets through. */
  readonly forward: readonly string[];
}

const counter = "h_small";

/** Interfaces by which packets beyond a bound came lately, with how many; the empty name: answers of the POP itself. */
export const smallSet = "d_small";
/** Filled by the kernel, as that of foreign sources: made once, and kept over a load of rules. */
const seenSet = `set ${smallSet} { type ifname; size 32768; flags dynamic,timeout; timeout 10m; }`;
const setName = (slot: number): string => `s_small_${slot}`;
const chainName = (slot: number | "exit"): string => `c_small_${slot}`;

const above = (perSecond: number): string =>
  `limit rate over ${perSecond}/second burst ${Math.max(5, Math.floor(perSecond / 10))} packets`;
const over = (perSecond: number): string => `${above(perSecond)} goto c_small_over`;

const answers = [
  `icmp type { echo-reply, ${icmpErrors[0][1].slice(2)}`,
  `icmpv6 type { echo-reply, ${icmpErrors[1][1].slice(2)}`,
];

/** @param exit interface by which hosts leave the space, by whichever WAN link; null: none do */
export function smallParts(bounds: SmallBounds | null, exit: string | null): SmallParts {
  if (bounds === null) return { sets: [], declared: [], chains: [], forward: [] };
  const { perSecond, lines, narrowest } = bounds;
  const isByLine = exit !== null && lines.length > 0;
  const slowest = Math.min(...lines.map((line) => line.perSecond));
  const small = `meta length <= ${smallInside} jump c_small`;
  return {
    sets: lines.map(({ slot, interfaceNames }) =>
      namedSet(
        setName(slot),
        "type ifname;",
        interfaceNames.map((name) => `"${name}"`),
      ),
    ),
    declared: [`counter ${counter} { }`, seenSet],
    chains: [
      chain("c_small_over", [
        `counter name "${counter}"`,
        `update @${smallSet} { iifname counter }`,
        "drop",
      ]),
      ...lines.map((line) => chain(chainName(line.slot), [over(line.perSecond)])),
      ...(isByLine ? [chain(chainName("exit"), [over(slowest)])] : []),
      chain("c_small", [
        ...lines.map(({ slot }) => `oifname @${setName(slot)} jump ${chainName(slot)}`),
        ...(isByLine ? [`oifname "${exit}" jump ${chainName("exit")}`] : []),
        ...(perSecond === null ? [] : [over(perSecond)]),
      ]),
      // What hosts make the POP itself send. Its own BFD, BGP and probes are not of these types.
      chain(
        "c_output",
        answers.map((match) => `${match} ${small}`),
        "type filter hook output priority filter; policy accept;",
      ),
    ],
    forward: [
      small,
      // No tunnel is around them outside.
      ...(exit === null
        ? []
        : [`oifname "${exit}" meta length ${smallInside + 1}-${smallBytes} jump c_small`]),
      ...(narrowest === null
        ? []
        : [`meta length > ${narrowest} ip frag-off & 0x4000 == 0x0 jump c_small`]),
    ],
  };
}

const sharedCounter = "h_small_shared";
const lateChain = "c_small_late";
const [outer, late] = [markText(markMask("outer")), markText(markMask("late"))];
const ofSharer = (place: number): string => `c_small_space_${place}`;
const ofBound = (place: number): string => `c_small_bound_${place}`;

/**
 * In the main namespace, where a tunnel says whose a packet is: those of a space that are beyond its share, and beyond what
 * all spaces have beside their shares, are not sent before others. Shares are by tunnels, each of which has sessions.
 */
export const sharedParts = (
  shares: SmallShares | null,
): Pick<SmallParts, "declared" | "chains"> => {
  if (shares === null || shares.bounds.length === 0) return { declared: [], chains: [] };
  const { sharers, bounds } = shares;
  const all = sharers.reduce((sum, { ports }) => sum + ports.length, 0);
  const shareOf = ({ ports }: Sharer, perSecond: number): number =>
    Math.max(5, Math.floor((halfOf(perSecond) * ports.length) / Math.max(all, 1)));
  const bySharer = (entryOf: (sharer: Sharer) => string | null): string =>
    sharers
      .flatMap((sharer, place) => {
        const entry = entryOf(sharer);
        return entry === null ? [] : [`${entry} : jump ${ofSharer(place)}`];
      })
      .join(", ");
  const exits = bySharer(({ exit }) => exit && `"${exit}"`);
  const ports = sharers
    .flatMap((sharer, place) =>
      sharer.ports.length === 0
        ? []
        : portRanges(sharer.ports)
            .split(", ")
            .map((range) => `${range} : jump ${ofSharer(place)}`),
    )
    .join(", ");
  const hooked = (hook: string, rules: readonly string[]): string =>
    chain(
      `c_small_${hook}`,
      [`meta length > ${smallBytes} accept`, ...rules],
      `type filter hook ${hook} priority filter; policy accept;`,
    );
  return {
    declared: [`counter ${sharedCounter} { }`],
    chains: [
      chain(lateChain, [
        `counter name "${sharedCounter}"`,
        `meta mark set meta mark | ${late}`,
        // Where the POP as a whole has a rate its packets have a class already.
        `meta priority ${classId(treeMajor.up, ownClass)} meta priority set ${classId(treeMajor.up, restClass)}`,
      ]),
      ...bounds.map(({ perSecond }, place) =>
        chain(ofBound(place), [`${above(halfOf(perSecond))} goto ${lateChain}`]),
      ),
      ...sharers.map((sharer, place) =>
        chain(
          ofSharer(place),
          bounds.map(
            ({ wan, perSecond }, at) =>
              `oifname ${set(wan)} ${above(shareOf(sharer, perSecond))} jump ${ofBound(at)}`,
          ),
        ),
      ),
      ...(ports === ""
        ? []
        : [
            hooked("output", [`meta mark & ${outer} == 0x0 accept`, `udp sport vmap { ${ports} }`]),
          ]),
      ...(exits === "" ? [] : [hooked("forward", [`iifname vmap { ${exits} }`])]),
    ],
  };
};
