/** A state without the objects that its machine refused (refusals.ts), and the steps that belong to such an object. Pure. */
import { isDeepStrictEqual } from "node:util";
import type {
  AcceleratedGroup,
  AccelerationSection,
} from "@weft/contract/device/v1/acceleration.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { ShapedDirection } from "@weft/contract/device/v1/shaping.ts";
import type { SpaceSection } from "@weft/contract/device/v1/space.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { type LinkState, linkBuckets } from "@weft/contract/device/v1/tunnel.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { canonicalAddress, canonicalCidr } from "./address.ts";
import { exitInterface } from "./exits.ts";
import type { ObjectName, Refusal } from "./refusals.ts";
import {
  everyForm,
  everythingText,
  lanWithout,
  type RefusalLookup,
  rulesWithout,
  widerNetwork,
} from "./refused-policy.ts";

export const lineName = (interfaceName: string): ObjectName => ({
  section: "underlay",
  kind: "line",
  object: interfaceName,
});
/** @param object the interface, or one of its addresses with length */
export const lanName = (object: string): ObjectName => ({
  section: "underlay",
  kind: "lan",
  object,
});
/** What of IPv6 a WAN link has beside its address, or a LAN by a delegated prefix: the rest of it acts without. */
export const ipv6Name = (of: "line" | "lan", interfaceName: string): ObjectName => ({
  section: "underlay",
  kind: `${of}Ipv6`,
  object: interfaceName,
});
export const cardName = (interfaceName: string): ObjectName => ({
  section: "underlay",
  kind: "card",
  object: interfaceName,
});
export const linkName = (
  spaceId: number,
  { id, interfaceName }: Pick<LinkState, "id" | "interfaceName">,
): ObjectName => ({
  section: `tunnel.${spaceId}.${id % linkBuckets}`,
  kind: "link",
  object: interfaceName,
});
/** IPv6 of a link, which acts without: its tunnel and its routing session are of IPv4 in any case. */
export const linkIpv6 = "linkIpv6";
export const poolName = (interfaceName: string): ObjectName => ({
  section: "client",
  kind: "pool",
  object: interfaceName,
});
export const hopName = (gateway: string): ObjectName => ({
  section: "policy",
  kind: "nextHop",
  object: gateway,
});

/** BGP of a space, without which its links carry nothing, and on a POP its namespace with all that is in it. */
export const spaceName = (spaceId: number): ObjectName => ({
  section: `routing.${spaceId}`,
  kind: "space",
  object: `${spaceId}`,
});
/** A network that the device announces to a space. */
export const announceName = (spaceId: number, prefix: string): ObjectName => ({
  section: `routing.${spaceId}`,
  kind: "announce",
  object: networkOf(prefix),
});
/** A network that is taken from the other ends of links of a space. */
export const acceptName = (spaceId: number, prefix: string): ObjectName => ({
  section: `routing.${spaceId}`,
  kind: "accept",
  object: networkOf(prefix),
});
export const routeName = (destination: string): ObjectName => ({
  section: "static",
  kind: "route",
  object: destination,
});
/** @param object address of a BGP neighbour in a LAN, or an interface with OSPF */
export const routerName = (object: string): ObjectName => ({
  section: "site",
  kind: "router",
  object,
});
export const segmentName = (spaceId: number, destination: string): ObjectName => ({
  section: `segment.${spaceId}`,
  kind: "segment",
  object: destination,
});
/** A group of a site whose flows leave at a POP. */
export const accelerationName = (
  spaceId: number,
  { object, id }: Pick<AcceleratedGroup, "object" | "id">,
): ObjectName => ({
  section: `acceleration.${spaceId}`,
  kind: "acceleration",
  object: `${object} ${id}`,
});
/** The route to nowhere beneath a network of a space. */
export const closedName = (spaceId: number, network: string): ObjectName => ({
  section: `space.${spaceId}`,
  kind: "network",
  object: networkOf(network),
});
/** A network of a space as the firewall keeps it inside, beside the route of `closedName`. */
export const insideName = (spaceId: number, network: string): ObjectName => ({
  ...closedName(spaceId, network),
  kind: "networkInside",
});
/** A rate of the device, by the interface of its tree (shaping/render.ts). */
export const rateName = (direction: ShapedDirection): ObjectName => ({
  section: "shaping",
  kind: direction === "up" ? "rateUp" : "rateDown",
  object: direction === "up" ? "wup" : "wdn",
});
/** The rate of a WAN link. */
export const lineRateName = (interfaceName: string): ObjectName => ({
  section: "shaping",
  kind: "lineRate",
  object: interfaceName,
});
export const circuitName = (id: number): ObjectName => ({
  section: "shaping",
  kind: "circuit",
  object: `${id}`,
});
export const bandwidthName = (id: number): ObjectName => ({
  section: "policy",
  kind: "bandwidthTunnel",
  object: `${id}`,
});

