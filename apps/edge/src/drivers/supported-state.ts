/**
 * What of a state can be made on a machine. What cannot act is left out and reported, so that the rest
 * acts; what the machine shows is compared with what is left. Pure.
 */
import { dnsCapabilities } from "@weft/contract/device/v1/dns.ts";
import { type Finding, maxFindings } from "@weft/contract/device/v1/findings.ts";
import { filterRulesOf } from "@weft/contract/device/v1/name-filters.ts";
import { divertedBy } from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { linkBuckets } from "@weft/contract/device/v1/tunnel.ts";
import { addressOf, isReserved, networkOf } from "@weft/contract/rules/address.ts";
import { unresolvedRoutes } from "@weft/contract/rules/next-hops.ts";
import { isTimeZone } from "@weft/contract/rules/time-zone.ts";
import { accelerationFindings } from "./acceleration/findings.ts";
import { canonicalAddress } from "./address.ts";
import { followersOf, hasDefault, hasExit } from "./central.ts";
import { flowTableFindings } from "./firewall/flow-table.ts";
import { isMissing, lack, type MachineFacts, type Reason, without } from "./machine-facts.ts";
import { segmentFindings } from "./segment/findings.ts";
import { gatewaysOf, supportedStandby } from "./standby/supported-standby.ts";
import { ownOf, pickUnderlay } from "./underlay/plan.ts";
import { claimsOf } from "./underlay/render.ts";
import { supportedCards } from "./underlay/supported-cards.ts";
import { ipv6Findings, supportedIpv6 } from "./underlay/supported-ipv6.ts";
import { ownInterface, supportedLans } from "./underlay/supported-lans.ts";
import { interfaceObstacle, usedVlans } from "./underlay/vlans.ts";
import { linkName, spaceName, withoutRefused } from "./without-refused.ts";

export interface SupportedState {
  readonly state: DesiredState;
  readonly findings: readonly Finding[];
}

type Line = DesiredState["underlay"]["lines"][number];
type Route = DesiredState["static"]["routes"][number];
const foreignSource = "foreignSource";
const smallPackets = "smallPackets";
const noIpv6 = "noIpv6";
/** Reasons of what is only seen: nothing of the state is left out or changed for them. */
const observed: ReadonlySet<string> = new Set([
  foreignSource,
  smallPackets,
  noIpv6,
  "noResolver",
  "dhcpExhausted",
  "noNames",
  "noFilter",
  "noSession",
  "flowTableFull",
  "segmentCut",
  "segmentEnd",
  "exitCut",
  "noStandby",
  "lineSilent",
  "lineCut",
  "lineLossy",
  "ipv6Overlap",
  "ipv6Invalid",
  "noPrefix",
  "prefixTooSmall",
]);
const lineObstacle = (
  facts: MachineFacts,
  underlay: DesiredState["underlay"],
  line: Line,
): Reason | null => {
  const { interfaceName } = line;
  const reason = ownInterface(interfaceName) ?? interfaceObstacle(facts, underlay, interfaceName);
  if (reason !== null) return reason;
  return facts.leases[line.interfaceName] === undefined ? noClient(facts, line) : null;
};

const noClient = (facts: MachineFacts, { addressing }: Line): Reason | null => {
  const why = addressing === "dhcp" ? lack(facts, "dhcp") : null;
  return why === null ? null : { reason: "noDhcp", params: { why } };
};

/** Lines with the lease of a client that an edge before this one started: they run on as long as that does. */
const unrenewed = (lines: readonly Line[], facts: MachineFacts): Finding[] =>
  lines.flatMap((line) => {
    const reason = noClient(facts, line);
    return reason === null
      ? []
      : [{ section: "underlay", kind: "line", object: line.interfaceName, ...reason }];
  });

/** Links of lines that are left out go with them: their packets would have no way. */
const onLines = (state: DesiredState, lines: readonly Line[]): DesiredState => {
  if (lines.length === state.underlay.lines.length) return state;
  const slots = new Set(lines.map(({ slot }) => slot));
  const lost = new Set(
    state.underlay.lines.map(({ slot }) => slot).filter((slot) => !slots.has(slot)),
  );
  const tunnels = state.tunnels.map((tunnel) => ({
    ...tunnel,
    links: tunnel.links.filter(({ slot }) => !lost.has(slot)),
  }));
  const gone = new Set(
    state.tunnels.flatMap(({ links }) =>
      links.flatMap(({ id, slot }) => (lost.has(slot) ? id : [])),
    ),
  );
  return {
    ...state,
    underlay: { ...state.underlay, lines: [...lines] },
    tunnels,
    routings: state.routings.map((routing) => ({
      ...routing,
      neighbors: routing.neighbors.filter(({ linkId }) => !gone.has(linkId)),
    })),
    ...(state.clients && { clients: state.clients.filter(({ slot }) => !lost.has(slot)) }),
  };
};

