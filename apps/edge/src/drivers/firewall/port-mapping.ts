/**
 * Port mappings: new flows to an own address of a line get a host of the LANs as their destination, also those
 * that the LANs' own hosts begin (hairpin, RFC 4787 section 6). Pure.
 */
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type { PortMapping } from "@weft/contract/device/v1/policy.ts";
import { movedPorts, portsOf } from "@weft/contract/rules/ports.ts";
import { isUnderway } from "./denials.ts";
import { chain, set } from "./nft.ts";

export interface MappedLine {
  readonly slot: number;
  readonly interfaceName: string;
  /** IPv4 address that the document gives it; null: by DHCP. */
  readonly address: string | null;
}

/** What of a device its mappings depend on. */
export interface MappingContext {
  readonly lines: readonly MappedLine[];
  /** Interfaces with hosts. */
  readonly lans: readonly string[];
  /** IPv4 addresses of the device that are of no line. */
  readonly inner: readonly string[];
  /** What stays the device's own at a line, as matches of nft. */
  readonly reserved: readonly string[];
}

export interface PortMappingParts {
  /** Match what mapped hosts answer by the WAN links of their mappings, over TCP. */
  readonly answers: readonly string[];
  /** Counters of the mappings. */
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** In the order of the forward chain. */
  readonly forward: readonly string[];
  readonly nat: readonly string[];
}

const lineBits = markText(markMask("line"));
const rest = markText(2 ** 32 - 1 - markMask("line"));
const slotMark = (slot: number): string => markText(markValue("line", slot));

const protocols = ({ protocol }: PortMapping): readonly string[] =>
  protocol === "both" ? ["tcp", "udp"] : [protocol];
const isOf = (map: PortMapping, { slot }: MappedLine): boolean =>
  map.slot === null || map.slot === slot;

/** nft moves a range to any port of another one: to keep their order takes an entry a port. */
const target = ({ outside, host, inside }: PortMapping, protocol: string): string => {
  if (outside === inside) return host;
  if (movedPorts(outside, inside) === 0) return `${host}:${inside}`;
  const [first, last] = portsOf(outside);
  const [to] = portsOf(inside);
  const entries = Array.from(
    { length: last - first + 1 },
    (_, at) => `${first + at} : ${host} . ${to + at}`,
  );
  return `${protocol} dport map { ${entries.join(", ")} }`;
};

const mapped = (map: PortMapping): string[] =>
  protocols(map).map(
    (protocol) =>
      `${protocol} dport ${map.outside} counter name "${counterOf(map.id)}" dnat ip to ${target(map, protocol)}`,
  );

const counterOf = (id: number): string => hitCounter("routerPortmapping", id);

/** Destinations at a line as hosts of the LANs see them. DHCP may change an address at any time. */
const atLine = (line: MappedLine, { lines, inner }: MappingContext): string => {
  if (line.address !== null) return `ip daddr ${line.address}`;
  const others = [...inner, ...lines.flatMap(({ address }) => address ?? [])].sort();
  const except = others.length > 0 ? ` ip daddr != { ${others.join(", ")} }` : "";
  return `meta nfproto ipv4 fib daddr type local${except}`;
};

const destinations = (maps: readonly PortMapping[], context: MappingContext): string[] => {
  const { lines, lans, reserved } = context;
  const used = lines.filter((line) => maps.some((map) => isOf(map, line)));
  return [
    ...used.map((line) =>
      chain(
        `c_map_${line.slot}`,
        maps.filter((map) => isOf(map, line)).flatMap((map) => mapped(map)),
      ),
    ),
    chain(
      "c_dnat",
      [
        ...reserved.map(
          (match) => `iifname ${set(lines.map((l) => l.interfaceName))} ${match} return`,
        ),
        ...used.flatMap((line) => [
          `iifname "${line.interfaceName}" meta nfproto ipv4 fib daddr . iif type local jump c_map_${line.slot}`,
          `iifname ${set(lans)} ${atLine(line, context)} jump c_map_${line.slot}`,
        ]),
      ],
      "type nat hook prerouting priority dstnat; policy accept;",
    ),
  ];
};

/**
 * Which mapped flows pass. Both ways of each mapping as it is now: a flow of one that was taken away or leads
 * elsewhere since is over.
 */
