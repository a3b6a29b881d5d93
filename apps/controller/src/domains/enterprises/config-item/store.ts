import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import { tableStore } from "#kernel/table-store.ts";

export const configItemStore = tableStore(configItem, {
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
  names: { enterpriseName: enterprise("groupid") },
  filters: { configKey: "contains", groupid: "equal" },
  constraints: { config_item_key: { field: "configKey" } },
});
