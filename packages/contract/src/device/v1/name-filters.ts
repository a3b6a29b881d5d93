/** Rules about names of a state, by the class of hosts that they are tried for (host-classes.ts). Pure. */
import { activeTimes } from "#contract/device/v1/active-times.ts";
import { type HostClass, hostClasses } from "#contract/device/v1/host-classes.ts";
import type { NameRule } from "#contract/device/v1/policy.ts";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { addressOf, parseAddress, spanOf } from "#rules/address.ts";

/** A rule of a policy object; id null: the hosts of the blacklist, before all others. */
export type FilterRule = Omit<NameRule, "id"> & { readonly id: number | null };
/** A class, with the port of the device at which its resolver listens. */
export type NameFilter = HostClass<FilterRule> & { readonly port: number };

/** What of a state decides which names hosts of its LANs are denied. */
type FilteringState = Pick<DesiredState, "dns" | "policy">;

/** Rules about names of a state in their order. Without a resolver there is nothing to filter. */
export const filterRulesOf = ({ dns, policy }: FilteringState): FilterRule[] => {
  if (!dns) return [];
  const { deniedHosts = [] } = dns;
  const blocked = { id: null, names: deniedHosts, sources: null, time: null, denies: true };
  return [...(deniedHosts.length > 0 ? [blocked] : []), ...(policy?.nameRules ?? [])];
};

/** Those of all classes, below that of multicast DNS. */
export const filterPorts = { first: 5_301, last: 5_352 } as const;
const portCount = filterPorts.last - filterPorts.first + 1;

/** FNV-1a, of 32 bits. */
const hashOf = (text: string): number =>
  [...text].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01_00_01_93) >>> 0,
    0x81_1c_9d_c5,
  );

/**
 * The port of each class follows from the rules that are tried for it, so that it keeps its resolver when another class
 * comes or goes, and when its rules get other names or hosts. Where two would have the same port, the other one gets the
 * next that is free.
 */
const withPorts = (classes: readonly HostClass<FilterRule>[]): NameFilter[] => {
  const taken = new Set<number>();
  const portOf = (key: string): number => {
    let place = hashOf(key) % portCount;
    while (taken.has(place)) place = (place + 1) % portCount;
    taken.add(place);
    return filterPorts.first + place;
  };
  return classes.map((hostClass) => ({
    ...hostClass,
    port: portOf(hostClass.rules.map(({ id }) => id).join()),
  }));
};

/** Its classes of hosts; none: no name is denied to anyone. */
export const filtersOf = (state: FilteringState): NameFilter[] =>
  withPorts(hostClasses(filterRulesOf(state), state.policy?.sets ?? []));

/** Those of the rules that act at a moment. @param now ms since 1970 */
export const rulesAtTime = (
  rules: readonly FilterRule[],
  policy: DesiredState["policy"],
  now: number,
): FilterRule[] => {
  if (rules.every(({ time }) => time === null)) return [...rules];
  const { times = [], timeZone = "UTC" } = policy ?? {};
  const active = new Set(activeTimes(times, now, timeZone));
  return rules.filter(({ time }) => time === null || active.has(time));
};

/** The class that a host is in; null: no rule is tried for it. */
export const filterOf = (filters: readonly NameFilter[], address: string): NameFilter | null => {
  const parsed = parseAddress(address);
  if (!parsed) return null;
  const isIn = (span: string): boolean => {
    const { first, last } = spanOf(span) ?? { first: 1n, last: 0n };
    return first <= parsed.address && parsed.address <= last;
  };
  return filters.find(({ hosts }) => hosts === null || hosts[parsed.family].some(isIn)) ?? null;
};

/** An own address of a LAN, by which hosts ask the resolver. */
export interface LanResolver {
  readonly interfaceName: string;
  readonly address: string;
}

/** The first address of each family in each LAN. */
export const lanResolvers = ({ lans }: Pick<DesiredState["underlay"], "lans">): LanResolver[] =>
  lans
    .filter(({ vlan }) => vlan === 0)
    .flatMap(({ interfaceName, addresses }) =>
      [false, true].flatMap((isV6) => {
        const cidr = addresses.find((text) => text.includes(":") === isV6);
        return cidr === undefined ? [] : [{ interfaceName, address: addressOf(cidr) }];
      }),
    );
