import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { cpes } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
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
  members: { cpeIds: { table: "cug_node", of: cpes, from: "scope" } },
  names: { enterpriseName: enterprise("groupid") },
  owner: { enterprise: "groupid" },
  filters: { groupid: "equal", name: "contains" },
  constraints: { cug_name: { field: "name" } },
});
