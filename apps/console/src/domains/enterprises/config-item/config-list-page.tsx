import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { timeColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";

const configItemMessages = defineMessages({
  "configItem.title": ["配置列表", "Config list"],
  "configItem.add": ["新增配置项", "Add value"],
  "configItem.search": ["配置项", "Key"],
  "configItem.empty": [
    "还没有配置项。配置项是企业保存的键和值，供对接系统读取",
    "No values yet. A value is stored under its key with an enterprise, for connected systems to read",
  ],
  "configItem.removeBody": [
    "读取它的系统将得不到这个值，不能恢复。",
    "Systems that read it no longer get a value. This cannot be undone.",
  ],
});

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
