import { segmentRoute, segmentRouteGetById } from "@weft/contract/domains/overlay/segment-route.ts";
import type { FastifyInstance } from "fastify";
import { cpes } from "#domains/devices/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireRow } from "#kernel/reference.ts";
import { rowWithETag } from "#kernel/row-version.ts";
import { nodesOfSegments, segmentRouteStore } from "./store.ts";

/** Leaves a change for the devices that the routes are part of: POPs, and CPEs that flows come from. */
async function notifyNodes(ctx: HandlerContext, ids: readonly number[]): Promise<void> {
  const nodeIds = await nodesOfSegments(ctx, ids);
  const { enterpriseId } = ctx.caller;
  if (nodeIds.length > 0) await ctx.change({ enterpriseId, nodeIds });
}

/** Calls of /customer/segmentRoute (specification section 2.3). */
export function segmentRouteRoutes(app: FastifyInstance): void {
  mountResource(app, segmentRoute, segmentRouteStore, {
    async beforeWrite(ctx, { cpeId }, id) {
      if (cpeId !== null) await requireRow(ctx, cpes, cpeId, "cpeId");
      // Those that it was part of; after the write only those that it is part of are known.
      if (id !== null) await notifyNodes(ctx, [id]);
    },
    beforeRemove: (ctx, ids) => notifyNodes(ctx, ids),
    async afterWrite(ctx, { id, new: now }) {
      if (now !== null) await notifyNodes(ctx, [id]);
    },
  });
  mount(app, segmentRouteGetById, async ({ id }, ctx) =>
    rowWithETag(ctx, await segmentRouteStore.read(ctx, id)),
  );
}
