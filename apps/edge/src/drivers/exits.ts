/**
 * Exits of acceleration (docs/adr/0043-acceleration.md): what a site and a POP have of them in common to several drivers.
 * An exit of a site is a table of routing with a default over the exit's mark, which FRR fills and empties. Pure.
 */
import type { AcceleratedGroup, PopExit } from "@weft/contract/device/v1/acceleration.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { canonicalAddress } from "./address.ts";
import { endPriority, pathMask, pathPriority, pathTable, pathValue } from "./policy-paths.ts";

/** Behind the numbers of the paths of policy routes. */
const firstNumber = 16;

/** One that groups of a site name. */
export interface SiteExit {
  readonly number: number;
  /** Of its flows and packets. */
  readonly mark: number;
  readonly table: number;
  readonly mark4: string;
  readonly mark6: string;
}

type Accelerated = Pick<DesiredState, "accelerations">;

/** Groups of the site's own space, in the order in which they are tried. */
export const acceleratedGroups = ({ accelerations = [] }: Accelerated): AcceleratedGroup[] =>
  accelerations.flatMap(({ netns, groups }) => (netns === null ? groups : []));

/** Networks of the site whose hosts leave at POPs. */
export const leavingNetworks = ({ accelerations = [] }: Accelerated): string[] =>
  accelerations.flatMap(({ netns, sources }) => (netns === null ? sources : []));

/** What a group is called in names of rules and sets. */
export const nameOfGroup = ({ object, id }: Pick<AcceleratedGroup, "object" | "id">): string =>
  `${object}_${id}`;

/** Names of a group, which the resolver of the LANs learns addresses of. */
export interface LearnedNames {
  readonly by: string;
  readonly names: readonly string[];
}
export const learnedNames = (state: Accelerated): LearnedNames[] =>
  acceleratedGroups(state).flatMap((group) =>
    group.names.length > 0 ? [{ by: nameOfGroup(group), names: group.names }] : [],
  );

export const siteExits = (state: Accelerated): SiteExit[] => {
  const exits = new Map(
    acceleratedGroups(state).map(({ exit }) => [canonicalAddress(exit.mark4), exit]),
  );
  return [...exits.keys()].sort().flatMap((mark4, at) => {
    const number = firstNumber + at;
    const { mark6 = "" } = exits.get(mark4) ?? {};
    return [
      {
        number,
        mark: pathValue(number, "nat"),
        table: pathTable(number),
        mark4,
        mark6: canonicalAddress(mark6),
      },
    ];
  });
};

export const siteExitOf = (
  exits: readonly SiteExit[],
  { exit }: AcceleratedGroup,
): SiteExit | undefined => exits.find(({ mark4 }) => mark4 === canonicalAddress(exit.mark4));

/** A rule as the underlay sets it (underlay/render.ts). */
interface Rule {
  readonly family: 4 | 6;
  readonly priority: number;
  readonly text: string;
}

/** Flows of an exit that is gone lead nowhere: by a WAN link their other end would not know them. */
export const siteExitRules = (state: Accelerated): Rule[] =>
  siteExits(state).flatMap(({ number, mark, table }) => {
    const selector = `fwmark ${markText(mark)}/${markText(pathMask)}`;
    return ([4, 6] as const).flatMap((family) => [
      { family, priority: pathPriority + number, text: `${selector} lookup ${table}` },
      { family, priority: endPriority + number, text: `${selector} unreachable` },
    ]);
  });

/** How hosts of sites leave by this POP. */
export interface SpaceExit extends PopExit {
  /** Networks of sites whose hosts may leave. */
  readonly sources: readonly string[];
  readonly spaceId: number;
  readonly netns: string;
  /** Of the two ends between the namespace of the space and the main one. */
  readonly interfaceName: string;
  /** Of both ends. */
  readonly mtu: number;
}

const exitNames = "wx";
export const exitInterface = (spaceId: number): string => `${exitNames}${spaceId}`;
/** Any of them, as nft matches it. */
export const anyExit = `"${exitNames}*"`;
export const isExitName = (name: string): boolean => /^wx\d+$/.test(name);

/** Least size of IPv6 (RFC 8200 section 5): below it the kernel disables it on the interface. Bytes. */
const leastMtu = 1_280;
const mostMtu = 1_500;

/**
 * As the narrowest link of the space: what is too long for it is reported to the internet by the main namespace, which has a
 * way there. That of the space has none for packets of its own.
 */
const exitMtu = (tunnels: DesiredState["tunnels"], netns: string): number => {
  const links = tunnels
    .filter((tunnel) => tunnel.netns === netns)
    .flatMap((tunnel) => tunnel.links);
  return Math.max(leastMtu, Math.min(mostMtu, ...links.map(({ mtu }) => mtu)));
};

export const spaceExits = ({
  accelerations = [],
  tunnels,
}: Pick<DesiredState, "accelerations" | "tunnels">): SpaceExit[] =>
  accelerations.flatMap(({ spaceId, netns, sources, exit }) =>
    netns === null || exit === null
      ? []
      : [
          {
            ...exit,
            sources,
            spaceId,
            netns,
            interfaceName: exitInterface(spaceId),
            mtu: exitMtu(tunnels, netns),
          },
        ],
  );

/** Mark of packets that are to leave, within the namespace of a space. */
export const leavingMark = markText(markValue("path", 80));
export const leavingBits = markText(markMask("path"));

/** Of the two tables of a family: what has a route keeps it, and everything else that may leave does. */
export const leavingTable = 111;
const leavingPriority = { inside: 3_000, exit: 3_010, end: 3_020 } as const;
export const isLeavingRule = (at: number): boolean =>
  Object.values(leavingPriority).some((priority) => priority === at);

export const leavingRules: readonly Rule[] = ([4, 6] as const).flatMap((family) => {
  const selector = `fwmark ${leavingMark}/${leavingBits}`;
  return [
    {
      family,
      priority: leavingPriority.inside,
      text: `${selector} lookup main suppress_prefixlength 0`,
    },
    { family, priority: leavingPriority.exit, text: `${selector} lookup ${leavingTable}` },
    { family, priority: leavingPriority.end, text: `${selector} unreachable` },
  ];
});

/** Addresses of the main namespace's end. */
export const outerOf = ({ outer4, outer6 }: PopExit): readonly [string, string] => [
  canonicalAddress(addressOf(outer4)),
  canonicalAddress(addressOf(outer6)),
];
export const innerOf = ({ inner4, inner6 }: PopExit): readonly [string, string] => [
  canonicalAddress(addressOf(inner4)),
  canonicalAddress(addressOf(inner6)),
];
