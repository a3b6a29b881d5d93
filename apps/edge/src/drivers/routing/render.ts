/**
 * FRR configuration as a list of lines with the blocks that contain them (FRR user guide 8.4). Pure.
 * No line equals a default: FRR would not show it, and every comparison would find a difference.
 */

import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import type { SegmentSection } from "@weft/contract/device/v1/segments.ts";
import type { StaticSection } from "@weft/contract/device/v1/underlay.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { canonicalAddress, familyOf } from "#drivers/address.ts";
import { exitTable } from "#drivers/central.ts";
import { effectivePreference, type Rank } from "#drivers/paths/choice.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import {
  acceptName,
  announceName,
  linkName,
  routeName,
  spaceName,
} from "#drivers/without-refused.ts";
import { backupCall, backupMap, tagOf } from "./backup.ts";
import { exitStatics, type RoutedExit } from "./exits.ts";
import {
  bgpHeader,
  type ConfigLine,
  linesOf,
  prefixLists,
  top,
  under,
  wholeList,
  wholeLists,
  wholes,
} from "./lines.ts";
import { ospfLines } from "./ospf.ts";
import { segmentFilters, segmentLines, segmentStatics } from "./segments.ts";
import { type SiteRouters, siteFilters, siteLines } from "./site.ts";

export interface RoutingPart {
  readonly routerId: string;
  /** True on a POP: zebra serves each namespace as a VRF. */
  readonly spaces: boolean;
  /** Hosts of the site leave by a default route of the space. */
  readonly followsDefault: boolean;
  readonly statics: StaticSection["routes"];
  readonly instances: readonly RoutingSection[];
  /** Links that are put behind others, by id; null: links are preferred as the state says, whatever their quality. */
  readonly ranks: Readonly<Record<string, Rank>> | null;
  /** Routers in LANs; null: none. */
  readonly site: SiteRouters | null;
  /** Segment routes of its spaces. */
  readonly segments: readonly SegmentSection[];
  /** Exits of a site. */
  readonly exits: readonly RoutedExit[];
  /** Another device of the site has its gateways: the space is to prefer that one. */
  readonly backsUp: boolean;
}

/**
 * How long bgpd waits after a session came up before it sends the first routes, in case that further
 * sessions can share the message. By itself it waits 1 s and 50 ms for each neighbour.
 */
const coalesceMs = 50;

/** Defaults of bfdd, which it does not show. */
const bfdDefault = { intervalMs: 300, multiplier: 3 };

interface RouteMap {
  readonly name: string;
  /** Null: whatever comes. */
  readonly permit: readonly string[] | null;
  /** The object that a prefix of these is. */
  readonly nameOf: (prefix: string) => ObjectName;
  readonly preference: number | null;
  /** Next hop of whatever IPv6 prefix comes; null: as the neighbour says. */
  readonly nextHop6: string | null;
  /** What becomes of default routes, before all others; null: they are routes like any. */
  readonly defaults: "exit" | "deny" | null;
  /** Lines of every entry beside these. */
  readonly also: readonly string[];
  /** Entries before those of prefixes. */
  readonly before: readonly ConfigLine[];
}

/**
 * Default routes of a space never get into main, where they would take the place of a line's that is
 * gone: into a table for the hosts that follow them, or nowhere.
 */
const defaultStanzas = (map: RouteMap): ConfigLine[] => {
  const { name, permit, preference, nextHop6, defaults, also } = map;
  return wholes.flatMap(([keyword, prefix], at) => {
    const isWanted = defaults === "exit" && (permit === null || permit.includes(prefix));
    // Of their own numbers: FRR finds an entry to take away by its number and its verdict.
    const header = `route-map ${name} ${isWanted ? `permit ${at + 1}` : `deny ${at + 3}`}`;
    const set = [
      ...(keyword === "ipv6" && nextHop6 !== null ? [`set ipv6 next-hop global ${nextHop6}`] : []),
      ...(preference === null ? [] : [`set local-preference ${preference}`]),
      `set table ${exitTable}`,
      ...also,
    ];
    const match = `match ${keyword} address prefix-list ${wholeList}`;
    return [top(header), ...[match, ...(isWanted ? set : [])].map(under(header))];
  });
};

