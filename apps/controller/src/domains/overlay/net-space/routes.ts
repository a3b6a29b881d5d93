import {
  netSpace,
  netSpaceCandidates,
  netSpaceCpes,
  netSpaceCpesAndLines,
  netSpaceTargets,
} from "@weft/contract/domains/overlay/net-space.ts";
import type { FastifyInstance } from "fastify";
import { mountBatches } from "#batch/mount-batch.ts";
import { linesOfNodes } from "#domains/devices/line/public.ts";
import { cpeRows } from "#domains/devices/node/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { spaceBatches } from "./batch.ts";
import { cpeCandidates, cpesOfFamily, peersOf, popCandidates } from "./members.ts";
import { netSpaceStore } from "./store.ts";

/** Network spaces. */
export function netSpaceRoutes(app: FastifyInstance): void {
  mountResource(app, netSpace, netSpaceStore);
  mountBatches(app, spaceBatches);
  mount(app, netSpaceCandidates, async ({ groupid, netSpaceId }, ctx) => {
    const [cpes, pops] = await Promise.all([
      cpeCandidates(ctx, groupid, netSpaceId),
      popCandidates(ctx),
    ]);
    return { cpes, pops };
  });
  const cpesOf = async (groupid: number, spaceId: number | null, ctx: HandlerContext) => {
    const cpes = await cpesOfFamily(ctx, groupid, spaceId);
    return cpeRows(ctx, cpes);
  };
  mount(app, netSpaceCpes, ({ groupid, netSpaceId }, ctx) => cpesOf(groupid, netSpaceId, ctx));
  mount(app, netSpaceCpesAndLines, async ({ groupid, netSpaceId }, ctx) => {
    const cpeList = await cpesOf(groupid, netSpaceId, ctx);
    const lineList = await linesOfNodes(
      ctx,
      cpeList.map(({ id }) => id),
    );
    return { cpeList, lineList };
  });
  mount(app, netSpaceTargets, async ({ cpeId, netSpaceId }, ctx) =>
    cpeRows(ctx, await peersOf(ctx, cpeId, netSpaceId)),
  );
}
