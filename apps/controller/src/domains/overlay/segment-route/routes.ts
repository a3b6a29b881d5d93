import { segmentRoute, segmentRouteGetById } from "@weft/contract/domains/overlay/segment-route.ts";
import type { FastifyInstance } from "fastify";
import { requireNode } from "#kernel/holder.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { toldRow } from "#kernel/row-version.ts";
import { readSegmentRoute, segmentRouteStore } from "./store.ts";

/** Calls of /customer/segmentRoute (specification section 2.3). */
export function segmentRouteRoutes(app: FastifyInstance): void {
  mountResource(app, segmentRoute, segmentRouteStore, {
    async beforeWrite(ctx, { cpeId }) {
      if (cpeId !== null) await requireNode(ctx, cpeId, "cpeId", "cpe");
    },
  });
  mount(app, segmentRouteGetById, async ({ id }, ctx) =>
    toldRow(ctx, segmentRoute, await readSegmentRoute(ctx, id)),
  );
}
