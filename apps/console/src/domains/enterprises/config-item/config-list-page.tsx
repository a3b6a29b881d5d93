import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { timeColumn } from "#kernel/list/columns.tsx";
import { resourcePage, resourceView } from "#kernel/resource-view.tsx";
import { configItemMessages } from "./messages.ts";

/** Values by key, an enterprise's own (section 2.3). */
const view = resourceView(configItem, {
  messages: configItemMessages,
  title: "configItem.title",
  addLabel: "configItem.add",
  empty: "configItem.empty",
  nameOf: (row) => row.configKey,
  columns: (t) => [
    "configKey",
    "configValue",
    "enterpriseName",
    "remark",
    timeColumn("updateTime", t.field("updateTime"), (row: { updateTime: Date }) => row.updateTime, {
      form: "stamp",
      sort: true,
    }),
  ],
  filters: (t) => [
    { key: "configKey", kind: "text", label: t("configItem.search") },
    { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
  ],
  form: () => [
    "configKey",
    { name: "configValue", kind: "remark" },
    { name: "groupid", kind: EnterpriseControl },
    "remark",
  ],
  initial: { configKey: "", configValue: "", groupid: null, remark: "" },
  removeBody: (_, t) => t("configItem.removeBody"),
});

export default resourcePage(view);
