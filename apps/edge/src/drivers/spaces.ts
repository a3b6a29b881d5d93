/** Which spaces a state has, and which networks must stay inside. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { contains } from "./address.ts";

/** Names of the spaces' namespaces that a state wants, each once. */
export const wantedNetns = (state: DesiredState): string[] =>
  [
    ...new Set(
      [...state.tunnels, ...state.routings, ...(state.clients ?? [])].flatMap(({ netns }) =>
        netns ? [netns] : [],
      ),
    ),
  ].sort();

/**
 * A default, or a half of one, would shut the device itself off; it is for the site to choose whether
 * to follow one. No network of a site is that wide: the widest private ones are 10.0.0.0/8 and fc00::/7.
 */
const isDefault = (network: string): boolean =>
  Number(network.split("/")[1]) < (network.includes(":") ? 7 : 8);

/** Networks that must never leave their space, by its namespace; null is the main one. */
export const closedNetworks = (state: DesiredState): ReadonlyMap<string | null, string[]> => {
  const networks = new Map<string | null, Set<string>>();
  for (const space of state.spaces ?? []) {
    const here = networks.get(space.netns) ?? new Set();
    for (const one of space.networks.map(networkOf)) if (!isDefault(one)) here.add(one);
    networks.set(space.netns, here);
  }
  return new Map([...networks].map(([netns, here]) => [netns, [...here].sort()]));
};

/**
 * Networks that the site itself has behind its lines: they are of the space, and the way to them is
 * a line all the same. Those of its static routes with a next hop on a line, and the line's own
 * network where the site announces it.
 */
export const networksBehindLines = ({
  underlay: { lines, lans },
  static: { routes },
  routings,
  spaces = [],
}: DesiredState): string[] => {
  const onLines = lines.flatMap(({ ip }) => (ip === null ? [] : [networkOf(ip)]));
  const gateways = lines.flatMap(({ gateway }) => gateway ?? []);
  const isLeased = lines.some(({ addressing }) => addressing === "dhcp");
  const elsewhere = [
    ...lans.flatMap(({ addresses }) => addresses),
    ...routes.map(({ destination }) => destination),
    ...spaces.flatMap(({ networks }) => networks),
  ].filter((network) => !network.endsWith("/0"));
  const leadsOut = (nextHop: string): boolean =>
    gateways.includes(nextHop) ||
    onLines.some((network) => contains(network, nextHop)) ||
    // What a lease will be is not known here: it is on no network that is known.
    (isLeased && !elsewhere.some((network) => contains(network, nextHop)));
  const announced = new Set(routings.flatMap(({ announce }) => announce.map(networkOf)));
  return [
    ...routes.filter(({ nextHop }) => leadsOut(nextHop)).map(({ destination }) => destination),
    ...onLines.filter((network) => announced.has(network)),
  ].map(networkOf);
};
