import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import type { FastifyInstance } from "fastify";
import { isThere, siteCollisions, warnOfTunnelEnds } from "#domains/devices/public.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { routeNoticeStore } from "./store.ts";

/** Calls of /customer/routeNotice (specification section 2.3). */
export function routeNoticeRoutes(app: FastifyInstance): void {
  mountResource(app, routeNotice, routeNoticeStore, {
    checksOnlyRead: true,
    async beforeWrite(ctx, draft, _id, stored) {
      const { cpeId, network, enable, preference } = draft;
      if (!enable) return;
      if (await isThere(stored, draft, ["cpeId", "network", "enable", "preference"])) return;
      // No site may attract another site's traffic, unless both say which of them is preferred.
      const kind = preference === null ? "announced" : "shared";
      const [site] = await siteCollisions(ctx, cpeId, [{ network, kind }]);
      if (site) {
        const isAnnounced = site.kind === "announced" || site.kind === "shared";
        const rule = isAnnounced ? "announcedElsewhere" : "overlap";
        refuseField("network", rule, { value: site.network, other: site.siteName });
      }
      await warnOfTunnelEnds(ctx, { nodeIds: [cpeId] }, [{ path: "network", network }]);
    },
  });
}
