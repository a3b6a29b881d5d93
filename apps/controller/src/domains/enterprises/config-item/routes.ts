import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import type { FastifyInstance } from "fastify";
import { enterpriseNames } from "#kernel/enterprise-names.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { tableStore } from "#kernel/table-store.ts";

const store = tableStore(configItem, {
  table: "config_item",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    configKey: "config_key",
    configValue: "config_value",
    remark: "remark",
    updateTime: "updated_at",
  },
  owner: { enterprise: "groupid" },
  filters: { configKey: "contains", groupid: "equal" },
  constraints: { config_item_key: { field: "configKey" } },
  async complete(ctx, rows) {
    const ids = rows.map((row) => row.enterprise_id);
    const names = await enterpriseNames(ctx, ids);
    return ids.map((id) => ({ enterpriseName: names.get(id) ?? "" }));
  },
});

/** Calls of /customer/configList (specification section 2.3, /system/configList). */
export function configItemRoutes(app: FastifyInstance): void {
  mountResource(app, configItem, store);
}
