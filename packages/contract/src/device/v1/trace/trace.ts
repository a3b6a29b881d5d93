/**
 * The way of a packet of a new flow through a site's device, stage by stage, in the order of the device's own
 * rules (docs/protocol.md). Pure: it reads the desired state alone. That it says what the kernel does is
 * tried with packets (apps/edge/src/drivers/firewall/trace.test.ts).
 */

import { groupTowards } from "#contract/device/v1/groups.ts";
import { closedNetworks, networksBehindLines } from "#contract/device/v1/spaces.ts";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { type LanSection, untagged } from "#contract/device/v1/underlay.ts";
import { isSameAddress, isWithin, networkOf } from "#rules/address.ts";
import { lengthAround } from "#rules/prefix-lookup.ts";
import { drop, type Going, objectOf, pass, sectionsOf, step } from "./going.ts";
import { blocksOf, fitsRule, isLimited, type Mapped, mappingOf } from "./match.ts";
import {
  encryptedStep,
  filteredQuery,
  isResolver,
  leadingControls,
  reachesFilter,
  resolverOf,
} from "./names.ts";
import type { Trace, TracedPacket, TraceReason, TraceStep } from "./packet.ts";
import { denialStep, policyRouteStep, type Routed } from "./routed.ts";
import { addressOfLine, type LineAddresses, type Way, type WayToHop, wayOf } from "./way.ts";

/** Source validation (RFC 3704). */
function sourceStep({ state, packet }: Going): TraceStep {
  const { from, interfaceName, source } = packet;
  const params = { source, interfaceName: interfaceName ?? "" };
  if (from === "line") return pass("source", "unchecked", params);
  if (from === "lan") {
    const isLan = untagged(state.underlay.lans).some(
      (section) => section.interfaceName === interfaceName,
    );
    if (!isLan) return drop("source", "noSuchLan", params);
    return sectionsOf(state, interfaceName, source).length > 0
      ? pass("source", "ownSource", params)
      : drop("source", "foreignSource", params);
  }
  const isKnown = state.routings.some(({ neighbors }) =>
    neighbors.some(
      ({ accept }) =>
        accept === null || accept.some((network) => isWithin(networkOf(network), source)),
    ),
  );
  return isKnown ? pass("source", "knownToSpace", params) : drop("source", "foreignSource", params);
}

/** Ports of a WAN link that no mapping takes: those of tunnels, and DHCP. */
const isReserved = ({ firewall }: DesiredState, packet: TracedPacket): boolean =>
  packet.from === "line" &&
  packet.protocol === "udp" &&
  packet.targetPort !== null &&
  (firewall.tunnelPorts.includes(packet.targetPort) || packet.targetPort === 68);

/** Destination of flows to an address of a WAN link; null: no mapping is about it. */
function mappingStep(
  going: Going,
): { readonly found: TraceStep; readonly mapped: Mapped | null } | null {
  const { state, packet, reported } = going;
  const maps = state.policy?.portMaps ?? [];
  if (maps.length === 0 || packet.from === "space") return null;
  const line = state.underlay.lines.find((line) => {
    const address = addressOfLine(line, reported);
    const isHere = packet.from === "lan" || line.interfaceName === packet.interfaceName;
    return isHere && address !== null && isSameAddress(address, packet.destination);
  });
  if (!line || line.ip?.includes(":")) return null;
  if (isReserved(state, packet)) return { found: pass("mapping", "deviceOwn"), mapped: null };
  const mapped = mappingOf(maps, packet, line.slot);
  if (!mapped) return { found: pass("mapping", "unmapped"), mapped };
  const params = { host: mapped.map.host, port: mapped.port };
  const object = { family: "routerPortmapping", id: mapped.map.id };
  return { found: step("change", "mapping", "mapped", params, { object }), mapped };
}

