import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { isWithin, overlaps, parsePrefix } from "@weft/contract/rules/address.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { type FarNetwork, farNetworks, nearNetworks, staticRouteStore } from "./store.ts";

/**
 * The site whose network a route would divert: a route of the same or a longer prefix is taken
 * before what the overlay knows of that site. Pure.
 */
const diverted = (destination: string, far: readonly FarNetwork[]): FarNetwork | undefined => {
  const own = parsePrefix(destination);
  return far.find(({ network }) => {
    const other = parsePrefix(network);
    return own !== null && other !== null && own.length >= other.length && overlaps(own, other);
  });
};

/** Static routes of CPEs. */
export function staticRouteRoutes(app: FastifyInstance): void {
  mountResource(app, staticRoute, staticRouteStore, {
    async beforeWrite(ctx, { nCpeID, destination, nextHop, nEnable }) {
      const site = diverted(destination, await farNetworks(ctx, nCpeID));
      if (site)
        refuseField("destination", "overlap", { value: site.network, other: site.nodeName });
      if (!nEnable) return;
      const isNear = (await nearNetworks(ctx, nCpeID)).some((one) => isWithin(one, nextHop));
      const params = { destination, nextHop };
      if (!isNear) ctx.warn({ path: "nextHop", warning: "nextHopNowhere", params });
      else if (parsePrefix(destination)?.length === 0)
        ctx.warn({ path: "destination", warning: "defaultRoute", params });
    },
  });
}
