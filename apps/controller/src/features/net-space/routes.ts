import { netSpace, netSpaceCandidates } from "@weft/contract/resources/net-space.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { cpeCandidates, popCandidates } from "./members.ts";
import { netSpaceStore } from "./store.ts";

/** Network spaces. */
export function netSpaceRoutes(app: FastifyInstance): void {
  mountResource(app, netSpace, netSpaceStore);
  mount(app, netSpaceCandidates, async ({ groupid, netSpaceId }, ctx) => {
    const [cpes, pops] = await Promise.all([
      cpeCandidates(ctx, groupid, netSpaceId),
      popCandidates(ctx),
    ]);
    return { cpes, pops };
  });
}
