import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { cpes } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Touched } from "#kernel/reference.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Each member reaches the others, so that one edit is about all of them. */
const touchesMembers = (row: object): Touched => ({
  nodeIds: (row as Record<string, readonly number[]>)["members cpeIds"] ?? [],
  spaceIds: [],
});

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
  touches: touchesMembers,
  filters: { groupid: "equal", name: "contains" },
  constraints: { cug_name: { field: "name" } },
});