/** What is announced beside other sites, with the place of this one: entries 101 to 108 for IPv4, 201 to 208 for IPv6. */
const rankedStanzas = (section: RoutingSection, backsUp: boolean): ConfigLine[] =>
  [...Map.groupBy(section.ranks ?? [], ({ preference }) => preference)]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([place, ranks]) => {
      const name = `${outMap(section.spaceId)}-${place}`;
      const prefixes = ranks.map(({ prefix }) => prefix);
      const stanza = (family: 4 | 6): ConfigLine[] => {
        if (!prefixes.some((prefix) => familyOf(prefix) === family)) return [];
        const header = `route-map ${outMap(section.spaceId)} permit ${(family === 4 ? 100 : 200) + place}`;
        const keyword = family === 4 ? "ip" : "ipv6";
        const lines = [`match ${keyword} address prefix-list ${name}`, ...tagOf(backsUp, place)];
        return [top(header), ...lines.map(under(header))];
      };
      const nameOf = (prefix: string) => announceName(section.spaceId, prefix);
      return [...prefixLists(name, prefixes, nameOf), ...stanza(4), ...stanza(6)];
    });

/** A map that ends in a denial that is written down: an empty list must not permit. */
const routeMap = (map: RouteMap): ConfigLine[] => {
  const { name, permit, preference, nextHop6 } = map;
  const first = [...(map.defaults === null ? [] : defaultStanzas(map)), ...map.before];
  const stanza = (seq: number, match: readonly string[]): ConfigLine[] => {
    const header = `route-map ${name} permit ${seq}`;
    // Only where no IPv4 prefix comes by: it would take the next hop as well.
    const isIpv6 = match.some((text) => text.startsWith("match ipv6 "));
    const set = [
      ...(nextHop6 !== null && isIpv6 ? [`set ipv6 next-hop global ${nextHop6}`] : []),
      ...(preference === null ? [] : [`set local-preference ${preference}`]),
      ...map.also,
    ];
    return [top(header), ...[...match, ...set].map(under(header))];
  };
  if (permit === null)
    return [
      ...first,
      top(`ipv6 prefix-list ${name} seq 5 permit any`),
      ...stanza(10, [`match ipv6 address prefix-list ${name}`]),
      ...stanza(20, []),
    ];
  const has = (family: 4 | 6) => permit.some((prefix) => familyOf(prefix) === family);
  return [
    ...first,
    ...prefixLists(name, permit, map.nameOf),
    ...(has(4) ? stanza(10, [`match ip address prefix-list ${name}`]) : []),
    ...(has(6) ? stanza(20, [`match ipv6 address prefix-list ${name}`]) : []),
    top(`route-map ${name} deny 65535`),
  ];
};

/** Filter of what comes in by a link. */
export const inMap = (interfaceName: string): string => `${interfaceName}-in`;
export const outMap = (spaceId: number): string => `s${spaceId}-out`;
const profileOf = (spaceId: number): string => `s${spaceId}`;

const bfd = ({ spaceId, bfd: wanted }: RoutingSection): ConfigLine[] => {
  const profile = `profile ${profileOf(spaceId)}`;
  const line = under("bfd", profile);
  return linesOf(spaceName(spaceId), [
    { path: ["bfd"], line: profile },
    ...(wanted.multiplier === bfdDefault.multiplier
      ? []
      : [line(`detect-multiplier ${wanted.multiplier}`)]),
    ...(wanted.intervalMs === bfdDefault.intervalMs
      ? []
      : [
          line(`transmit-interval ${wanted.intervalMs}`),
          line(`receive-interval ${wanted.intervalMs}`),
        ]),
  ]);
};

