/** Which static routes a routing daemon uses: those whose next hops it resolves, by other static routes as well (recursive next hops). Pure. */
import { networkOf, parsePrefix } from "#rules/address.ts";
import { networksAround } from "#rules/prefix-lookup.ts";

interface StaticRoute {
  readonly destination: string;
  readonly nextHop: string;
}

const lengthOf = (network: string): number => parsePrefix(network)?.length ?? 0;

/**
 * Routes that are not used, each with the destination of the static route that its next hop is behind: one that is not used
 * either, such as the other one of two that name each other, or the route itself. Null: it is behind none.
 *
 * As zebra does (FRR, zebra_nhg.c, nexthop_active): it takes the longest prefix around the next hop that has a route in use, not
 * a default route, and stops at the prefix of the route itself.
 * @param routes those that are used once their next hops are resolved
 * @param networks that the device is connected to, or has routes to that are no static ones
 */
export function unresolvedRoutes<Route extends StaticRoute>(
  routes: readonly Route[],
  networks: readonly string[],
): ReadonlyMap<Route, string | null> {
  const around = networksAround(networks);
  const destinations = [...new Set(routes.map(({ destination }) => networkOf(destination)))];
  const behind = networksAround(destinations.filter((one) => lengthOf(one) > 0));
  /** Routes that are used once one to this destination is. */
  const waiting = new Map<string, Route[]>();
  const unresolved = new Map<Route, string | null>();
  const used: Route[] = [];
  for (const route of routes) {
    const own = networkOf(route.destination);
    const through = behind(route.nextHop);
    // What is not longer than the route's own prefix is beyond the end of the search if that is around the next hop.
    const least = through.includes(own) ? lengthOf(own) + 1 : 1;
    if (around(route.nextHop).some((network) => lengthOf(network) >= least)) {
      used.push(route);
      continue;
    }
    unresolved.set(route, through[0] ?? null);
    for (const network of through)
      if (lengthOf(network) >= least)
        waiting.set(network, [...(waiting.get(network) ?? []), route]);
  }
  for (const { destination } of used) {
    const network = networkOf(destination);
    const next = (waiting.get(network) ?? []).filter((route) => unresolved.delete(route));
    waiting.delete(network);
    used.push(...next);
  }
  return unresolved;
}
