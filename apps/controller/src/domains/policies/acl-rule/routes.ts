import { aclRule, aclRuleClear } from "@weft/contract/domains/policies/acl-rule.ts";
import type { FastifyInstance } from "fastify";
import { requireNode } from "#kernel/holder.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { tableStore } from "#kernel/table-store.ts";
import { requireAclRoom } from "./limit-store.ts";

const store = tableStore(aclRule, {
  table: "acl_rule",
  columns: {
    nID: "id",
    nCpeID: "node_id",
    nEnable: "enabled",
    nSection: "section",
    sort: "sort",
    name: "name",
    action: "action",
    protocol: "protocol",
    srcIp: "src_ip",
    dstIp: "dst_ip",
    srcPort: "src_port",
    dstPort: "dst_port",
    remark: "remark",
  },
  owner: { node: "nCpeID", kind: "cpe" },
});

/** ACL rules of CPEs. */
export function aclRuleRoutes(app: FastifyInstance): void {
  mountResource(app, aclRule, store, {
    afterWrite: async (ctx, { new: now }) => {
      if (now) await requireAclRoom(ctx, [(now as { readonly nCpeID: number }).nCpeID]);
    },
  });
  mount(app, aclRuleClear, async ({ nCpeID }, ctx) => {
    const enterpriseId = await requireNode(ctx, nCpeID, "nCpeID", "cpe");
    const removed = await ctx.db
      .deleteFrom("acl_rule")
      .where("node_id", "=", nCpeID)
      .where("enterprise_id", "=", enterpriseId)
      .returning(["id", "name", "section"])
      .execute();
    await ctx.audit({
      resource: aclRule.name,
      rowId: nCpeID,
      old: { rules: removed },
      new: null,
      enterpriseId,
    });
    await ctx.change({ enterpriseId, nodeIds: [nCpeID] });
    return null;
  });
}
