import {
  cpeLinkLog,
  topAllInfo,
  topDateInfo,
  topLineHistory,
  topSingle,
} from "@weft/contract/domains/overlay/topology.ts";
import type { FastifyInstance } from "fastify";
import { isNode } from "#domains/devices/node/public.ts";
import { linksOfNode, readLinkPoints } from "#domains/overlay/link/public.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { listContact, nodesOf, pictureAt, pictureNow } from "./store.ts";

/** Who is linked with whom, now and before. */
export function topologyRoutes(app: FastifyInstance): void {
  mount(app, topAllInfo, ({ groupid }, ctx) => pictureNow(ctx, groupid));
  mount(app, topDateInfo, ({ groupid, date }, ctx) => pictureAt(ctx, groupid, date));
  mount(app, topSingle, async ({ cpeId }, ctx) => {
    const [node] = await nodesOf(ctx, { id: cpeId });
    if (!node) refuse("notFound");
    return { node, lines: await linksOfNode(ctx, cpeId) };
  });
  mountWithMetrics(
    app,
    topLineHistory,
    async ({ lineId, ...range }, ctx) => (await readLinkPoints(ctx, lineId, range)).points,
  );
  mount(app, cpeLinkLog, async (query, ctx) => {
    if (!(await isNode(ctx, query.cpeId))) refuse("notFound");
    return listContact(ctx, query);
  });
}
