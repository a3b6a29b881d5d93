/** What DNS controls and rules about names do with packets of the LANs, as far as a state says it. Pure. */
import { activeTimes } from "#contract/device/v1/active-times.ts";
import { rulesThatDeny } from "#contract/device/v1/host-classes.ts";
import {
  type FilterRule,
  filterOf,
  filterPorts,
  filtersOf,
  lanResolvers,
  rulesAtTime,
} from "#contract/device/v1/name-filters.ts";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { isSameAddress } from "#rules/address.ts";
import { drop, type Going, objectOf, pass } from "./going.ts";
import type { TracedPacket, TraceStep } from "./packet.ts";

const isPlainDns = ({ protocol, targetPort }: TracedPacket): boolean =>
  protocol !== "icmp" && targetPort === 53;

/** Rules about names that are tried for a host of the LANs now. */
interface Filtering {
  readonly rules: readonly FilterRule[];
  readonly port: number;
}

/** Null: no name is denied to it at the moment. */
const filteringOf = ({ state, now, sent }: Going): Filtering | null => {
  if (sent.from !== "lan") return null;
  const filters = filtersOf(state);
  const filter = filterOf(filters, sent.source);
  const rules = filter ? rulesAtTime(filter.rules, state.policy, now) : [];
  return filter && rulesThatDeny(rules).length > 0 ? { rules, port: filter.port } : null;
};

const ruleOf = ({ id }: FilterRule) =>
  objectOf(id === null ? undefined : { family: "routerUrlrule", id });

/** Plain DNS of a host that is denied names; null: it asks the resolver of the LANs, or another server. */
export const filteredQuery = (
  going: Going,
): { readonly steps: readonly TraceStep[]; readonly port: number } | null => {
  const filtering = isPlainDns(going.packet) ? filteringOf(going) : null;
  return filtering
    ? {
        steps: filtering.rules.map((rule) => pass("mapping", "namesFiltered", {}, ruleOf(rule))),
        port: filtering.port,
      }
    : null;
};

/** A host asks a resolver of some class directly, by which it would select the rules that it is denied names by. */
export const reachesFilter = ({ state, packet, isRedirected = false }: Going): boolean =>
  !isRedirected &&
  packet.protocol !== "icmp" &&
  packet.targetPort !== null &&
  packet.targetPort >= filterPorts.first &&
  packet.targetPort <= filterPorts.last &&
  filtersOf(state).length > 0;

/** DNS over TLS or QUIC of such a host does not leave for the internet; null: it is none. */
export const encryptedStep = (going: Going): TraceStep | null => {
  const { protocol, targetPort } = going.packet;
  const filtering = protocol !== "icmp" && targetPort === 853 ? filteringOf(going) : null;
  const [first] = rulesThatDeny(filtering?.rules ?? []);
  return first ? drop("names", "encryptedNames", {}, ruleOf(first)) : null;
};

/**
 * Own address by which the device answers what a host asks another one; null: it does not.
 * @param isFiltered the host is denied names
 */
export const resolverOf = (
  { dns, underlay }: DesiredState,
  packet: TracedPacket,
  isFiltered: boolean,
): string | null => {
  const { interfaceName, destination } = packet;
  if (!isPlainDns(packet) || (dns?.controls === undefined && !isFiltered)) return null;
  const isV6 = destination.includes(":");
  const resolver = lanResolvers(underlay).find(
    (lanResolver) =>
      lanResolver.interfaceName === interfaceName && lanResolver.address.includes(":") === isV6,
  );
  return resolver?.address ?? null;
};

/** What hosts ask the device itself; at its other addresses a query is evaluated as one to a server outside. */
export const isResolver = ({ underlay }: DesiredState, destination: string): boolean =>
  lanResolvers(underlay).some(({ address }) => isSameAddress(address, destination));

/** Controls that lead connections to answers now, with their WAN links. */
export const leadingControls = (
  { dns, underlay }: DesiredState,
  now: number,
): { readonly id: number; readonly interfaceName: string }[] => {
  const { controls = [], timeZone = "UTC" } = dns ?? {};
  const days = controls.map(({ id, weekdays }) => ({ id, weekdays, start: "00:00", end: "24:00" }));
  const active = new Set(activeTimes(days, now, timeZone));
  return controls.flatMap(({ id, slot, routes }) => {
    const line = underlay.lines.find((line) => line.slot === slot);
    return routes && line && active.has(id) ? [{ id, interfaceName: line.interfaceName }] : [];
  });
};
