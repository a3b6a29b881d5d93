import {
  clientConfigEdit,
  clientConfigGet,
  clientConfigVersions,
} from "@weft/contract/domains/mobile/client-config.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { requireUnchanged, rowWithETag } from "#kernel/row-version.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { readService, writeService } from "./store.ts";

/** Calls of /customer/clientConfig (specification section 2.3, /sdwan-system/mobileTerminal/config). */
export function clientConfigRoutes(app: FastifyInstance): void {
  mount(app, clientConfigGet, async ({ groupid }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const service = await readService(ctx, groupid);
    return rowWithETag(ctx, { groupid, ...service });
  });
  mount(app, clientConfigEdit, async ({ groupid, rowVersion, ...draft }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const read = async () => ({ groupid, ...(await readService(ctx, groupid)) });
    await requireUnchanged(ctx, clientConfigVersions, { id: groupid, rowVersion }, read);
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
