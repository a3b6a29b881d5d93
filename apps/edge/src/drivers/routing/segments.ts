/**
 * Segment routes in FRR (docs/adr/0026-segment-routes.md): the mark of a POP is a static route over the mark of the next
 * one, and so is the way there, in a table of its own. A mark that goes takes both along, on every hop before it. Pure.
 */

import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import { type SegmentSection, segmentTable } from "@weft/contract/device/v1/segments.ts";
import { networkOf, prefixText } from "@weft/contract/rules/address.ts";
import { canonicalAddress, familyOf } from "#drivers/address.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { exitName, segmentName } from "#drivers/without-refused.ts";
import { bgpHeader, type ConfigLine, linesOf, prefixLists, top, under } from "./lines.ts";

type Segment = SegmentSection["routes"][number];
type Neighbor = RoutingSection["neighbors"][number];

const host = (address: string): string => prefixText(canonicalAddress(address));
const keywordOf = (address: string): string => (familyOf(address) === 4 ? "ip" : "ipv6");

const sectionOf = (
  sections: readonly SegmentSection[],
  { spaceId }: RoutingSection,
): SegmentSection | undefined => sections.find((section) => section.spaceId === spaceId);

/** Marks of this node that a neighbour receives. */
const marksFor = ({ routes }: SegmentSection, { linkId, client }: Neighbor): string[] =>
  routes.flatMap(({ own }) =>
    own && (own.links === null ? client : own.links.includes(linkId)) ? [host(own.mark)] : [],
  );

const allMarks = ({ routes }: SegmentSection): string[] =>
  routes.flatMap(({ own }) => (own ? [host(own.mark)] : []));

/** Most neighbours receive the same marks: all CPEs, all POPs. */
const mapOf = (segments: SegmentSection, section: RoutingSection, neighbor: Neighbor): string => {
  const { spaceId } = section;
  const common = segments.routes.flatMap(({ own }) =>
    own?.links === null && neighbor.client ? [host(own.mark)] : [],
  );
  return marksFor(segments, neighbor).length > common.length
    ? `${neighbor.interfaceName}-out`
    : `s${spaceId}-${neighbor.client ? "sites" : "pops"}`;
};

/** The filter of what a neighbour is sent; null: everything. */
const segmentMap = (
  sections: readonly SegmentSection[],
  section: RoutingSection,
  neighbor: Neighbor,
): string | null => {
  const segments = sectionOf(sections, section);
  return segments && section.reflector && allMarks(segments).length > 0
    ? mapOf(segments, section, neighbor)
    : null;
};

/** Marks go to the hop before and no further; all other routes pass. */
const filterOf = (
  name: string,
  marks: readonly string[],
  allName: string,
  all: readonly string[],
) => {
  const of = (which: 4 | 6, list: readonly string[]) =>
    list.some((text) => familyOf(text) === which);
  const stanza = (number: number, verdict: string, ...content: string[]): ConfigLine[] => {
    const header = `route-map ${name} ${verdict} ${number}`;
    return [top(header), ...content.map(under(header))];
  };
  const match = (which: 4 | 6, list: string): string =>
    `match ${which === 4 ? "ip" : "ipv6"} address prefix-list ${list}`;
  return [
    ...prefixLists(name, marks),
    ...([4, 6] as const).flatMap((which) => [
      ...(of(which, marks)
        ? stanza(which, "permit", match(which, name), "set community no-advertise")
        : []),
      ...(of(which, all) ? stanza(10 + which, "deny", match(which, allName)) : []),
    ]),
    ...stanza(20, "permit"),
  ];
};

/** A segment route, or the way out of a space (exits.ts). */
const nameOf = ({ spaceId }: SegmentSection, { id, destination }: Segment): ObjectName =>
  id < 0 ? exitName({ spaceId }) : segmentName(spaceId, destination);
const namesIn = (section: SegmentSection): ObjectName[] =>
  section.routes.map((route) => nameOf(section, route));

