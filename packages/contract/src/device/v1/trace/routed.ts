/** What policy routes do with a packet: where they send it, and whether one refuses it. Pure. */
import { activeTimes } from "#contract/device/v1/active-times.ts";
import type { PolicyRoute, PolicySection } from "#contract/device/v1/policy.ts";
import { keptNetworks } from "#contract/device/v1/spaces.ts";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { isWithin } from "#rules/address.ts";
import { type Decided, drop, type Going, pass, sectionsOf, step } from "./going.ts";
import { denialOf, policyRouteOf } from "./match.ts";
import type { TracedPacket, TraceReason, TraceStep } from "./packet.ts";
import { addressOfLine, type Way, type WayToHop, wayOf } from "./way.ts";

/** Whether it goes to a network of the LANs, or one of the space; null: not known which these are. */
const isKept = (state: DesiredState, address: string): boolean | null =>
  keptNetworks(state)?.some((network) => isWithin(network, address)) ?? null;

export interface Routed {
  readonly found: TraceStep;
  /** Null: no link of the route is up, and routing decides. */
  readonly way: Way | WayToHop | null;
  readonly nat: boolean;
  /** What the destination becomes; absent: it stays. */
  readonly destination?: string;
  /** How the source becomes the address of a WAN link; absent: as always. */
  readonly reason?: TraceReason;
}

type Translated = Pick<Routed, "nat" | "reason">;

/** Any kind but full cone is about all protocols. */
function translationOf({ nat, translation }: PolicyRoute, { protocol }: TracedPacket): Translated {
  if (translation === "symmetric") return { nat, reason: "symmetricAddress" };
  return translation === "cone" && protocol === "udp" ? { nat, reason: "coneAddress" } : { nat };
}

type Hop = NonNullable<PolicyRoute["hop"]>;

function routedToHop(
  { underlay }: DesiredState,
  { address, interfaceName }: Hop,
  { object, ...translated }: Decided & Translated,
): Routed {
  const line = underlay.lines.find((line) => line.interfaceName === interfaceName);
  const way: Way | WayToHop = line
    ? { to: "line", interfaceName, slot: line.slot }
    : { to: "hop", interfaceName };
  const params = { host: address, interfaceName };
  const decided = object ? { object } : {};
  return {
    found: step("change", "policyRoute", "routedToHop", params, decided),
    way,
    ...translated,
  };
}

const activeAt = ({ times = [], timeZone = "UTC" }: PolicySection, now: number): number[] =>
  activeTimes(times, now, timeZone);

/**
 * The policy route that refuses what a host of the LANs opens; null: none does.
 * @param routed by which policy route it goes on its way
 */
export function denialStep(
  { state, sent, packet, now }: Going,
  way: Way | WayToHop,
  routed: Routed | null,
): TraceStep | null {
  const { policy } = state;
  if (!policy || sent.from !== "lan") return null;
  const { source, destination } = sent;
  const route = denialOf(
    policy,
    { ...packet, source, destination },
    {
      active: activeAt(policy, now),
      isByLine: way.to === "line",
      routedBy: (routed?.way && routed.found.object?.id) ?? null,
    },
  );
  const object = route && { family: "routerPolicyroute", id: route.id };
  return object && drop("policyRoute", "refused", {}, { object });
}

/** The policy route that sends it by other WAN links than routing would; null: none is about it. */
export function policyRouteStep({ state, packet, reported, now }: Going, way: Way): Routed | null {
  const { policy, underlay } = state;
  const sections = sectionsOf(state, packet.interfaceName, packet.source);
  const kept = isKept(state, packet.destination);
  const isElsewhere = way.to === "lan" && kept === false;
  const isOut = way.to === "line" && kept !== true;
  const isChecked =
    packet.from === "lan" && (isOut || isElsewhere) && sections.some((section) => section.direct);
  if (!policy || !isChecked) return null;
  const route = policyRouteOf(policy, packet, { active: activeAt(policy, now), isElsewhere });
  if (!route) return null;
  const object = { family: "routerPolicyroute", id: route.id };
  const translated = translationOf(route, packet);
  if (route.hop) return routedToHop(state, route.hop, { object, ...translated });
  if (route.destination !== undefined && route.slots.length === 0)
    return {
      found: step("change", "policyRoute", "redirected", { host: route.destination }, { object }),
      way: wayOf(state, route.destination, { reported, isCentral: false }),
      destination: route.destination,
      ...translated,
    };
  const isV6 = packet.destination.includes(":");
  const up = underlay.lines.filter(
    (line) =>
      route.slots.includes(line.slot) &&
      addressOfLine(line, reported)?.includes(":") === isV6 &&
      (line.addressing === "dhcp" || line.gateway !== null),
  );
  const [first] = up;
  if (!first)
    return { found: pass("policyRoute", "routeDown", {}, { object }), way: null, nat: true };
  const interfaceName = up.map((line) => line.interfaceName).join(" / ");
  return {
    found: step("change", "policyRoute", "routed", { interfaceName }, { object }),
    way: { to: "line", interfaceName, slot: first.slot },
    ...(route.destination !== undefined && { destination: route.destination }),
    ...translated,
  };
}
