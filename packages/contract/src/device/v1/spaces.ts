/** Which spaces a state has, and which networks must stay inside. Pure. */

import type { DesiredState } from "#contract/device/v1/state.ts";
import { isWithin, networkOf } from "#rules/address.ts";
import { networksAround } from "#rules/prefix-lookup.ts";

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

type Spaces = NonNullable<DesiredState["spaces"]>;
type ClosedNetworks = ReadonlyMap<string | null, readonly string[]>;

/** Each list of a space's networks is read once: a state is fitted to its machine several times before it acts. */
const closedBySpaces = new WeakMap<Spaces, ClosedNetworks>();

const closedOf = (spaces: Spaces): ClosedNetworks => {
  const networks = new Map<string | null, Set<string>>();
  for (const space of spaces) {
    const here = networks.get(space.netns) ?? new Set();
    for (const text of space.networks.map(networkOf)) if (!isDefault(text)) here.add(text);
    networks.set(space.netns, here);
  }
  return new Map([...networks].map(([netns, here]) => [netns, [...here].sort()]));
};

/** Networks that must never leave their space, by its namespace; null is the main one. */
export const closedNetworks = ({ spaces }: Pick<DesiredState, "spaces">): ClosedNetworks => {
  if (spaces === undefined) return new Map();
  const closed = closedBySpaces.get(spaces) ?? closedOf(spaces);
  closedBySpaces.set(spaces, closed);
  return closed;
};

type Route = DesiredState["static"]["routes"][number];

/**
 * Whether a next hop is on the far side of a line; `isUnknown`: the answer for one that is on no
 * network that is known.
 */
const leadsOut = (
  { underlay: { lines, lans }, static: { routes }, spaces = [] }: DesiredState,
  isUnknown: boolean,
): ((nextHop: string) => boolean) => {
  const gateways = lines.flatMap(({ gateway }) => gateway ?? []);
  const elsewhere = [
    ...lans.flatMap(({ addresses }) => addresses),
    ...routes.map(({ destination }) => destination),
    ...spaces.flatMap(({ networks }) => networks),
  ].filter((network) => !network.endsWith("/0"));
  return (nextHop) =>
    gateways.includes(nextHop) ||
    lines.some(({ ip }) => ip !== null && isWithin(networkOf(ip), nextHop)) ||
    (isUnknown && !elsewhere.some((network) => isWithin(network, nextHop)));
};

const announcedBy = ({ routings }: DesiredState): ReadonlySet<string> =>
  new Set(routings.flatMap(({ announce }) => announce.map(networkOf)));

/**
 * The network of a space that a destination lies in, where it is not the site's own to place: of
 * those that it lies in the longest decides, and the site's own are those that it announces.
 */
const foreignOf = (state: DesiredState): ((destination: string) => string | null) => {
  const announced = announcedBy(state);
  const around = networksAround(closedNetworks(state).get(null) ?? []);
  return (destination) => {
    const [network] = around(destination);
    return network === undefined || announced.has(network) ? null : network;
  };
};

/**
 * Why a static route must not act, by destination: it would take a network that is not the site's own
 * out of a space and on to a line. Gives the network of the space.
 */
export const divertedBy = (state: DesiredState): ((route: Route) => string | null) => {
  const isOut = leadsOut(state, true);
  const foreign = foreignOf(state);
  return ({ destination, nextHop }) => (isOut(nextHop) ? foreign(destination) : null);
};

/**
 * Networks that the site itself has behind its lines: they are of the space, and the way to them is
 * a line all the same. Those of its static routes with a next hop on a line, and the line's own
 * network, where the site announces them: whatever else a state says, another site's stay inside.
 */
export const networksBehindLines = (state: DesiredState): string[] => {
  const announced = announcedBy(state);
  // What a lease will be is not known here: it is on no network that is known.
  const isOut = leadsOut(
    state,
    state.underlay.lines.some(({ addressing }) => addressing === "dhcp"),
  );
  const foreign = foreignOf(state);
  return [
    ...state.static.routes
      .filter(({ destination, nextHop }) => isOut(nextHop) && foreign(destination) === null)
      .map(({ destination }) => networkOf(destination)),
    ...state.underlay.lines
      .flatMap(({ ip }) => (ip === null ? [] : [networkOf(ip)]))
      .filter((network) => announced.has(network)),
  ];
};

/**
 * Networks that no policy route takes elsewhere, whatever it names: the site's own LANs, what it announces and
 * those of its space. Null: the state does not say which the space has, and nothing but what leaves by a line
 * anyway may be sent by another one.
 */
export const keptNetworks = (state: DesiredState): string[] | null =>
  state.spaces === undefined
    ? null
    : [
        ...state.underlay.lans.flatMap(({ addresses }) => addresses.map(networkOf)),
        ...announcedBy(state),
        ...(closedNetworks(state).get(null) ?? []),
      ].filter((network) => !isDefault(network));
