import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import { useTexts } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { timeColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { configItemMessages } from "./messages.ts";

/** Values by key, an enterprise's own (section 2.3). */
export default resourcePage(configItem, function useConfigItems() {
  const t = useTexts(configItemMessages);
  return {
    title: t("configItem.title"),
    addLabel: t("configItem.add"),
    empty: t("configItem.empty"),
    nameOf: (row) => row.configKey,
    columns: [
      "configKey",
      "configValue",
      "enterpriseName",
      "remark",
      timeColumn(
        "updateTime",
        t.field("updateTime"),
        (row: { updateTime: Date }) => row.updateTime,
        {
          form: "stamp",
          sort: true,
        },
      ),
    ],
    filters: [
      { key: "configKey", kind: "text", label: t("configItem.search") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: { configKey: "", configValue: "", groupid: null, remark: "" },
      fields: [
        "configKey",
        { name: "configValue", kind: "remark" },
        { name: "groupid", kind: EnterpriseControl },
        "remark",
      ],
    },
    removal: { body: () => t("configItem.removeBody") },
  };
});
