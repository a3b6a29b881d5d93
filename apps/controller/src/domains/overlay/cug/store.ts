import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { enterpriseNames } from "#kernel/enterprise-names.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Closed user groups with the CPEs in them. */
export const cugStore = tableStore(cug, {
  table: "cug",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    bandwidth: "bandwidth_bps",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  chosen: "cug_node",
  owner: { enterprise: "groupid" },
  filters: { groupid: "equal", name: "contains" },
  constraints: { cug_name: { field: "name" } },
  async complete(ctx, rows) {
    const names = await enterpriseNames(
      ctx,
      rows.map((row) => row.enterprise_id),
    );
    return rows.map((row) => ({ enterpriseName: names.get(row.enterprise_id) ?? "" }));
  },
});
