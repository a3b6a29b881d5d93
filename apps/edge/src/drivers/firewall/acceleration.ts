/**
 * Acceleration on a site: new flows of hosts that may leave by a WAN link, to what a group names, take its exit while that
 * is there. The exit is written into the mark of the flow, where it stays: its address belongs to the exit. Pure.
 */
import type { AcceleratedGroup } from "@weft/contract/device/v1/acceleration.ts";
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { markMask, markText } from "@weft/contract/device/v1/mark.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { familyOf } from "#drivers/address.ts";
import {
  acceleratedGroups,
  leavingNetworks,
  nameOfGroup,
  type SiteExit,
  siteExitOf,
  siteExits,
} from "#drivers/exits.ts";
import { learnedSet, learnedSetText } from "#drivers/learned-sets.ts";
import type { PolicyPath } from "#drivers/policy-paths.ts";
import { keyword } from "./address-sets.ts";
import type { HopAnswers } from "./errors.ts";
import { leavingSets, neverOutside } from "./leaving.ts";
import { chain } from "./nft.ts";
import { hopBits, isUp } from "./route-exits.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

/** Groups of a site with their exits, and the links that lead to them. */
export interface AccelerationRules {
  readonly groups: readonly AcceleratedGroup[];
  readonly exits: readonly SiteExit[];
  /** Networks of the site that POPs let out. */
  readonly sources: readonly string[];
  /** Interfaces of the links of the site's space. */
  readonly links: readonly string[];
}

export const accelerationRulesOf = (state: DesiredState): AccelerationRules => ({
  groups: acceleratedGroups(state),
  exits: siteExits(state),
  sources: leavingNetworks(state),
  links: state.tunnels.flatMap(({ netns, links }) =>
    netns === null ? links.map(({ interfaceName }) => interfaceName) : [],
  ),
});

export interface AccelerationParts {
  readonly sets: readonly NamedSet[];
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** What new flows that would leave by a WAN link are asked first. */
  readonly path: readonly string[];
  /** Where flows of exits are kept. */
  readonly kept: readonly PolicyPath[];
  readonly answers: readonly HopAnswers[];
}

const none: AccelerationParts = {
  sets: [],
  declared: [],
  chains: [],
  path: [],
  kept: [],
  answers: [],
};

const others = markText(2 ** 32 - 1 - markMask("path") - markMask("line"));

const setName = (group: AcceleratedGroup, family: 4 | 6): string =>
  `s_exit${family}_${nameOfGroup(group)}`;

const isOf = (family: 4 | 6) => (member: string) =>
  familyOf(member.split("-")[0] ?? member) === family;

const setsOf = (group: AcceleratedGroup): NamedSet[] =>
  group.members.length === 0
    ? []
    : families.map((family) =>
        namedSet(
          setName(group, family),
          `type ipv${family}_addr; flags interval; auto-merge;`,
          group.members.filter(isOf(family)),
        ),
      );

const matchesOf = (group: AcceleratedGroup, family: 4 | 6): string[] => {
  const [destination, name] = [`${keyword(family)} daddr`, nameOfGroup(group)];
  const then = `jump c_exit_${name}`;
  const learned = learnedSet(name, family);
  return [
    ...(group.names.length > 0
      ? // What is in use is kept: an answer that is known already is not added again.
        [`${destination} @${learned} update @${learned} { ${destination} } ${then}`]
      : []),
    ...(group.members.length > 0 ? [`${destination} @${setName(group, family)} ${then}`] : []),
  ];
};

/** An exit that is gone is passed over: what comes after, a policy route or routing, decides. */
const takeExit = (group: AcceleratedGroup, { mark }: SiteExit): string =>
  chain(`c_exit_${nameOfGroup(group)}`, [
    `meta mark set ${markText(mark)}`,
    `${isUp} counter name "${hitCounter(group.object, group.id)}" ct mark set ct mark & ${others} | ${markText(mark)} accept`,
    "meta mark set 0x0",
  ]);

/** @param hosts what of the LANs may leave by a WAN link and enter the space, as matches of nft */
export function accelerationParts(
  { groups, exits, sources, links }: AccelerationRules,
  hosts: readonly string[],
): AccelerationParts {
  const led = groups.flatMap((group) => {
    const exit = siteExitOf(exits, group);
    return exit ? [{ group, exit }] : [];
  });
  if (led.length === 0 || hosts.length === 0 || links.length === 0) return none;
  const marks = `ct mark & ${hopBits} == { ${exits.map(({ mark }) => markText(mark)).join(", ")} }`;
  const matches = led.flatMap(({ group }) =>
    families.flatMap((family) => matchesOf(group, family)),
  );
  return {
    sets: [...leavingSets(sources), ...led.flatMap(({ group }) => setsOf(group))],
    declared: led.flatMap(({ group }) => [
      `counter ${hitCounter(group.object, group.id)} { }`,
      ...(group.names.length > 0
        ? families.map((family) => learnedSetText(nameOfGroup(group), family))
        : []),
    ]),
    chains: [
      ...led.map(({ group, exit }) => takeExit(group, exit)),
      chain("c_accelerated", [
        ...families.map((family) => `${keyword(family)} saddr != @s_leaving${family} return`),
        ...neverOutside.map((match) => `${match} return`),
        ...matches,
      ]),
    ],
    path: hosts.map((match) => `${match}jump c_accelerated`),
    kept: exits.map(({ number, mark, mark4 }) => ({
      number,
      mark,
      hop: { address: mark4, interfaceName: "exit" },
      destination: null,
      ttlIncrement: 0,
    })),
    answers: [{ interfaceNames: links, match: marks }],
  };
}
