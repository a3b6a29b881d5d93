import {
  paramConfigEdit,
  paramConfigGet,
  paramVersions,
} from "@weft/contract/domains/enterprises/param-config.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { requireUnchanged, rowWithETag } from "#kernel/row-version.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { nodesInZone, paramsOf, setParams, versionedParams } from "./store.ts";

/** Calls of /customer/paramConfig (specification section 2.3, /personalcenter/paramconfig). */
export function paramConfigRoutes(app: FastifyInstance): void {
  mount(app, paramConfigGet, async ({ groupid }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    return rowWithETag(ctx, { groupid, ...(await versionedParams(ctx, groupid)) });
  });
  mount(app, paramConfigEdit, async ({ groupid, rowVersion, ...params }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const read = async () => ({ groupid, ...(await versionedParams(ctx, groupid)) });
    await requireUnchanged(ctx, paramVersions, { id: groupid, rowVersion }, read);
    const old = await paramsOf(ctx, groupid);
    await setParams(ctx, groupid, params);
    if (old.timezone !== params.timezone) {
      await ctx.change({ enterpriseId: groupid, nodeIds: await nodesInZone(ctx, groupid) });
    }
    await ctx.audit({
      resource: "paramConfig",
      rowId: groupid,
      enterpriseId: groupid,
      old,
      new: params,
    });
    return null;
  });
}