const filters = (sections: readonly SegmentSection[], section: RoutingSection): ConfigLine[] => {
  const segments = sectionOf(sections, section);
  if (!segments || !section.reflector) return [];
  const all = allMarks(segments);
  if (all.length === 0) return [];
  const allName = `s${section.spaceId}-marks`;
  const names = new Map(
    section.neighbors.map((neighbor) => [
      mapOf(segments, section, neighbor),
      marksFor(segments, neighbor),
    ]),
  );
  // Without the filters marks would go further than to the hop before.
  return linesOf(namesIn(segments), [
    ...prefixLists(allName, all),
    ...[...names].flatMap(([name, marks]) => filterOf(name, marks, allName, all)),
  ]);
};

/** What leads to the next hop, and what shows it to the hop before. */
const statics = ({ id, destination, next, own }: Segment): string[] => {
  const keyword = keywordOf(destination);
  const over = next ? [next.mark] : (own?.reach ?? []);
  return [
    ...(own
      ? over.map((text) => `${keyword} route ${host(own.mark)} ${canonicalAddress(text)}`)
      : []),
    ...(next
      ? [
          `${keyword} route ${networkOf(destination)} ${canonicalAddress(next.mark)} table ${segmentTable(id)}`,
        ]
      : []),
  ];
};

const place = ({ netns }: SegmentSection): readonly string[] =>
  netns === null ? [] : [`vrf ${netns}`];

/** Routes of the kernel keep what no tunnel leads to inside the space (isolation/plan.ts): nothing is reached by them. */
const reachMap = "segment-reach";
const usesReach = ({ routes }: SegmentSection): boolean =>
  routes.some(({ own, next }) => own !== null && next === null);
const reachFilter = (sections: readonly SegmentSection[]): ConfigLine[] =>
  sections.some(usesReach)
    ? linesOf(sections.filter(usesReach).flatMap(namesIn), [
        top(`route-map ${reachMap} deny 5`),
        under(`route-map ${reachMap} deny 5`)("match source-protocol kernel"),
        top(`route-map ${reachMap} permit 10`),
      ])
    : [];
const reachLines = (section: SegmentSection): string[] =>
  usesReach(section)
    ? ["ip", "ipv6"].map((text) => `${text} nht static route-map ${reachMap}`)
    : [];

export const segmentFilters = (
  sections: readonly SegmentSection[],
  instances: readonly RoutingSection[],
): ConfigLine[] => [
  ...instances.flatMap((section) => filters(sections, section)),
  ...reachFilter(sections),
];

/** Lines that are not of a routing instance; what has no instance has no neighbour to receive marks from. */
export const segmentStatics = (
  sections: readonly SegmentSection[],
  instances: readonly RoutingSection[],
): ConfigLine[] =>
  sections
    .filter(({ spaceId }) => instances.some((instance) => instance.spaceId === spaceId))
    .flatMap((section) => {
      const line = under(...place(section));
      return [
        ...linesOf(namesIn(section), reachLines(section).map(line)),
        ...section.routes.flatMap((route) =>
          linesOf(nameOf(section, route), statics(route).map(line)),
        ),
      ];
    });

/** Filters of neighbours within an address family. */
const segmentNeighbors = (sections: readonly SegmentSection[], section: RoutingSection): string[] =>
  section.neighbors.flatMap((neighbor) => {
    const map = segmentMap(sections, section, neighbor);
    return map === null
      ? []
      : [`neighbor ${canonicalAddress(neighbor.address4)} route-map ${map} out`];
  });

export const segmentLines = (
  sections: readonly SegmentSection[],
  section: RoutingSection,
): ConfigLine[] => {
  const segments = sectionOf(sections, section);
  const marked = segments?.routes.filter(({ own }) => own !== null) ?? [];
  if (!segments || marked.length === 0) return [];
  return ([4, 6] as const).flatMap((which) => {
    const header = `address-family ${which === 4 ? "ipv4" : "ipv6"} unicast`;
    const line = under(bgpHeader(section), header);
    return [
      ...marked.flatMap((route) => {
        const marks = route.own && familyOf(route.own.mark) === which ? [host(route.own.mark)] : [];
        return linesOf(
          nameOf(segments, route),
          marks.map((mark) => line(`network ${mark}`)),
        );
      }),
      ...linesOf(namesIn(segments), segmentNeighbors(sections, section).map(line)),
    ];
  });
};
