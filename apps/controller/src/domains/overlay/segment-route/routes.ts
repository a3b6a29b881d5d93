import { segmentRoute, segmentRouteGetById } from "@weft/contract/domains/overlay/segment-route.ts";
import type { FastifyInstance } from "fastify";
import { cpes } from "#domains/devices/public.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireRow } from "#kernel/reference.ts";
import { toldRow } from "#kernel/row-version.ts";
import { segmentRouteStore } from "./store.ts";

/** Calls of /customer/segmentRoute (specification section 2.3). */
export function segmentRouteRoutes(app: FastifyInstance): void {
  mountResource(app, segmentRoute, segmentRouteStore, {
    async beforeWrite(ctx, { cpeId }) {
      if (cpeId !== null) await requireRow(ctx, cpes, cpeId, "cpeId");
    },
  });
  mount(app, segmentRouteGetById, async ({ id }, ctx) =>
    toldRow(ctx, segmentRoute, await segmentRouteStore.read(ctx, id)),
  );
}
