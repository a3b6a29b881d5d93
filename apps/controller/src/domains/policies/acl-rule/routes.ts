import { aclRule, aclRuleClear } from "@weft/contract/domains/policies/acl-rule.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireAclRoom } from "./limit-store.ts";
import { aclRuleStore, clearRules } from "./store.ts";

/** ACL rules of CPEs. */
export function aclRuleRoutes(app: FastifyInstance): void {
  mountResource(app, aclRule, aclRuleStore, {
    afterWrite: async (ctx, { new: now }) => {
      if (now) await requireAclRoom(ctx, [(now as { readonly nCpeID: number }).nCpeID]);
    },
  });
  mount(app, aclRuleClear, async ({ nCpeID }, ctx) => {
    await clearRules(ctx, nCpeID);
    return null;
  });
}