/** A link without BGP carries nothing. */
const linkOf = (
  { spaceId }: RoutingSection,
  { linkId, interfaceName }: RoutingSection["neighbors"][number],
): ObjectName => linkName(spaceId, { id: linkId, interfaceName });

const family = (section: RoutingSection, which: 4 | 6, isMeasured: boolean): ConfigLine[] => {
  const header = `address-family ${which === 4 ? "ipv4" : "ipv6"} unicast`;
  const networks = [...new Set(section.announce.filter((p) => familyOf(p) === which))];
  const line = under(bgpHeader(section), header);
  const lines = section.neighbors.flatMap((neighbor) => {
    const peer = `neighbor ${canonicalAddress(neighbor.address4)}`;
    const session = [
      `${peer} activate`,
      ...(section.reflector && neighbor.client ? [`${peer} route-reflector-client`] : []),
      // What a hub passes on goes through the hub: no other node is reachable from a link's end.
      ...(section.reflector ? [`${peer} next-hop-self force`] : []),
      // What a neighbour sent is at hand when its links are preferred otherwise: asking it again would go by a bad link.
      ...(isMeasured ? [`${peer} soft-reconfiguration inbound`] : []),
      `${peer} route-map ${inMap(neighbor.interfaceName)} in`,
      ...(section.reflector ? [] : [`${peer} route-map ${outMap(section.spaceId)} out`]),
    ];
    return linesOf(linkOf(section, neighbor), session.map(line));
  });
  return [
    { path: [bgpHeader(section)], line: header },
    ...networks.flatMap((prefix) =>
      linesOf(announceName(section.spaceId, prefix), [line(`network ${networkOf(prefix)}`)]),
    ),
    ...lines,
  ];
};

/**
 * One session a link, over IPv4, carries both families: the next hop of an IPv6 prefix is then the
 * global inner address of the same interface. A session over IPv6 with extended next hops works as
 * well, but turns on router advertisements and gives IPv4 routes a made-up next hop, 169.254.0.1;
 * two sessions double the cost of every link. (The first two were run.)
 */
const bgp = (section: RoutingSection, routerId: string, isMeasured: boolean): ConfigLine[] => {
  const line = under(bgpHeader(section));
  const neighbors = section.neighbors.flatMap((neighbor) => {
    const peer = `neighbor ${canonicalAddress(neighbor.address4)}`;
    const session = [
      `${peer} remote-as ${section.asn}`,
      `${peer} timers connect 1`,
      `${peer} bfd`,
      `${peer} bfd profile ${profileOf(section.spaceId)}`,
    ];
    return linesOf(linkOf(section, neighbor), session.map(line));
  });
  return linesOf(spaceName(section.spaceId), [
    top(bgpHeader(section)),
    ...[
      `bgp router-id ${routerId}`,
      "no bgp default ipv4-unicast",
      "bgp graceful-restart",
      "bgp graceful-restart preserve-fw-state",
      `coalesce-time ${coalesceMs}`,
    ].map(line),
    ...neighbors,
    ...family(section, 4, isMeasured),
    ...family(section, 6, isMeasured),
  ]);
};

const filters = (
  section: RoutingSection,
  { followsDefault, ranks, backsUp }: RoutingPart,
): ConfigLine[] => {
  const ranked = new Set((section.ranks ?? []).map(({ prefix }) => networkOf(prefix)));
  return [
    ...section.neighbors.flatMap((neighbor) => {
      const { linkId, interfaceName, accept, preference, address6 } = neighbor;
      const filter = routeMap({
        name: inMap(interfaceName),
        permit: accept,
        nameOf: (prefix) => acceptName(section.spaceId, prefix),
        preference: ranks ? effectivePreference(preference, ranks[linkId] ?? 0) : preference,
        // The neighbour's own value is what its interface had when the session came up: an
        // IPv4-mapped address if the IPv6 one was not there at that moment.
        nextHop6: canonicalAddress(address6),
        defaults: section.reflector ? null : followsDefault ? "exit" : "deny",
        also: [backupCall],
        before: [],
      });
      return linesOf(linkOf(section, neighbor), filter);
    }),
    ...(section.reflector
      ? []
      : linesOf(
          spaceName(section.spaceId),
          routeMap({
            name: outMap(section.spaceId),
            permit: section.announce.filter((prefix) => !ranked.has(networkOf(prefix))),
            nameOf: (prefix) => announceName(section.spaceId, prefix),
            preference: null,
            nextHop6: null,
            defaults: null,
            also: tagOf(backsUp, null),
            before: rankedStanzas(section, backsUp),
          }),
        )),
  ];
};