const passing = (maps: readonly PortMapping[], { lines, lans }: MappingContext): string[] => {
  const rules = (way: "there" | "back"): string[] =>
    maps.flatMap((map) => {
      const at = lines.filter((line) => isOf(map, line)).map((line) => line.interfaceName);
      const ends = set([...at, ...lans]);
      const [device, address, port] =
        way === "there" ? ["iifname", "daddr", "dport"] : ["oifname", "saddr", "sport"];
      return protocols(map).map(
        (protocol) =>
          `${device} ${ends} ip ${address} ${map.host} ${protocol} ${port} ${map.inside} ct original proto-dst ${map.outside} accept`,
      );
    });
  return [
    chain("c_mapped", [
      ...lines.map(
        ({ slot, interfaceName }) =>
          `ct state new iifname "${interfaceName}" ct mark set ct mark & ${rest} | ${slotMark(slot)}`,
      ),
      "ct state related accept",
      ...rules("there"),
    ]),
    chain("c_mapped_back", ["ct state related accept", ...rules("back")]),
  ];
};

/** Answers of a mapping's host, by a WAN link. */
const answerOf = (map: PortMapping, { lines, lans }: MappingContext): string[] => {
  const at = lines.filter((line) => isOf(map, line)).map((line) => line.interfaceName);
  return protocols(map)
    .filter((protocol) => protocol === "tcp")
    .map(
      () => `iifname ${set(lans)} oifname ${set(at)} ip saddr ${map.host} tcp sport ${map.inside}`,
    );
};

/**
 * After a loss of the table of flows an answer may be what is seen first of a mapped flow. Where its own port or its
 * WAN link is not certain, it would leave by another address than the other end knows, which would reset the flow. Without it
 * the next packet that comes in makes the right entry.
 */
const uncertain = (maps: readonly PortMapping[], context: MappingContext): string[] =>
  maps
    .filter(
      (map) =>
        map.outside !== map.inside || context.lines.filter((line) => isOf(map, line)).length > 1,
    )
    .flatMap((map) => answerOf(map, context))
    .map((match) => `ct state new ${isUnderway} ${match} drop`);

/** Answers leave by the line that the flow came in by: elsewhere its other end would not know them. */
const answers = ({ lines, lans }: MappingContext): string =>
  chain(
    "c_answer",
    lines.map(
      ({ slot }) =>
        `iifname ${set(lans)} ct direction reply ct status dnat ct mark & ${lineBits} == ${slotMark(slot)} meta mark set meta mark & ${rest} | ${slotMark(slot)}`,
    ),
    "type filter hook prerouting priority mangle; policy accept;",
  );

const nothing = { answers: [], declared: [], chains: [], nat: [] };

/** What the mappings of a device put into its table. @param all of the document */
export function portMappingParts(
  all: readonly PortMapping[],
  context: MappingContext,
): PortMappingParts {
  const { lines, lans } = context;
  const lineNames = lines.map((line) => line.interfaceName);
  const maps = all.filter((map) => lines.some((line) => isOf(map, line)));
  if (lineNames.length === 0 || lans.length === 0) return { ...nothing, forward: [] };
  // Also where nothing is mapped any more: established flows into a LAN would go on.
  const over = `iifname ${set(lineNames)} oifname ${set(lans)} ct status dnat drop`;
  if (maps.length === 0) return { ...nothing, forward: [over] };
  return {
    answers: maps.flatMap((map) => answerOf(map, context)),
    declared: maps.map(({ id }) => `counter ${counterOf(id)} { }`),
    chains: [...destinations(maps, context), ...passing(maps, context), answers(context)],
    forward: [
      ...uncertain(maps, context),
      `ct status dnat ct direction original iifname ${set([...lineNames, ...lans])} oifname ${set(lans)} jump c_mapped`,
      `ct status dnat ct direction reply iifname ${set(lans)} oifname ${set([...lineNames, ...lans])} jump c_mapped_back`,
      over,
    ],
    // Else the host would answer its neighbour directly, who asked someone else.
    nat: lans.map((name) => `iifname "${name}" oifname "${name}" ct status dnat masquerade`),
  };
}