/** The way out of a space on a POP. */
export const exitName = ({ spaceId }: Pick<AccelerationSection, "spaceId">): ObjectName => ({
  section: `acceleration.${spaceId}`,
  kind: "acceleration",
  object: exitInterface(spaceId),
});

type Line = DesiredState["underlay"]["lines"][number];
type Lan = DesiredState["underlay"]["lans"][number];

/** Interfaces are named once on a device, prefixes once in a section; steps of links do not name their bucket. */
const keyOf = ({ section, kind, object }: ObjectName): string =>
  [section.startsWith("tunnel") ? "tunnel" : section, kind, object].join(" ");

/** @param reason of the finding, "refused" where it is left out */
type IsRefused = (name: ObjectName, reason?: string) => boolean;

export type KeptSpace = SpaceSection & {
  /** Networks that have no route to nowhere: the machine refused it (isolation/plan.ts). */
  readonly unclosed?: readonly string[];
  /** What the firewall keeps inside in place of the networks, of which it refuses some. */
  readonly inside?: readonly string[];
};

/** The state without what is refused at the moment; each is pushed to `found`. */
export const withoutRefused = (
  state: DesiredState,
  refused: readonly Refusal[],
  findings: Finding[],
): DesiredState => {
  const out = new Map(
    refused.filter(({ isOut }) => isOut).map((refusal) => [keyOf(refusal), refusal]),
  );
  if (out.size === 0) return state;
  const report = ({ section, kind, object }: ObjectName, reason: string, why: string): void => {
    findings.push({ section, kind, object, reason, params: { why } });
  };
  const reported = new Set<string>();
  const lookup: RefusalLookup = {
    find: (name) => out.get(keyOf(name)),
    report: ({ section, kind, object }, reason, params) => {
      const key = keyOf({ section, kind, object });
      if (!reported.has(key)) findings.push({ section, kind, object, reason, params });
      reported.add(key);
    },
  };
  const kept = insideOf(state.spaces, lookup);
  const ruled = rulesWithout(state, lookup, kept.isMainShut);
  /** Whether it is refused: then it is reported as well, once. */
  const isRefused: IsRefused = (name, reason = "refused") => {
    const key = keyOf(name);
    const refusal = out.get(key);
    if (refusal && !reported.has(key)) report(name, reason, refusal.why);
    if (refusal) reported.add(key);
    return refusal !== undefined;
  };
  const withoutIpv6 = <Part extends Line | Lan>(part: Part, name: ObjectName): Part => {
    const { ipv6, ...rest } = part;
    const refusal = out.get(keyOf(ipv6Name(name.kind === "line" ? "line" : "lan", name.object)));
    if (ipv6 === undefined || refusal === undefined) return part;
    report(name, "refusedIpv6", refusal.why);
    return rest as Part;
  };
  const { underlay } = state;
  const isClosedSpace = ({ spaceId, netns }: { spaceId: number; netns: string | null }) =>
    netns !== null && isRefused(spaceName(spaceId));
  const tunnels = state.tunnels.filter((tunnel) => !isClosedSpace(tunnel));
  const clients = state.clients?.filter((pool) => !isClosedSpace(pool));
  const gone = new Set<number>();
  const lines = underlay.lines.flatMap((line) => {
    const name = lineName(line.interfaceName);
    const { instead: before = null, tries = 0 } = out.get(keyOf(name)) ?? {};
    // One that ran as it is to run now may be refused for the moment only; if it is again, nothing else is left to be tried.
    const isHopeless = tries > 1 && isDeepStrictEqual(before, line);
    const instead = before?.slot === line.slot && !isHopeless ? before : null;
    if (!isRefused(name, instead === null ? "refused" : "refusedKept"))
      return [withoutIpv6(line, name)];
    return instead === null ? [] : [withoutIpv6(instead, name)];
  });
  const lans = underlay.lans.flatMap((lan) => {
    if (isRefused(lanName(lan.interfaceName))) return [];
    const addresses = lan.addresses.filter(
      (address) => !isRefused(lanName(canonicalCidr(address))),
    );
    return addresses.length === 0
      ? []
      : [withoutIpv6({ ...lanWithout(lan, lookup), addresses }, lanName(lan.interfaceName))];
  });
  const cards = underlay.cards?.filter(({ interfaceName }) => !isRefused(cardName(interfaceName)));
  const carried = tunnels.map((tunnel) => ({
    ...tunnel,
    links: tunnel.links.flatMap((link) => {
      const name = linkName(tunnel.spaceId, link);
      if (isRefused(name)) {
        gone.add(link.id);
        return [];
      }
      const ipv6 = out.get(keyOf({ ...name, kind: linkIpv6 }));
      if (ipv6 === undefined) return [link];
      report(name, "refusedIpv6", ipv6.why);
      return [{ ...link, isWithoutIpv6: true as const }];
    }),
  }));
  return {
    ...state,
    underlay: { ...underlay, lines, lans, ...(cards && { cards }) },
    tunnels: carried,
    static: {
      routes: state.static.routes.filter(({ destination }) => !isRefused(routeName(destination))),
    },
    routings: state.routings.flatMap((routing) => routedWithout(routing, gone, isRefused)),
    ...spacesWithout(
      {
        ...state,
        ...(kept.spaces && { spaces: keep(kept.spaces, (space) => !isClosedSpace(space)) }),
        ...(state.segments && {
          segments: state.segments.filter((segment) => !isClosedSpace(segment)),
        }),
        ...(state.accelerations && {
          accelerations: state.accelerations
            .filter((acceleration) => !isClosedSpace(acceleration))
            .map((acceleration) =>
              kept.shut.has(acceleration.netns) ? { ...acceleration, exit: null } : acceleration,
            ),
        }),
      },
      isRefused,
    ),
    ...(clients && {
      clients: clients.filter(({ interfaceName }) => !isRefused(poolName(interfaceName))),
    }),
    ...ruled,
    ...policyWithout(ruled.policy, isRefused),
    ...shapingWithout(state, isRefused),
  };
};

