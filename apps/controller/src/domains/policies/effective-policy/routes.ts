import { effectivePolicy } from "@weft/contract/domains/policies/effective-policy.ts";
import type { FastifyInstance } from "fastify";
import { owners } from "#domains/policies/policy/public.ts";
import { mount } from "#kernel/mount.ts";
import { ownerIn } from "#kernel/row-owner.ts";
import { findEffective } from "./store.ts";

export function effectivePolicyRoutes(app: FastifyInstance): void {
  mount(app, effectivePolicy, (owner, ctx) =>
    findEffective(ctx, app.weft.pools, ownerIn(owners.manage, owner)),
  );
}