/** What a packet for the device itself meets. */
function deviceStep(going: Going): TraceStep {
  const { state, packet } = going;
  const { from, protocol, targetPort } = packet;
  if (protocol === "icmp") return pass("device", "deviceIcmp");
  const isTunnel = protocol === "udp" && state.firewall.tunnelPorts.includes(targetPort ?? 0);
  if (from === "line")
    return isTunnel ? pass("device", "deviceTunnel") : drop("device", "deviceClosed");
  if (from === "space") return drop("device", "deviceClosed");
  const isRouting =
    protocol === "tcp" ? targetPort === 179 : [3784, 3785, 4784].includes(targetPort ?? 0);
  const isRouter = (state.site?.neighbors ?? []).some(
    ({ interfaceName, address }) =>
      interfaceName === packet.interfaceName && address === packet.source,
  );
  if (isRouter && protocol === "tcp" && targetPort === 179) return pass("device", "deviceServes");
  if (isRouting) return drop("device", "noNeighbor");
  return reachesFilter(going) ? drop("device", "deviceClosed") : pass("device", "deviceServes");
}

const wayReasons = { lan: "toLan", line: "byLine", device: "toDevice" } as const;

/** What routing says, before any policy route. */
function routeStep(way: Way): TraceStep {
  if (way.to === "nowhere") return drop("route", way.reason);
  const interfaceName = "interfaceName" in way ? way.interfaceName : "";
  const network = "network" in way ? way.network : "";
  const reason =
    way.to === "space" ? (way.isDefault ? "bySpaceDefault" : "toSpace") : wayReasons[way.to];
  return pass("route", reason, { interfaceName, network });
}

/** DNS controls that would lead it, before any policy route: which addresses names have only the device knows. */
const answerSteps = ({ state, packet, now }: Going, way: Way): TraceStep[] => {
  const sections = sectionsOf(state, packet.interfaceName, packet.source);
  if (packet.from !== "lan" || way.to !== "line" || !sections.some(({ direct }) => direct))
    return [];
  return leadingControls(state, now).map(({ id, interfaceName }) =>
    pass(
      ...(["policyRoute", "byAnswers", { interfaceName }] as const),
      objectOf({ family: "routerDnscontrol", id }),
    ),
  );
};

/** Networks of the space leave by no line, whatever route took them there. */
function spaceStep({ state, packet }: Going, way: Way | WayToHop): TraceStep | null {
  if (way.to !== "line") return null;
  const inside = lengthAround(closedNetworks(state).get(null) ?? [], packet.destination);
  const isOwn = lengthAround(networksBehindLines(state), packet.destination) >= inside;
  return inside < 0 || isOwn ? null : drop("space", "spaceByLine");
}

/** A site of closed user groups reaches the members of its groups, and only they reach it. */
function groupStep({ state, packet }: Going, way: Way | WayToHop): TraceStep | null {
  const isLeaving = way.to === "space";
  if (!state.groups || !(isLeaving || packet.from === "space")) return null;
  const address = isLeaving ? packet.destination : packet.source;
  const id = groupTowards(state.groups, state, address);
  return id === null
    ? drop("groups", "outsideGroups", { address })
    : pass("groups", "sharesGroup", { address }, objectOf({ family: "cug", id }));
}

/** Blocked senders, limits of new flows, and the ACL, for whatever passes through the device. */
function evaluationSteps(going: Going, way: Way | WayToHop, routed: Routed | null): TraceStep[] {
  const { state, packet } = going;
  const acl = state.firewall.acl ?? [];
  const blocks = blocksOf(acl);
  const block = blocks.find((rule) => fitsRule(rule, packet));
  if (block) return [drop("blocks", "blocked", { mac: block.mac ?? "" }, objectOf(block.object))];
  const denial = denialStep(going, way, routed);
  if (denial) return [denial];
  const sets = state.policy?.sets ?? [];
  const limits = (state.policy?.limits ?? [])
    .filter((limit) => isLimited(limit, sets, packet))
    .map(({ id, connections, perSecond }) =>
      pass(
        "limits",
        "limited",
        { connections, perSecond: perSecond ?? "" },
        objectOf({ family: "routerConnlimit", id }),
      ),
    );
  const rules = acl.filter((rule) => !blocks.includes(rule));
  const at = rules.findIndex((rule) => fitsRule(rule, packet));
  const rule = rules[at];
  if (!rule) return [...limits, ...(rules.length > 0 ? [pass("acl", "aclNone")] : [])];
  const decide = rule.action === "drop" ? drop : pass;
  const reason = rule.action === "drop" ? "aclDrop" : "aclAccept";
  return [...limits, decide("acl", reason, { position: at + 1 }, objectOf(rule.object))];
}

