import { effectivePolicy } from "@weft/contract/domains/delivery/effective-policy.ts";
import type { FastifyInstance } from "fastify";
import { owners } from "#domains/policies/policy/public.ts";
import { mountAfter } from "#kernel/mount.ts";
import { ownerIn, requireOwner } from "#kernel/row-owner.ts";
import { findEffective, readNodeView } from "./store.ts";

export function effectivePolicyRoutes(app: FastifyInstance): void {
  mountAfter(
    app,
    effectivePolicy,
    async (input, { read }) => {
      const owner = ownerIn(owners.manage, input);
      await read((ctx) => requireOwner(ctx, owner));
      return { nodeId: owner.id, view: await readNodeView(app.weft.pools, owner.id) };
    },
    (_, ctx, { nodeId, view }) => findEffective(ctx, nodeId, view),
  );
}
