import { vbrNode, vbrNodeAudit, vbrTable } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { FastifyInstance } from "fastify";
import { pops } from "#domains/devices/public.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireRow } from "#kernel/reference.ts";
import { reviewNode, vbrNodeStore, vbrTableStore } from "./store.ts";

/** Calls of /customer/vbrNode and vbrTable (specification sections 2.3 and 6). */
export function vbrNodeRoutes(app: FastifyInstance): void {
  mountResource(app, vbrNode, vbrNodeStore, {
    async beforeWrite(ctx, { popId }) {
      if (popId !== null) await requireRow(ctx, pops, popId, "popId", "readable");
    },
  });
  mount(app, vbrNodeAudit, async ({ id, status, remark }, ctx) => {
    await reviewNode(ctx, id, status, remark);
    return null;
  });
  mountResource(app, vbrTable, vbrTableStore);
}
