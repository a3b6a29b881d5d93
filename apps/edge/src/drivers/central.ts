/**
 * Central breakout: hosts that reach the internet by the space alone, and the site that lets them out.
 * A default route of the space is in a table of its own, which only these hosts look in; main keeps the
 * defaults of the lines for the device and for all other hosts. Pure.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { familyOf } from "./address.ts";
import { outermost } from "./prefixes.ts";

type Family = 4 | 6;

/** Where bgpd puts the default routes of the space, beside the tables of the lines (101 to 104). */
export const exitTable = 110;

/** Hosts of a LAN section that leave by the space; networks null: whatever comes by the interface. */
export interface Follower {
  readonly interfaceName: string;
  readonly networks: readonly string[] | null;
}

export const followersOf = ({ underlay }: Pick<DesiredState, "underlay">): Follower[] =>
  underlay.lans
    .filter(({ central }) => central === true)
    .map(({ interfaceName, networks }) => ({
      interfaceName,
      networks: networks ? outermost(networks) : null,
    }));

/** Behind the rules of the lines, before main. */
const priority = { inside: 1_500, exit: 1_510, end: 1_520 } as const;

/** A rule as the underlay sets it (underlay/render.ts). */
interface Rule {
  readonly family: Family;
  readonly priority: number;
  readonly text: string;
}

/** As the kernel lists it: a single host without its length. */
const sourceOf = (network: string): string =>
  network.replace(familyOf(network) === 4 ? /\/32$/ : /\/128$/, "");

/**
 * What has a route of its own goes by it, in the space or in the site; everything else by a default of
 * the space, and while there is none nowhere.
 */
export const followerRules = (followers: readonly Follower[]): Rule[] =>
  followers.flatMap(({ interfaceName, networks }) => {
    const by = `iif ${interfaceName}`;
    const froms: readonly (readonly [Family, string])[] =
      networks === null
        ? [
            [4, by],
            [6, by],
          ]
        : networks.map((network) => [familyOf(network), `from ${sourceOf(network)} ${by}`]);
    return froms.flatMap(([family, from]) => [
      { family, priority: priority.inside, text: `${from} lookup main suppress_prefixlength 0` },
      { family, priority: priority.exit, text: `${from} lookup ${exitTable}` },
      { family, priority: priority.end, text: `${from} unreachable` },
    ]);
  });

/**
 * The hosts whose way out such a rule begins or ends, once for its three; null: it is none. Flows that they
 * have keep the translation of the way that they began on, which leads nowhere on the other.
 */
export const movedBy = ({ priority: at, text }: Pick<Rule, "priority" | "text">): string | null =>
  at === priority.end ? (/^from (\S+) /.exec(text)?.[1] ?? null) : null;

const defaults: Readonly<Record<string, Family>> = { "0.0.0.0/0": 4, "::/0": 6 };

/** Families that a site lets others of the space out in: those whose default it announces. */
export const exitFamilies = ({ node, routings }: DesiredState): Family[] =>
  node.kind === "pop"
    ? []
    : [
        ...new Set(
          routings.flatMap(({ netns, announce }) =>
            netns === null ? announce.flatMap((text) => defaults[networkOf(text)] ?? []) : [],
          ),
        ),
      ].sort();

/** True when another member of the spaces announces a default route, as far as the state says. */
export const hasExit = ({ spaces, routings }: DesiredState): boolean => {
  if (spaces === undefined) return true;
  const announced = new Set(routings.flatMap(({ announce }) => announce.map(networkOf)));
  return spaces.some(({ networks }) =>
    networks
      .filter((network) => network.endsWith("/0"))
      .map(networkOf)
      .some((network) => network in defaults && !announced.has(network)),
  );
};

/** The way out by a line is a route of its family. */
export const hasDefault = (lines: DesiredState["underlay"]["lines"], prefix: string): boolean =>
  lines.some(({ addressing, ip, gateway, ipv6 }) => {
    const isOfIpv6 = prefix.includes(":");
    if (isOfIpv6 && ipv6 !== undefined) return true;
    return addressing === "dhcp" ? !isOfIpv6 : gateway !== null && ip?.includes(":") === isOfIpv6;
  });