/** Networks that a next hop can be on; null: not all of them are known. */
const attached = ({ underlay }: DesiredState, { interfaces }: MachineFacts): string[] | null => {
  const named = new Set([...underlay.lines, ...underlay.lans].map((line) => line.interfaceName));
  const others = [...(interfaces ?? [])].flatMap(([name, own]) => (named.has(name) ? [] : own));
  const networks = [...others, ...underlay.lans.flatMap(({ addresses }) => addresses)];
  for (const { interfaceName, addressing, ip, ipv6 } of underlay.lines) {
    const there = interfaces?.get(interfaceName) ?? [];
    const lineAddresses =
      addressing === "dhcp" ? there.filter((text) => !text.includes(":")) : [ip ?? ""];
    if (lineAddresses.length === 0) return null;
    const isAutomatic = ipv6 !== undefined && ipv6.mode !== "static";
    networks.push(
      ...lineAddresses,
      ...(ipv6?.mode === "static" ? [ipv6.ip] : []),
      ...(isAutomatic ? there.filter((text) => text.includes(":")) : []),
    );
  }
  return networks.filter((network) => network !== "").map(networkOf);
};

/** Addresses that the device has, or has while it stands for another one: nobody else is reached at them. */
const ownAddresses = ({ underlay: { lines, lans }, standby }: DesiredState): ReadonlySet<string> =>
  new Set(
    [
      ...lines.flatMap(({ ip, ipv6 }) => [ip ?? [], ipv6?.mode === "static" ? ipv6.ip : []].flat()),
      ...lans.flatMap(({ addresses }) => addresses),
      ...(standby?.lans ?? []).flatMap(({ own, gateways }) => [own, ...gateways]),
    ].map((text) => canonicalAddress(addressOf(text))),
  );

/** Routers of the site but those that are the device itself: the daemon refuses such a one, and all that comes with it. */
const withoutSelf = ({ site, ...others }: DesiredState, findings: Finding[]): DesiredState => {
  if (site === undefined) return others;
  const deviceAddresses = ownAddresses(others);
  const neighbors = without(
    site.neighbors,
    ({ address }) =>
      deviceAddresses.has(canonicalAddress(address))
        ? { reason: "ownAddress", params: { address } }
        : null,
    findings,
    ({ address }) => ({ section: "site", kind: "router", object: address }),
  );
  return { ...others, site: { ...site, neighbors } };
};

/** A distance that daemons take for "never". */
const neverChosen = 255;

/**
 * Why the routing daemon will not use a route. It resolves a next hop by any route but a default;
 * one that a neighbour of the space may advertise is taken for there.
 */
const routeObstacle = (
  state: DesiredState,
  facts: MachineFacts,
): ((route: Route) => Reason | null) => {
  const near = attached(state, facts);
  const deviceAddresses = ownAddresses(state);
  const ownObstacle = ({ nextHop, metric }: Route): Reason | null => {
    if (metric >= neverChosen)
      return { reason: "metricUnreachable", params: { metric: `${metric}` } };
    return deviceAddresses.has(canonicalAddress(nextHop))
      ? { reason: "ownAddress", params: { address: nextHop } }
      : null;
  };
  const usable = state.static.routes.filter((route) => ownObstacle(route) === null);
  const reported = (): string[] => {
    const announced = new Set(state.routings.flatMap(({ announce }) => announce.map(networkOf)));
    const far = (state.spaces ?? []).flatMap(({ networks }) => networks);
    return far.filter((network) => !announced.has(networkOf(network)));
  };
  const unresolvedIn = () => {
    if (near === null) return null;
    // Most next hops are near, and a space has thousands of networks: its own are read only for the others.
    const unresolved = unresolvedRoutes(usable, near);
    return unresolved.size === 0 ? unresolved : unresolvedRoutes(usable, [...near, ...reported()]);
  };
  const unresolved = unresolvedIn();
  return (route) => {
    const obstacle = ownObstacle(route);
    if (obstacle !== null) return obstacle;
    const { nextHop } = route;
    const through = unresolved?.get(route);
    if (through === undefined) return null;
    return through === null
      ? { reason: "noNextHop", params: { nextHop } }
      : { reason: "unresolvedNextHop", params: { nextHop, route: through } };
  };
};

