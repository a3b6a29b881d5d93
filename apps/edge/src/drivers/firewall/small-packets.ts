/**
 * Bounds of the small packets that a space sends through a POP. Outside of their tunnels small packets of hosts are not told from BFD
 * of the same size, and are sent before others with it (shaping/render.ts): more of them than that class carries would end the
 * sessions of all tunnels, those of other tenants too. Pure.
 */
import { smallBytes, smallInside, smallPacketsAt } from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { icmpErrors } from "./errors.ts";
import { chain } from "./nft.ts";
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

/** Null: the device is no POP, or no rate of it is known. */
export const smallBoundsOf = (
  { node, shaping, underlay, tunnels, clients = [] }: DesiredState,
  netns: string,
): SmallBounds | null => {
  if (node.kind !== "pop" || !shaping) return null;
  const links = tunnels.flatMap((tunnel) => (tunnel.netns === netns ? tunnel.links : []));
  const entrances = clients.filter((section) => section.netns === netns);
  const isOnly = underlay.lines.length === 1;
  const rates = [
    ...(shaping.up === null ? [] : [shaping.up]),
    ...(isOnly ? shaping.lines.map(({ up }) => up) : []),
  ];
  const lines = isOnly ? [] : shaping.lines;
  if (rates.length === 0 && lines.length === 0) return null;
  return {
    perSecond: rates.length > 0 ? smallPacketsAt(Math.min(...rates)) : null,
    lines: lines.map(({ slot, up }) => ({
      slot,
      perSecond: smallPacketsAt(up),
      interfaceNames: [...links, ...entrances].flatMap((one) =>
        one.slot === slot ? [one.interfaceName] : [],
      ),
    })),
    narrowest: links.length > 0 ? Math.min(...links.map(({ mtu }) => mtu)) : null,
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

const over = (perSecond: number): string => {
  const burst = Math.max(5, Math.floor(perSecond / 10));
  return `limit rate over ${perSecond}/second burst ${burst} packets goto c_small_over`;
};

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
