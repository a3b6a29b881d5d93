import { defineMessages } from "#kernel/message.ts";

/** Labels of codes and fields that only this domain has, both languages in one line. */
export const messages = defineMessages({
  "field.limit": ["每页条数", "Page size"],
  "field.templateName": ["模板名称", "Template name"],
  "field.temName": ["模板名称", "Template name"],
  "field.cpeNum": ["CPE 数", "CPEs"],
  "field.wave": ["批次", "Wave"],
  "field.waves": ["批次", "Waves"],
  "field.soak": ["观察时间（秒）", "Soak time (s)"],
  "field.grace": ["容忍时间（秒）", "Grace time (s)"],
  "field.contactGate": ["检查失联", "Gate: contact"],
  "field.linkGate": ["检查链路", "Gate: links"],
  "field.findingGate": ["检查不生效对象", "Gate: objects without effect"],
  "field.lossLimit": ["丢包率上升（百分点）", "Gate: loss (points)"],
  "field.askEach": ["每批确认", "An operator starts each wave"],
  "field.isBad": ["问题版本", "Bad version"],
  "field.cpeFinishNum": ["已完成 CPE 数", "CPEs completed"],
});
