/** Which rules of a device fit a packet of a new flow. Pure. */
import type { AclRuleState } from "#contract/device/v1/acl.ts";
import type {
  AddressSet,
  AppService,
  ConnectionLimit,
  PolicyRoute,
  PolicySection,
  PortMapping,
} from "#contract/device/v1/policy.ts";
import { isWithin, parseAddress, spanOf } from "#rules/address.ts";
import { portsOf } from "#rules/ports.ts";
import type { TracedPacket } from "./packet.ts";

const isPortIn = (range: string, port: number | null): boolean => {
  const [first, last] = portsOf(range);
  return port !== null && port >= first && port <= last;
};

const isMember = (members: readonly string[], address: string): boolean => {
  const parsed = parseAddress(address);
  return members.some((member) => {
    const span = spanOf(member);
    return (
      span !== null &&
      parsed !== null &&
      span.family === parsed.family &&
      parsed.address >= span.first &&
      parsed.address <= span.last
    );
  });
};

/** As `c_acl` of the device matches it. */
export const fitsRule = (rule: AclRuleState, packet: TracedPacket): boolean =>
  (rule.protocol === "any" || rule.protocol === packet.protocol) &&
  (rule.mac === null || (packet.from === "lan" && rule.mac === packet.mac)) &&
  (rule.source === null || isWithin(rule.source, packet.source)) &&
  (rule.target === null || isWithin(rule.target, packet.destination)) &&
  (rule.sourcePort === null || isPortIn(rule.sourcePort, packet.sourcePort)) &&
  (rule.targetPort === null || isPortIn(rule.targetPort, packet.targetPort));

const isBlock = ({ mac, action, protocol, source, target }: AclRuleState): boolean =>
  mac !== null && action === "drop" && protocol === "any" && source === null && target === null;

/** Hardware addresses that nothing may come from are looked at first, up to a rule that lets something through. */
export const blocksOf = (rules: readonly AclRuleState[]): readonly AclRuleState[] => {
  const accepts = rules.findIndex(({ action }) => action === "accept");
  return rules.slice(0, accepts < 0 ? rules.length : accepts).filter(isBlock);
};

/** Whether a limit of new flows is about the sender. */
export const isLimited = (
  { set }: ConnectionLimit,
  sets: readonly AddressSet[],
  packet: TracedPacket,
): boolean =>
  set === null
    ? packet.from === "lan"
    : isMember(sets.find(({ id }) => id === set)?.members ?? [], packet.source);

/** Whether a packet is of a service of an application group. */
const isServed = (
  { protocol, port, sourcePort, target }: AppService,
  packet: TracedPacket,
): boolean =>
  (protocol === "any"
    ? packet.protocol !== "icmp" || (port === null && sourcePort === null)
    : protocol === packet.protocol) &&
  (port === null || isPortIn(port, packet.targetPort)) &&
  (sourcePort === null || isPortIn(sourcePort, packet.sourcePort)) &&
  (target === null || isMember([target], packet.destination));

/** @param active ids of the time groups that are active */
const routeFits =
  (
    { sets, applications = [] }: PolicySection,
    { source, destination, ...packet }: TracedPacket,
    active: readonly number[],
  ) =>
  ({ sources, targets, app = null, time, hop, destination: to }: PolicyRoute): boolean => {
    const isIn = (set: number | null, address: string): boolean =>
      set === null || isMember(sets.find(({ id }) => id === set)?.members ?? [], address);
    const isV6 = destination.includes(":");
    const services = applications.find(({ id }) => id === app)?.services ?? [];
    return (
      ((hop?.address ?? to)?.includes(":") ?? isV6) === isV6 &&
      (time === null || active.includes(time)) &&
      isIn(sources, source) &&
      isIn(targets, destination) &&
      (app === null ||
        services.some((service) => isServed(service, { source, destination, ...packet })))
    );
  };

/**
 * The first policy route that fits; null: none does, or it denies.
 * @param active ids of the time groups that are active
 * @param isElsewhere a static route of the site leads there: only a route with targets overrides it
 */
export function policyRouteOf(
  policy: PolicySection,
  packet: TracedPacket,
  { active, isElsewhere }: { readonly active: readonly number[]; readonly isElsewhere: boolean },
): PolicyRoute | null {
  const fits = routeFits(policy, packet, active);
  const route = policy.routes?.find(
    (route) => (route.targets !== null || !isElsewhere) && fits(route),
  );
  return route && !route.deny ? route : null;
}

/**
 * The policy route that refuses a packet; null: none does, or an earlier one sends it somewhere.
 * @param packet with the addresses that its host sent it with
 * @param routedBy id of the policy route that sends it on its way; null: none does
 */
export function denialOf(
  policy: PolicySection,
  packet: TracedPacket,
  { active, isByLine, routedBy }: Leaving,
): PolicyRoute | null {
  const fits = routeFits(policy, packet, active);
  const isAbout = ({ id, deny, destination }: PolicyRoute): boolean =>
    deny === true || id === routedBy || (isByLine && destination === undefined);
  const route = policy.routes?.find((route) => isAbout(route) && fits(route));
  return route?.deny ? route : null;
}

interface Leaving {
  /** Ids of the time groups that are active. */
  readonly active: readonly number[];
  readonly isByLine: boolean;
  readonly routedBy: number | null;
}

/** The port of the host that a mapping leads a port of the outside to. */
const insidePort = ({ outside, inside }: PortMapping, port: number): number => {
  const [first] = portsOf(outside);
  const [to, last] = portsOf(inside);
  return to === last ? to : to + port - first;
};

export interface Mapped {
  readonly map: PortMapping;
  readonly port: number;
}

/** The first mapping that fits a packet to an address of the WAN link with this slot. */
export function mappingOf(
  maps: readonly PortMapping[],
  { protocol, targetPort }: TracedPacket,
  slot: number,
): Mapped | null {
  const map = maps.find(
    (map) =>
      (map.protocol === "both" ? protocol !== "icmp" : map.protocol === protocol) &&
      (map.slot === null || map.slot === slot) &&
      isPortIn(map.outside, targetPort),
  );
  return map && targetPort !== null ? { map, port: insidePort(map, targetPort) } : null;
}