/** BGP of a space without what is refused of it. */
const routedWithout = (
  routing: DesiredState["routings"][number],
  gone: ReadonlySet<number>,
  isRefused: IsRefused,
): DesiredState["routings"] => {
  const { spaceId, announce, ranks, neighbors } = routing;
  if (isRefused(spaceName(spaceId))) return [];
  const kept = announce.filter((prefix) => !isRefused(announceName(spaceId, prefix)));
  const announced = new Set(kept.map(networkOf));
  // Links of a POP take the same networks by the thousand: each is looked up once.
  const accepted = new Map<string, boolean>();
  const isAccepted = (prefix: string): boolean => {
    const known = accepted.get(prefix) ?? !isRefused(acceptName(spaceId, prefix));
    accepted.set(prefix, known);
    return known;
  };
  return [
    {
      ...routing,
      announce: kept,
      ...(ranks && { ranks: ranks.filter(({ prefix }) => announced.has(networkOf(prefix))) }),
      neighbors: neighbors
        .filter(({ linkId }) => !gone.has(linkId))
        .map((neighbor) => ({ ...neighbor, accept: neighbor.accept?.filter(isAccepted) ?? null })),
    },
  ];
};

/** What spaces and sites have beside BGP of links. */
const spacesWithout = (
  { site, segments, accelerations, spaces }: DesiredState,
  isRefused: IsRefused,
): Pick<DesiredState, "site" | "segments" | "accelerations" | "spaces"> => ({
  ...(site && {
    site: {
      ...site,
      neighbors: site.neighbors.filter(({ address }) => !isRefused(routerName(address))),
      interfaces: site.interfaces.filter(
        ({ interfaceName }) => !isRefused(routerName(interfaceName)),
      ),
    },
  }),
  ...(segments && {
    segments: segments.map((segment) => ({
      ...segment,
      routes: segment.routes.filter(
        ({ destination }) => !isRefused(segmentName(segment.spaceId, destination)),
      ),
    })),
  }),
  ...(accelerations && {
    accelerations: accelerations.map((acceleration) => ({
      ...acceleration,
      groups: acceleration.groups.filter(
        (group) => !isRefused(accelerationName(acceleration.spaceId, group)),
      ),
      // Its sites get no route to it, and leave as without it.
      exit:
        acceleration.exit !== null && isRefused(exitName(acceleration)) ? null : acceleration.exit,
    })),
  }),
  ...(spaces && { spaces: unclosedIn(spaces, isRefused) }),
});

