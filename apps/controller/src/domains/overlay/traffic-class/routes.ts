import {
  trafficClassEdit,
  trafficClassGet,
  trafficClassVersions,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { requireUnchanged, rowWithETag } from "#kernel/row-version.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { classesOf, reachOf, setClasses, spacesOf, versionedClasses } from "./store.ts";

/** Calls of /customer/trafficClass (ADR 0032). */
export function trafficClassRoutes(app: FastifyInstance): void {
  mount(app, trafficClassGet, async ({ groupid }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const [classes, reach] = await Promise.all([
      versionedClasses(ctx, groupid),
      reachOf(ctx, groupid),
    ]);
    return rowWithETag(ctx, { groupid, ...classes, ...reach });
  });
  mount(app, trafficClassEdit, async ({ groupid, rowVersion, ...draft }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const read = async () => ({
      groupid,
      ...(await versionedClasses(ctx, groupid)),
      ...(await reachOf(ctx, groupid)),
    });
    await requireUnchanged(ctx, trafficClassVersions, { id: groupid, rowVersion }, read);
    const old = await classesOf(ctx, groupid);
    await setClasses(ctx, groupid, draft);
    await ctx.audit({
      resource: "trafficClass",
      rowId: groupid,
      enterpriseId: groupid,
      old,
      new: draft,
    });
    const spaceIds = await spacesOf(ctx, groupid);
    if (spaceIds.length > 0) await ctx.change({ enterpriseId: groupid, nodeIds: [], spaceIds });
    return null;
  });
}
