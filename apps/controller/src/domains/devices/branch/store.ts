import { branch } from "@weft/contract/domains/devices/branch.ts";
import { cpes } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Branches with their CPEs. */
export const branchStore = tableStore(branch, {
  table: "branch",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    name: "name",
    regions: "regions",
    address: "address",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { groupid: "equal", name: "contains" },
  constraints: { branch_name: { field: "name" } },
  members: {
    cpeIds: {
      table: "branch_node",
      of: cpes,
      from: "enterprise",
      isOrdered: true,
      once: "branch_node_once",
    },
  },
  names: { enterpriseName: enterprise("groupid") },
});
