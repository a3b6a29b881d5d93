import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { cpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { requireRow } from "#kernel/reference.ts";
import { tableStore } from "#kernel/table-store.ts";

export const aclRuleStore = tableStore(aclRule, {
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
  owner: { row: "nCpeID", of: cpes },
});

/** Removes all rules of a CPE. */
export async function clearRules(ctx: Context, nodeId: number): Promise<void> {
  const enterpriseId = await requireRow(ctx, cpes, nodeId, "nCpeID");
  const removed = await ctx.db
    .deleteFrom("acl_rule")
    .where("node_id", "=", nodeId)
    .where("enterprise_id", "=", enterpriseId)
    .returning(["id", "name", "section"])
    .execute();
  await ctx.audit({
    resource: aclRule.name,
    rowId: nodeId,
    old: { nCpeID: nodeId, rules: removed },
    new: null,
    enterpriseId,
  });
  await ctx.change({ enterpriseId, nodeIds: [nodeId] });
}
