/** Which networks lie behind each LAN section, and so send by its interface. Pure. */

import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { networksAround } from "@weft/contract/rules/prefix-lookup.ts";

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

const entersSpace = ({ enableForward }: Section): boolean => enableForward;
const ownNetworks = ({ network, network6 }: Section): string[] =>
  [network, ...(network6 ? [network6] : [])].map(networkOf);

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
  // No next hop is found by a default.
  const around = networksAround([...placed].filter((network) => !network.endsWith("/0")));
  const behind = new Map<string, string[]>();
  for (const { destination, nextHop } of routes) {
    const way = around(nextHop).find((network) => network !== destination);
    if (way === undefined) continue;
    const there = behind.get(way);
    if (there) there.push(destination);
    else behind.set(way, [destination]);
  }
  // A default is announced for others to leave by: its addresses are not those of hosts here.
  const elsewhere = [...new Set(notices.map(networkOf))].filter(
    (text) => !placed.has(text) && !text.endsWith("/0"),
  );
  // Of more than fit in a section of the state some are left out: what they send is denied.
  const share = stateLimits.lanNotices / Math.max(1, sections.filter(entersSpace).length);
  const noticed = elsewhere.sort().slice(0, Math.floor(share));
  return sections.map((section) => {
    const reached = new Set(ownNetworks(section));
    // A set yields what is added while it is walked through.
    for (const network of reached) for (const text of behind.get(network) ?? []) reached.add(text);
    const all = entersSpace(section) ? [...reached, ...noticed] : [...reached];
    return [...new Set(all)].slice(0, stateLimits.lanNetworks);
  });
};