/** The same list where all of it stays: what is known of a list is kept by it. */
const keep = <Item>(items: readonly Item[], isKept: (item: Item) => boolean): readonly Item[] =>
  items.every(isKept) ? items : items.filter(isKept);

interface Inside {
  readonly spaces: DesiredState["spaces"];
  /** Namespaces out of which nothing of a space may pass. */
  readonly shut: ReadonlySet<string | null>;
  readonly isMainShut: boolean;
}

/** Networks that nft refuses stay inside as part of a wider one; what of them no width can keep inside shuts all ways out. */
const insideOf = (spaces: DesiredState["spaces"], lookup: RefusalLookup): Inside => {
  const shut = new Set<string | null>();
  const all = spaces?.map((space): KeptSpace => {
    const { spaceId, netns } = space;
    const inside = space.networks.flatMap((network) => {
      const refusal = lookup.find(insideName(spaceId, network));
      if (refusal === undefined) return [network];
      const form = refusal.form ?? everyForm;
      const wider = widerNetwork(network, form);
      if (form === everyForm) shut.add(netns);
      const params = { why: refusal.why, denies: wider ?? everythingText };
      lookup.report(closedName(spaceId, network), "closedBroader", params);
      return wider ?? [];
    });
    return space.networks.every((network, at) => network === inside[at])
      ? space
      : { ...space, inside };
  });
  const isSame = spaces === undefined || all?.every((space, at) => space === spaces[at]) === true;
  return { spaces: isSame ? spaces : all, shut, isMainShut: shut.has(null) };
};

/** The firewall goes on to keep all networks inside: they stay in the list. */
const unclosedIn = (
  spaces: NonNullable<DesiredState["spaces"]>,
  isRefused: IsRefused,
): NonNullable<DesiredState["spaces"]> => {
  const all = spaces.map((space): KeptSpace => {
    const unclosed = space.networks.filter((network) =>
      isRefused(closedName(space.spaceId, network), "notClosed"),
    );
    return unclosed.length > 0 ? { ...space, unclosed } : space;
  });
  return all.some((space, at) => space !== spaces[at]) ? all : spaces;
};

const policyWithout = (
  policy: DesiredState["policy"],
  isRefused: IsRefused,
): Pick<DesiredState, "policy"> =>
  policy
    ? {
        policy: {
          ...policy,
          ...(policy.routes && {
            routes: policy.routes.filter(
              ({ hop }) => !hop || !isRefused(hopName(canonicalAddress(hop.address))),
            ),
          }),
          ...(policy.tunnels && {
            tunnels: policy.tunnels.filter(({ id }) => !isRefused(bandwidthName(id))),
          }),
        },
      }
    : {};

/** Flows of what is left out have the rate of all others. */
const shapingWithout = (
  { shaping, underlay }: DesiredState,
  isRefused: IsRefused,
): Pick<DesiredState, "shaping"> => {
  if (!shaping) return {};
  const { up, down, lines, circuits } = shaping;
  const nameOf = (slot: number) => underlay.lines.find((line) => line.slot === slot)?.interfaceName;
  return {
    shaping: {
      ...shaping,
      up: up !== null && isRefused(rateName("up")) ? null : up,
      down: down !== null && isRefused(rateName("down")) ? null : down,
      lines: lines.filter(({ slot }) => !isRefused(lineRateName(nameOf(slot) ?? ""))),
      ...(circuits && { circuits: circuits.filter(({ id }) => !isRefused(circuitName(id))) }),
    },
  };
};
