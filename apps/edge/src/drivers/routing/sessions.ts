/** Which routers of a site do not answer, as FRR shows it. Pure. */
import type { RoutingPart } from "./render.ts";

interface Summary {
  readonly peers?: Readonly<Record<string, { readonly state?: string }>>;
}

interface OspfNeighbors {
  readonly neighbors?: Readonly<
    Record<string, readonly { readonly ifaceName?: string; readonly nbrState?: string }[]>
  >;
}

/** Commands whose answers `silentOf` reads, each for itself; none: nothing is to be asked. */
export const sessionCommands = ({ site }: RoutingPart) => ({
  bgp: site && site.neighbors.length > 0 ? "show bgp ipv4 unicast summary json" : null,
  ospf: site && site.interfaces.length > 0 ? "show ip ospf neighbor json" : null,
});

/** Addresses of neighbours without a session, and interfaces without an adjacency. */
export const silentOf = (
  { site }: RoutingPart,
  shown: { readonly bgp: string | null; readonly ospf: string | null },
): string[] => {
  if (!site) return [];
  const { peers = {} } = JSON.parse(shown.bgp ?? "{}") as Summary;
  const { neighbors = {} } = JSON.parse(shown.ospf ?? "{}") as OspfNeighbors;
  const adjacent = Object.values(neighbors)
    .flat()
    .filter(({ nbrState = "" }) => /^(Full|2-Way)/.test(nbrState))
    .map(({ ifaceName = "" }) => ifaceName.split(":")[0]);
  return [
    ...site.unopened,
    ...site.neighbors.flatMap(({ address }) =>
      peers[address]?.state === "Established" ? [] : [address],
    ),
    ...site.interfaces.flatMap(({ interfaceName }) =>
      adjacent.includes(interfaceName) ? [] : [interfaceName],
    ),
  ];
};