/** LANs whose hosts are to leave by a default route of the space that no other site announces. */
const withoutExit = (state: DesiredState): Finding[] =>
  hasExit(state)
    ? []
    : followersOf(state).map(({ interfaceName, networks }) => ({
        section: "firewall",
        kind: "lan",
        object: networks?.[0] ?? interfaceName,
        reason: "noExit",
        params: {},
      }));

/** Prefixes that a CPE announces only when it has a route of its own for exactly them. */
const announced = (state: DesiredState, acting: readonly Route[]): Finding[] => {
  const { lines, lans } = state.underlay;
  const deviceAddresses = new Set(
    [
      ...lines.flatMap(({ ip, ipv6 }) => [ip ?? [], ipv6?.mode === "static" ? ipv6.ip : []].flat()),
      ...lans.flatMap(({ addresses }) => addresses),
      ...gatewaysOf(state),
      ...acting.map(({ destination }) => destination),
    ].map(networkOf),
  );
  // What a router in a LAN brings comes and goes.
  const isBrought = (prefix: string): boolean =>
    state.site !== undefined && !prefix.includes(":") && !prefix.endsWith("/0");
  return state.routings
    .filter(({ netns, reflector }) => netns === null && !reflector)
    .flatMap(({ spaceId, announce }) =>
      [...new Set(announce.map(networkOf))]
        .filter(
          (prefix) =>
            !deviceAddresses.has(prefix) &&
            !isBrought(prefix) &&
            !(prefix.endsWith("/0") && hasDefault(lines, prefix)),
        )
        .map((prefix) => ({
          section: `routing.${spaceId}`,
          kind: "announce",
          object: prefix,
          reason: "noRoute",
          params: {},
        })),
    );
};

/** Leases that are not used as they are: worth nothing, or what they claim is not the provider's (underlay/render.ts). */
const claims = (state: DesiredState, { leases }: MachineFacts): Finding[] =>
  [...claimsOf(state.underlay.lines, leases, ownOf(pickUnderlay(state)))].map(
    ([object, { reason, params }]) => ({
      section: "underlay",
      kind: "line",
      object,
      reason,
      params: { lease: leases[object]?.address ?? "", ...params },
    }),
  );

/** Routers in LANs that the state names, and that are not neighbours. */
const unanswered = ({ site }: DesiredState, { silentRouters }: MachineFacts): Finding[] =>
  [
    ...(site?.neighbors ?? []).map(({ address }) => address),
    ...(site?.interfaces ?? []).map(({ interfaceName }) => interfaceName),
  ]
    .filter((text) => silentRouters.has(text))
    .map((object) => ({
      section: "site",
      kind: "router",
      object,
      reason: "noSession",
      params: {},
    }));

/** Lines that hosts no longer leave by, or that are all there is. */
const unansweredLines = ({ underlay }: DesiredState, { silentLines }: MachineFacts): Finding[] =>
  silentLines
    .filter((silent) =>
      underlay.lines.some(({ interfaceName }) => interfaceName === silent.interfaceName),
    )
    .map(({ interfaceName, reason }) => ({
      section: "underlay",
      kind: "line",
      object: interfaceName,
      reason,
      params: {},
    }));

/** Links that are up and have lost one of their families: routes of IPv6 still lead into them. */
const halfDead = ({ tunnels }: DesiredState, { deadIpv6 }: MachineFacts): Finding[] =>
  tunnels.flatMap(({ spaceId, links }) =>
    links
      .filter(({ id }) => deadIpv6.has(id))
      .map((link) => ({
        ...linkName(spaceId, link),
        reason: noIpv6,
        params: { peer: link.peerAddress6 },
      })),
  );

/**
 * Tunnels follow the path that carries them. While the full size is tried again the finding stays,
 * and only its phase changes.
 */
const sized = (tunnels: DesiredState["tunnels"], { pathMtus }: MachineFacts, findings: Finding[]) =>
  tunnels.map((tunnel) => ({
    ...tunnel,
    links: tunnel.links.map((link) => {
      const path = pathMtus.get(link.id);
      if (!path || path.mtu >= link.mtu) return link;
      findings.push({
        ...linkName(tunnel.spaceId, link),
        reason: "pathMtu",
        params: { mtu: `${path.mtu}`, wanted: `${link.mtu}`, phase: path.phase },
      });
      return path.phase === "raising" ? link : { ...link, mtu: path.mtu };
    }),
  }));

