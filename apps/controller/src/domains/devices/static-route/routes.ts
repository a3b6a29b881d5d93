import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { addressOf, endsOf, isNearlyDefault, networkOf } from "@weft/contract/rules/address.ts";
import { unresolvedRoutes } from "@weft/contract/rules/next-hops.ts";
import type { FastifyInstance } from "fastify";
import { isThere, siteCollisions, warnOfTunnelEnds } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { nearNetworks, otherRoutes, spaceNetworksAround, staticRouteStore } from "./store.ts";

/**
 * The static route that the next hop of a drafted one is behind, if neither of them takes effect; null: it is behind none and leads
 * nowhere; undefined: the drafted one takes effect.
 */
async function unresolvedBehind(
  ctx: Context,
  near: readonly string[],
  draft: { readonly nCpeID: number; readonly destination: string; readonly nextHop: string },
  id: number | null,
): Promise<string | null | undefined> {
  if (!unresolvedRoutes([draft], near).has(draft)) return undefined;
  const others = await otherRoutes(ctx, draft.nCpeID, id);
  const unresolved = unresolvedRoutes([draft, ...others], near);
  if (!unresolved.has(draft)) return undefined;
  const nextHops = [...unresolved.keys()].map(({ nextHop }) => nextHop);
  const beyond = await spaceNetworksAround(ctx, draft.nCpeID, nextHops);
  return unresolvedRoutes([draft, ...others], [...near, ...beyond]).get(draft);
}

/** Static routes of CPEs. */
export function staticRouteRoutes(app: FastifyInstance): void {
  mountResource(app, staticRoute, staticRouteStore, {
    checksOnlyRead: true,
    async beforeWrite(ctx, draft, id, stored) {
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
      const through = await unresolvedBehind(ctx, near, draft, id);
      const params = { destination, nextHop };
      if (through === null) ctx.warn({ path: "nextHop", warning: "nextHopNowhere", params });
      else if (through !== undefined)
        ctx.warn({
          path: "nextHop",
          warning: "nextHopUnresolved",
          params: { ...params, route: through },
        });
      else if (isNearlyDefault(destination))
        ctx.warn({ path: "destination", warning: "defaultRoute", params });
    },
  });
}
