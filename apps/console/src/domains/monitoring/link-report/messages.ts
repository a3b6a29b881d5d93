import { defineMessages } from "@weft/contract/kernel/message.ts";

export const linkReportMessages = defineMessages({
  "linkReport.title": ["链路报表", "Link report"],
  "linkReport.pick": ["选择链路", "Choose a link"],
  "linkReport.back": ["返回链路列表", "Back to links"],
  "linkReport.detail": ["质量与可用率", "Quality and availability"],
  "linkReport.table": ["全部指标", "All metrics"],
});