/** A host with a leftover address sends some; this many in ten minutes are reported. */
const foreignPackets = 10;

/** In powers of ten: a flood is reported a few times, not with each heartbeat. */
const roundedDown = (packets: number): number => 10 ** Math.floor(Math.log10(packets));

/** What the firewall dropped lately because its source is of no host there. */
const foreign = (state: DesiredState, { foreignSources }: MachineFacts): Finding[] => {
  const links = new Map(
    state.tunnels.flatMap(({ spaceId, links }) =>
      links.map(({ id, interfaceName }) => [
        interfaceName,
        `tunnel.${spaceId}.${id % linkBuckets}`,
      ]),
    ),
  );
  return foreignSources
    .filter(({ packets }) => packets >= foreignPackets)
    .map(({ interfaceName, packets }) => {
      const section = links.get(interfaceName);
      return {
        section: section ?? "firewall",
        kind: section ? "link" : "lan",
        object: interfaceName,
        reason: foreignSource,
        params: { count: `${roundedDown(packets)}` },
      };
    });
};

/** So many in ten minutes are reported: a burst of acknowledgements is none. */
const smallPacketsSeen = 100;

/** Spaces that send more small packets than the POP carries beside the sessions of its tunnels, by the link that they come by. */
const overBound = (state: DesiredState, { smallDrops }: MachineFacts): Finding[] =>
  smallDrops
    .filter(({ packets }) => packets >= smallPacketsSeen)
    .flatMap(({ netns, interfaceName, packets }) => {
      const tunnels = state.tunnels.filter((tunnel) => tunnel.netns === netns);
      const links = tunnels.flatMap(({ spaceId, links }) =>
        links.flatMap((link) =>
          link.interfaceName === interfaceName ? [linkName(spaceId, link)] : [],
        ),
      );
      const spaces = tunnels.map(({ spaceId }) => spaceName(spaceId));
      const params = { count: `${roundedDown(packets)}` };
      return [...links, ...spaces]
        .slice(0, 1)
        .map((name) => ({ ...name, reason: smallPackets, params }));
    });

/** Without its program nothing is served; the rest of the state does not depend on it. */
const served = (state: DesiredState, facts: MachineFacts, findings: Finding[]) => {
  const { dns, ...others } = state;
  if (!dns) return others;
  const missing = lack(facts, dnsCapabilities.names);
  const why = missing ?? facts.resolverFailure;
  // With them the firewall leads all names to the device; without the section it does not.
  const leadsNames = dns.controls !== undefined || filterRulesOf(state).length > 0;
  const isClosed = missing === null && leadsNames;
  if (why !== null)
    findings.push({
      section: "dns",
      kind: "resolver",
      object: "dnsmasq",
      reason: isClosed ? "noNames" : "noResolver",
      params: { why: why.slice(0, 200) },
    });
  if (missing === null && facts.filterFailure !== null)
    findings.push({
      section: "dns",
      kind: "resolver",
      object: "names",
      reason: "noFilter",
      params: { why: facts.filterFailure },
    });
  return missing === null ? { ...others, dns } : others;
};

/** LANs whose further hosts get no address. */
const exhausted = ({ dns }: DesiredState, { exhaustedRanges }: MachineFacts): Finding[] =>
  exhaustedRanges
    .filter(({ interfaceName, first, last }) =>
      dns?.ranges.some(
        (range) =>
          range.interfaceName === interfaceName && range.first === first && range.last === last,
      ),
    )
    .map(({ interfaceName, first, last }) => ({
      section: "dns",
      kind: "lan",
      object: interfaceName,
      reason: "dhcpExhausted",
      params: { first, last },
    }));

/** Rules of a zone that this device's time zone data lacks act by UTC: the rest does not depend on it. */
const clocked = (state: DesiredState, findings: Finding[]): DesiredState => {
  const timeZone = "UTC";
  const isStrange = (part: { readonly timeZone?: string | undefined } | undefined): boolean =>
    part?.timeZone !== undefined && !isTimeZone(part.timeZone);
  const { policy, dns } = state;
  const [section, part] = isStrange(policy) ? ["policy", policy] : ["dns", dns];
  if (!isStrange(part)) return state;
  findings.push({
    section: `${section}`,
    kind: "timeZone",
    object: part?.timeZone ?? timeZone,
    reason: "noTimeZone",
    params: {},
  });
  return {
    ...state,
    ...(policy && isStrange(policy) && { policy: { ...policy, timeZone } }),
    ...(dns && isStrange(dns) && { dns: { ...dns, timeZone } }),
  };
};

