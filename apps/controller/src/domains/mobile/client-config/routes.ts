import { clientConfigEdit, clientConfigGet } from "@weft/contract/domains/mobile/client-config.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { readService, writeService } from "./store.ts";

/** Calls of /customer/clientConfig (specification section 2.3, /sdwan-system/mobileTerminal/config). */
export function clientConfigRoutes(app: FastifyInstance): void {
  mount(app, clientConfigGet, async ({ groupid }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    return { groupid, ...(await readService(ctx, groupid)) };
  });
  mount(app, clientConfigEdit, async ({ groupid, ...draft }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const old = await writeService(ctx, groupid, draft);
    await ctx.audit({
      resource: "clientConfig",
      rowId: groupid,
      enterpriseId: groupid,
      old,
      new: draft,
    });
    const nodeIds = [...new Set([old.popId, draft.popId].filter((id) => id !== null))];
    // Sites keep the clients' pool inside their space, beside their own networks.
    const spaceIds = [...new Set([old.netSpaceId, draft.netSpaceId].filter((id) => id !== null))];
    await ctx.change({ enterpriseId: groupid, nodeIds, spaceIds });
    return null;
  });
}