const staticRoute = ({ destination, nextHop, metric }: StaticSection["routes"][number]) => {
  const keyword = familyOf(destination) === 4 ? "ip" : "ipv6";
  // Distance 1 is the default, and 0 is not for static routes.
  const distance = metric > 1 ? ` ${metric}` : "";
  const line = `${keyword} route ${networkOf(destination)} ${canonicalAddress(nextHop)}${distance}`;
  return linesOf(routeName(destination), [top(line)]);
};

/** All lines, in an order in which FRR can take them: what is referred to comes first. */
export const renderRouting = (part: RoutingPart): ConfigLine[] => [
  // Changed filters work after 1 s instead of 5.
  ...(part.instances.length > 0 ? [top("bgp route-map delay-timer 1")] : []),
  ...part.instances.flatMap(bfd),
  ...(part.instances.some(({ reflector }) => !reflector) ? wholeLists : []),
  ...(part.instances.length > 0 ? backupMap : []),
  ...part.instances.flatMap((section) => filters(section, part)),
  ...siteFilters(part.site),
  ...segmentFilters(part.segments, part.instances),
  ...part.instances.flatMap((section) =>
    bgp(section, canonicalAddress(part.routerId), part.ranks !== null),
  ),
  ...part.instances.flatMap((section) => siteLines(section, part.site)),
  ...part.instances.flatMap((section) => segmentLines(part.segments, section)),
  ...ospfLines(part.site, canonicalAddress(part.routerId)),
  ...part.statics.flatMap(staticRoute),
  ...segmentStatics(part.segments, part.instances),
  ...exitStatics(part.exits),
];

/** The lines as a file for `vtysh -f`. */
export const configText = (lines: readonly ConfigLine[]): string => numberedText(lines).text;

/**
 * The same with what each of its lines is made of.
 * @returns `sources`: by line of the text, from 0; undefined: it opens or closes a block only
 */
export const numberedText = (
  lines: readonly ConfigLine[],
): { readonly text: string; readonly sources: readonly (ConfigLine | undefined)[] } => {
  const text: string[] = [];
  const sources: (ConfigLine | undefined)[] = [];
  let open: readonly string[] = [];
  for (const source of lines) {
    const { path, line } = source;
    const shared = path.findIndex((header, index) => header !== open[index]);
    const keep = shared === -1 ? path.length : shared;
    for (let depth = open.length; depth > keep; depth -= 1) text.push(exitOf(open[depth - 1]));
    for (const header of path.slice(keep)) text.push(header);
    sources[text.length] = source;
    text.push(line);
    open = isHeader(path, line) ? [...path, line] : path;
  }
  for (let depth = open.length; depth > 0; depth -= 1) text.push(exitOf(open[depth - 1]));
  return { text: `${text.join("\n")}\n`, sources };
};

const exitOf = (header: string | undefined): string =>
  header?.startsWith("address-family") ? "exit-address-family" : "exit";

/** True for a line that opens a block. */
export const isHeader = (path: readonly string[], line: string): boolean =>
  path.length === 0
    ? /^(router bgp|router ospf$|interface |route-map|bfd$|vrf )/.test(line)
    : /^(address-family|profile) /.test(line);
