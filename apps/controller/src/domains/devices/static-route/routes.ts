import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import {
  addressOf,
  endsOf,
  isNearlyDefault,
  isWithin,
  networkOf,
} from "@weft/contract/rules/address.ts";
import type { FastifyInstance } from "fastify";
import { isThere, siteCollisions, warnOfTunnelEnds } from "#domains/devices/public.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { nearNetworks, staticRouteStore } from "./store.ts";

/** Static routes of CPEs. */
export function staticRouteRoutes(app: FastifyInstance): void {
  mountResource(app, staticRoute, staticRouteStore, {
    checksOnlyRead: true,
    async beforeWrite(ctx, draft, _id, stored) {
      const { nCpeID, destination, nextHop, nEnable, announce } = draft;
      if (!nEnable) return;
      // In parallel: one round trip to the database.
      const [isSame, near] = await Promise.all([
        isThere(stored, draft, ["nCpeID", "destination", "nEnable", "announce"]),
        nearNetworks(ctx, nCpeID),
      ]);
      const kind = announce ? "announced" : "route";
      const [site] = isSame
        ? []
        : await siteCollisions(ctx, nCpeID, [{ network: destination, kind }]);
      if (site)
        refuseField("destination", "overlap", { value: site.network, other: site.siteName });
      const drafted = [{ path: "destination", network: destination }];
      if (!isSame) await warnOfTunnelEnds(ctx, { nodeIds: [nCpeID] }, drafted);
      const ownNetwork = near.find((text) => [addressOf(text), ...endsOf(text)].includes(nextHop));
      if (ownNetwork !== undefined)
        refuseField("nextHop", "ownNextHop", { value: nextHop, network: networkOf(ownNetwork) });
      const isNear = near.some((text) => isWithin(text, nextHop));
      const params = { destination, nextHop };
      if (!isNear) ctx.warn({ path: "nextHop", warning: "nextHopNowhere", params });
      else if (isNearlyDefault(destination))
        ctx.warn({ path: "destination", warning: "defaultRoute", params });
    },
  });
}