/** True for what says nothing of what acts: the state fits as it did before. */
export const isObserved = ({ reason }: Finding): boolean => observed.has(reason);

const routeName = ({ destination }: Route) =>
  ({ section: "static", kind: "route", object: destination }) as const;

/** Static routes but those that would take a network of the space out by a line: it stays inside. */
const inside = (state: DesiredState, findings: Finding[]): Route[] => {
  const diverted = divertedBy(state);
  const obstacle = (route: Route): Reason | null => {
    if (isReserved(route.destination)) return { reason: "reservedAddress", params: {} };
    const network = diverted(route);
    return network === null
      ? null
      : { reason: "inSpace", params: { network, nextHop: route.nextHop } };
  };
  return without(state.static.routes, obstacle, findings, routeName);
};

/** The state without what cannot act on this machine, and what that is. */
export const selectSupported = (wanted: DesiredState, facts: MachineFacts): SupportedState => {
  const findings: Finding[] = [];
  const left = withoutSelf(withoutRefused(wanted, facts.refused, findings), findings);
  const state = supportedIpv6(left, facts, findings);
  const { cards, isOff } = supportedCards(
    state.underlay,
    (name) => isMissing(facts, name),
    findings,
  );
  const lines = without(
    state.underlay.lines,
    (line) => lineObstacle(facts, state.underlay, line),
    findings,
    ({ interfaceName }) => ({ section: "underlay", kind: "line", object: interfaceName }),
  ).filter(({ interfaceName }) => !isOff(interfaceName));
  findings.push(...unrenewed(lines, facts));
  const led = { ...state, underlay: { ...state.underlay, lines } };
  findings.push(
    ...claims(led, facts),
    ...ipv6Findings(led, facts, ownOf(pickUnderlay(led), facts.controllers)),
  );
  const allLines = [...state.underlay.lines, ...wanted.underlay.lines];
  const lans = supportedLans(state, allLines, facts, findings).filter(
    ({ interfaceName }) => !isOff(interfaceName),
  );
  const carried = clocked(served(onLines(state, lines), facts, findings), findings);
  const tunnels = sized(carried.tunnels, facts, findings);
  findings.push(...halfDead(carried, facts), ...unanswered(state, facts));
  findings.push(...unansweredLines(state, facts));
  const routes = inside(state, findings);
  const { vlans: _vlans, ...underlay } = carried.underlay;
  const whole = {
    ...carried,
    underlay: {
      ...underlay,
      lans,
      ...cards,
      ...usedVlans({ ...carried.underlay, lans }, facts),
    },
    tunnels,
    static: { routes },
  };
  const placed = supportedStandby(
    whole,
    (name) => lack(facts, name),
    facts.standbyFailure,
    findings,
  );
  // A daemon takes a route that it cannot use yet, and uses it from the moment on that it can.
  const use = routeObstacle(placed, facts);
  const acting = without(routes, use, findings, routeName);
  // What a LAN that is left out would announce is reported with the LAN.
  findings.push(...announced({ ...placed, underlay: wanted.underlay }, acting));
  findings.push(...withoutExit(placed), ...foreign(placed, facts), ...overBound(placed, facts));
  findings.push(
    ...exhausted(state, facts),
    ...flowTableFindings(facts.flowTable),
    ...segmentFindings(state, facts),
    ...accelerationFindings(state, facts),
  );
  const noDaemon = state.routings.length === 0 ? lack(facts, "frr") : null;
  const why = noDaemon ?? lack(facts, "frr.static");
  if (why === null) return { state: placed, findings: findings.slice(0, maxFindings) };
  const unrouted = routes.map((route) => ({
    ...routeName(route),
    reason: "noRouting",
    params: { why },
  }));
  const others = findings.filter(
    ({ kind, reason }) => kind !== "route" || reason === "inSpace" || reason === "reservedAddress",
  );
  return {
    state: { ...placed, static: { routes: [] } },
    findings: [...others, ...unrouted].slice(0, maxFindings),
  };
};
