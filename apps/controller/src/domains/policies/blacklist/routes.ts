import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import type { FastifyInstance } from "fastify";
import { requireAclRoom } from "#domains/policies/acl-rule/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { nodesOfEntry, blacklistStore as store } from "./store.ts";

/** Leaves a change for the CPEs that an entry is in force at. */
async function notifyNodes(ctx: HandlerContext, id: number): Promise<void> {
  for (const { enterprise_id, node_ids } of await nodesOfEntry(ctx, id)) {
    await ctx.change({ enterpriseId: enterprise_id, nodeIds: node_ids });
  }
}

/** What no CPE of the choice lets through. */
export function blacklistRoutes(app: FastifyInstance): void {
  mountResource(app, blacklist, store, {
    async beforeWrite(ctx, _, id) {
      // Those that the entry was about; after the write only those that it is about are known.
      if (id !== null) await notifyNodes(ctx, id);
    },
    async beforeRemove(ctx, ids) {
      for (const id of ids) await notifyNodes(ctx, id);
    },
    async afterWrite(ctx, row) {
      if (row.new === null) return;
      await notifyNodes(ctx, row.id);
      const touched = await nodesOfEntry(ctx, row.id);
      await requireAclRoom(
        ctx,
        touched.flatMap(({ node_ids }) => node_ids),
      );
    },
  });
}