const mayEnter = (lans: readonly LanSection[]): boolean => lans.some(({ forward }) => forward);

/** LANs, space and WAN links: who may send to whom. */
function zoneStep(going: Going, way: Way | WayToHop): TraceStep {
  const { state, packet, mapped } = going;
  const { from } = packet;
  if ((mapped || going.isRedirected) && way.to === "lan") return pass("zone", "mappedHost");
  const targets = way.to === "lan" ? sectionsOf(state, way.interfaceName, packet.destination) : [];
  if (from === "line") return drop("zone", "unasked");
  if (from === "space") {
    if (way.to === "lan")
      return mayEnter(targets) ? pass("zone", "fromSpace") : drop("zone", "notForwarded");
    return isExit(state, packet) ? pass("zone", "exit") : drop("zone", "spaceToLine");
  }
  const sections = sectionsOf(state, packet.interfaceName, packet.source);
  if (way.to === "space")
    return mayEnter(sections) ? pass("zone", "intoSpace") : drop("zone", "notForwarded");
  if (way.to === "lan")
    return mayEnter(sections) && mayEnter(targets)
      ? pass("zone", "betweenLans")
      : drop("zone", "notForwarded");
  return sections.some(({ direct }) => direct) ? pass("zone", "direct") : drop("zone", "notDirect");
}

/** The site announces the default route of the packet's family, and lets the space out by its lines. */
const isExit = ({ routings }: DesiredState, { destination }: TracedPacket): boolean =>
  routings.some(({ announce }) =>
    announce.includes(destination.includes(":") ? "::/0" : "0.0.0.0/0"),
  );

function natStep(
  { state, packet, mapped, isRedirected }: Going,
  way: Way | WayToHop,
  byLine: TraceReason = "lineAddress",
): TraceStep | null {
  if (way.to === "line" && !mapped)
    return step("change", "nat", byLine, { interfaceName: way.interfaceName });
  if (way.to === "hop")
    return step("change", "nat", "hopAddress", { interfaceName: way.interfaceName });
  const targets = way.to === "lan" ? sectionsOf(state, way.interfaceName, packet.destination) : [];
  if (packet.from === "space" && targets.some(({ forward, translated }) => forward && translated))
    return step("change", "nat", "lanAddress");
  const isBack = way.to === "lan" && way.interfaceName === packet.interfaceName;
  if (isBack) return mapped || isRedirected ? step("change", "nat", "hairpin") : null;
  return isRedirected && way.to === "lan"
    ? step("change", "nat", "hopAddress", { interfaceName: way.interfaceName })
    : null;
}

/** What no LAN and no network of the space has. */
const isOfInternet = (state: DesiredState, way: Way | WayToHop, destination: string): boolean =>
  !["device", "lan", "hop"].includes(way.to) &&
  !(closedNetworks(state).get(null) ?? []).some((network) => isWithin(network, destination));

