/** Which networks lie behind each LAN section, and so send by its interface. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { networkOf, parseAddress, parsePrefix } from "@weft/contract/rules/address.ts";

interface Section {
  readonly network: string;
  readonly network6: string | null;
  readonly enableForward: boolean;
}

interface Site {
  readonly sections: readonly Section[];
  readonly lines: readonly { readonly ip: string | null }[];
  readonly routes: readonly {
    readonly destination: string;
    readonly nextHop: string;
    readonly enabled: boolean;
  }[];
  readonly notices?: readonly string[];
}

const bits = { 4: 32, 6: 128 } as const;
const keyOf = (family: 4 | 6, address: bigint, length: number): string =>
  `${family}/${length}/${address >> BigInt(bits[family] - length)}`;

const entersSpace = ({ enableForward }: Section): boolean => enableForward;
const ownNetworks = ({ network, network6 }: Section): string[] =>
  [network, ...(network6 ? [network6] : [])].map(networkOf);

/** Finds the network of a list that an address is routed by: the longest, and no default. */
const nearestNetwork = (networks: readonly string[]) => {
  const byKey = new Map<string, string>();
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  for (const network of networks) {
    const prefix = parsePrefix(network);
    if (!prefix || prefix.length === 0) continue;
    lengths[prefix.family].add(prefix.length);
    byKey.set(keyOf(prefix.family, prefix.address, prefix.length), network);
  }
  const byLength = {
    4: [...lengths[4]].sort((a, b) => b - a),
    6: [...lengths[6]].sort((a, b) => b - a),
  };
  return (text: string, except: string): string | null => {
    const host = parseAddress(text);
    if (!host) return null;
    for (const length of byLength[host.family]) {
      const found = byKey.get(keyOf(host.family, host.address, length));
      if (found !== undefined && found !== except) return found;
    }
    return null;
  };
};

/**
 * For each section its own networks, those that static routes place behind a router in it, also by
 * several routers in a row, and, where its hosts may enter the space, networks of notices that nothing
 * else of the site has: a route of the device's own system leads to them, by one of these sections.
 */
export const sourcesBySection = (site: Site): string[][] => {
  const { sections, lines, notices = [] } = site;
  const routes = site.routes
    .filter(({ enabled }) => enabled)
    .map(({ destination, nextHop }) => ({ destination: networkOf(destination), nextHop }));
  const attached = [
    ...sections.flatMap(ownNetworks),
    ...lines.flatMap(({ ip }) => (ip === null ? [] : [networkOf(ip)])),
  ];
  const placed = new Set([...attached, ...routes.map(({ destination }) => destination)]);
  const wayOf = nearestNetwork([...placed]);
  const behind = new Map<string, string[]>();
  for (const { destination, nextHop } of routes) {
    const way = wayOf(nextHop, destination);
    if (way === null) continue;
    const there = behind.get(way);
    if (there) there.push(destination);
    else behind.set(way, [destination]);
  }
  // A default is announced for others to leave by: its addresses are not those of hosts here.
  const elsewhere = [...new Set(notices.map(networkOf))].filter(
    (one) => !placed.has(one) && !one.endsWith("/0"),
  );
  // Of more than fit in a section of the state some are left out: what they send is denied.
  const share = stateLimits.lanNotices / Math.max(1, sections.filter(entersSpace).length);
  const noticed = elsewhere.sort().slice(0, Math.floor(share));
  return sections.map((section) => {
    const reached = new Set(ownNetworks(section));
    // A set yields what is added while it is walked through.
    for (const network of reached) for (const one of behind.get(network) ?? []) reached.add(one);
    const all = entersSpace(section) ? [...reached, ...noticed] : [...reached];
    return [...new Set(all)].slice(0, stateLimits.lanNetworks);
  });
};
