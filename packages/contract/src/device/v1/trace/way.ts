/** Which way a site's device sends a packet: its addresses, networks, static routes, space and WAN links. Pure. */
import { closedNetworks, divertedBy } from "#contract/device/v1/spaces.ts";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { untagged } from "#contract/device/v1/underlay.ts";
import { addressOf, isSameAddress, isWithin, networkOf, parsePrefix } from "#rules/address.ts";

/** Addresses of WAN links by slot, as the device reported them; those of static ones are in the state. */
export type LineAddresses = ReadonlyMap<number, string>;

export type Way =
  | { readonly to: "device" }
  | { readonly to: "lan"; readonly interfaceName: string; readonly network: string }
  | { readonly to: "space"; readonly network: string; readonly isDefault: boolean }
  | { readonly to: "line"; readonly interfaceName: string; readonly slot: number }
  /** Beneath the overlay: what no tunnel leads to. */
  | { readonly to: "nowhere"; readonly reason: "noTunnel" | "noExit" | "noRoute" | "linkLocal" };

/** To a router in a LAN that a policy route names. */
export interface WayToHop {
  readonly to: "hop";
  readonly interfaceName: string;
}

type Line = DesiredState["underlay"]["lines"][number];

/** The address of a WAN link; null: by DHCP, and none was reported. */
export const addressOfLine = (
  { slot, addressing, ip }: Line,
  reported: LineAddresses,
): string | null =>
  addressing === "static" && ip !== null ? addressOf(ip) : (reported.get(slot) ?? null);

/** Whether an address is one of the device itself. */
export const isOwn = (
  { node, underlay, tunnels }: DesiredState,
  address: string,
  reported: LineAddresses,
): boolean => {
  const ownAddresses = [
    node.routerId,
    ...underlay.lans.flatMap(({ addresses }) => addresses.map(addressOf)),
    ...underlay.lines.flatMap((line) => addressOfLine(line, reported) ?? []),
    ...tunnels.flatMap(({ links }) =>
      links.flatMap(({ address4, address6 }) => [addressOf(address4), addressOf(address6)]),
    ),
  ];
  return ownAddresses.some((text) => isSameAddress(text, address));
};

/** Whether some neighbor may bring this network. */
const isBrought = ({ routings }: DesiredState, network: string): boolean =>
  routings.some(({ neighbors }) =>
    neighbors.some(
      ({ accept }) => accept === null || accept.some((text) => networkOf(text) === network),
    ),
  );

interface Route {
  readonly network: string;
  /** Of equal networks the lower one counts. */
  readonly rank: number;
  readonly way: Way;
}

const lanRoutes = ({ underlay }: DesiredState): Route[] =>
  untagged(underlay.lans).flatMap(({ interfaceName, addresses }) =>
    addresses.map(networkOf).map((network) => ({
      network,
      rank: 0,
      way: { to: "lan" as const, interfaceName, network },
    })),
  );

const lineWay = ({ interfaceName, slot }: Line): Way => ({ to: "line", interfaceName, slot });

/** The interface that a next hop is reached by. */
function wayOver(state: DesiredState, nextHop: string, destination: string): Way | null {
  const { lans, lines } = state.underlay;
  const lan = lans.find(({ addresses }) =>
    addresses.some((address) => isWithin(networkOf(address), nextHop)),
  );
  if (lan) return { to: "lan", interfaceName: lan.interfaceName, network: destination };
  const line = lines.find(
    ({ ip, gateway }) => gateway === nextHop || (ip !== null && isWithin(networkOf(ip), nextHop)),
  );
  return line ? lineWay(line) : null;
}

/** FRR never uses a route of this distance. */
const unusable = 255;

function staticRoutes(state: DesiredState): Route[] {
  const divertedTo = divertedBy(state);
  return state.static.routes
    .filter((route) => route.metric < unusable && divertedTo(route) === null)
    .flatMap(({ destination, nextHop, metric }) => {
      const way = wayOver(state, nextHop, destination);
      return way ? [{ network: networkOf(destination), rank: 1 + metric, way }] : [];
    });
}

/** Networks of the space that are not the site's own, and those beneath which nothing leads out. */
function spaceRoutes(state: DesiredState): Route[] {
  const announced = new Set(state.routings.flatMap(({ announce }) => announce.map(networkOf)));
  return (closedNetworks(state).get(null) ?? []).map((network) => ({
    network,
    rank: 1_000,
    way:
      !announced.has(network) && isBrought(state, network)
        ? { to: "space" as const, network, isDefault: false }
        : { to: "nowhere" as const, reason: "noTunnel" as const },
  }));
}

const connectedLines = ({ underlay }: DesiredState): Route[] =>
  underlay.lines.flatMap((line) =>
    line.ip === null ? [] : [{ network: networkOf(line.ip), rank: 500, way: lineWay(line) }],
  );

const lengthOf = (network: string): number => parsePrefix(network)?.length ?? 0;

/** The default of the WAN links: that of the first one which has an address. */
function byLine(state: DesiredState, address: string, reported: LineAddresses): Way {
  const lines = [...state.underlay.lines].sort((a, b) => a.slot - b.slot);
  const line = lines.find((line) => {
    const lineAddress = addressOfLine(line, reported);
    const isOfFamily = lineAddress !== null && lineAddress.includes(":") === address.includes(":");
    return isOfFamily && (line.addressing === "dhcp" || line.gateway !== null);
  });
  return line ? lineWay(line) : { to: "nowhere", reason: "noRoute" };
}

/** A site of the space announces a default route of this family. */
const hasSpaceDefault = (state: DesiredState, address: string): boolean => {
  const wanted = address.includes(":") ? "::/0" : "0.0.0.0/0";
  const isAnnounced = (state.spaces ?? []).some(({ networks }) => networks.includes(wanted));
  const isOwn = state.routings.some(({ announce }) => announce.includes(wanted));
  return isAnnounced && !isOwn && isBrought(state, wanted);
};

/**
 * @param isCentral the sender reaches the internet by the space only
 */
export function wayOf(
  state: DesiredState,
  address: string,
  { reported, isCentral }: { readonly reported: LineAddresses; readonly isCentral: boolean },
): Way {
  if (isOwn(state, address, reported)) return { to: "device" };
  // They are not routed (RFC 3927).
  if (isWithin("169.254.0.0/16", address)) return { to: "nowhere", reason: "linkLocal" };
  const routes = [
    ...lanRoutes(state),
    ...staticRoutes(state),
    ...connectedLines(state),
    ...spaceRoutes(state),
  ].filter(({ network }) => isWithin(network, address));
  const [best] = routes.sort(
    (a, b) => lengthOf(b.network) - lengthOf(a.network) || a.rank - b.rank,
  );
  if (best) return best.way;
  if (!isCentral) return byLine(state, address, reported);
  return hasSpaceDefault(state, address)
    ? { to: "space", network: address.includes(":") ? "::/0" : "0.0.0.0/0", isDefault: true }
    : { to: "nowhere", reason: "noExit" };
}