/** From the route on. */
function onwards(going: Going): TraceStep[] {
  const { state, packet, reported } = going;
  const sections =
    packet.from === "lan" ? sectionsOf(state, packet.interfaceName, packet.source) : [];
  const isCentral = sections.some(({ central }) => central === true);
  const way = wayOf(state, packet.destination, { reported, isCentral });
  const isLeaving = way.to === "line" && !isCentral && sections.some(({ direct }) => direct);
  const isLeavingBySpace = isCentral && isOfInternet(state, way, packet.destination);
  const isOwn = way.to === "device" && !going.isRedirected && !going.mapped;
  const filtered = isLeaving || isLeavingBySpace || isOwn ? filteredQuery(going) : null;
  const isForeign = isLeaving || (filtered !== null && !isResolver(state, packet.destination));
  const resolver = isForeign ? resolverOf(state, packet, filtered !== null) : null;
  if (resolver !== null) {
    const resolverStep = step("change", "mapping", "ownResolver", { host: resolver });
    const answered = atPort(redirected(going, resolver), filtered?.port);
    return [resolverStep, ...(filtered?.steps ?? []), ...onwards(answered)];
  }
  if (filtered && isOwn) return [...filtered.steps, routeStep(way), deviceStep(going)];
  if (way.to === "nowhere") return [routeStep(way)];
  if (way.to === "device") {
    // What was meant for a server outside is asked as what passes through.
    const evaluated = going.isRedirected ? evaluationSteps(going, way, null) : [];
    const isRefused = evaluated.at(-1)?.verdict === "drop";
    return [routeStep(way), ...evaluated, ...(isRefused ? [] : [deviceStep(going)])];
  }
  const routed = policyRouteStep(going, way);
  const by = routed?.way ?? way;
  const named = answerSteps(going, way);
  const route = [routeStep(way), ...named, ...(routed ? [routed.found] : [])];
  if (by.to === "nowhere") return [...route, routeStep(by)];
  const { destination } = routed ?? {};
  const changed = destination === undefined ? going : redirected(going, destination);
  if (by.to === "device") return [...route, deviceStep(changed)];
  return [...route, ...afterRoute(changed, by, routed)];
}

const redirected = (going: Going, destination: string): Going => ({
  ...going,
  packet: { ...going.packet, destination },
  isRedirected: true,
});

/** Rules see the port that it was translated to. */
const atPort = (going: Going, targetPort: number | undefined): Going =>
  targetPort === undefined ? going : { ...going, packet: { ...going.packet, targetPort } };

/** What it meets on the way that it takes. */
function afterRoute(going: Going, by: Way | WayToHop, routed: Routed | null): TraceStep[] {
  const { state, packet } = going;
  const space = spaceStep(going, by);
  if (space) return [space];
  const group = groupStep(going, by);
  if (group?.verdict === "drop") return [group];
  const isOut =
    by.to === "line" || (by.to === "space" && isOfInternet(state, by, packet.destination));
  const encrypted = isOut ? encryptedStep(going) : null;
  if (encrypted) return [...(group ? [group] : []), encrypted];
  const evaluated = [...(group ? [group] : []), ...evaluationSteps(going, by, routed)];
  if (evaluated.at(-1)?.verdict === "drop") return evaluated;
  const zone = zoneStep(going, by);
  const isBack = by.to === "lan" && by.interfaceName === going.packet.interfaceName;
  const isTranslated = zone.verdict !== "drop" && (routed?.nat !== false || isBack);
  const nat = isTranslated ? natStep(going, by, routed?.reason) : null;
  return [...evaluated, zone, ...(nat ? [nat] : [])];
}

interface Circumstances {
  /** Addresses of the WAN links that have theirs by DHCP. */
  readonly reported?: LineAddresses;
  /** ms since 1970. */
  readonly now?: number;
}

/**
 * @param state of a CPE: a POP passes packets between the links of a space, by no rule of an object
 */
export function tracePacket(
  state: DesiredState,
  packet: TracedPacket,
  { reported = new Map(), now = 0 }: Circumstances = {},
): Trace {
  const going: Going = { state, reported, now, sent: packet, packet, mapped: null };
  const source = sourceStep(going);
  if (source.verdict === "drop") return { outcome: "dropped", steps: [source] };
  const mapping = mappingStep(going);
  const mapped = mapping?.mapped ?? null;
  const changed = mapped
    ? { ...packet, destination: mapped.map.host, targetPort: mapped.port }
    : packet;
  const steps = [
    source,
    ...(mapping ? [mapping.found] : []),
    ...onwards({ ...going, packet: changed, mapped }),
  ];
  const isDropped = steps.at(-1)?.verdict === "drop";
  const isForDevice = steps.at(-1)?.stage === "device";
  return { outcome: isDropped ? "dropped" : isForDevice ? "delivered" : "forwarded", steps };
}
