import { branch } from "@weft/contract/domains/enterprises/branch.ts";
import { enterpriseNames } from "#kernel/enterprise-names.ts";
import { nodeLists, withNodeList } from "#kernel/node-list.ts";
import { tableStore } from "#kernel/table-store.ts";

const stored = tableStore(branch, {
  table: "branch",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    name: "name",
    regions: "regions",
    address: "address",
    cpeIds: null,
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { groupid: "equal", name: "contains" },
  constraints: { branch_name: { field: "name" } },
  async complete(ctx, rows) {
    const [cpes, names] = await Promise.all([
      nodeLists(
        ctx,
        "branch_node",
        rows.map(({ id }) => id),
      ),
      enterpriseNames(
        ctx,
        rows.map((row) => row.enterprise_id),
      ),
    ]);
    return rows.map((row) => ({
      cpeIds: cpes.get(row.id) ?? [],
      enterpriseName: names.get(row.enterprise_id) ?? "",
    }));
  },
});

/** Branches with the CPEs that stand there. */
export const branchStore = withNodeList(stored, {
  field: "cpeIds",
  table: "branch_node",
  kind: "cpe",
  once: "branch_node_once",
});
