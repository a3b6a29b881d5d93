import { defineMessages } from "#kernel/message.ts";

/** Labels of codes and fields that only this domain has, both languages in one line. */
export const messages = defineMessages({
  "field.limit": ["每页条数", "Page size"],
  "field.templateName": ["模板名称", "Template name"],
  "field.temName": ["模板名称", "Template name"],
  "field.cpeNum": ["CPE 数", "CPEs"],
  "field.cpeFinishNum": ["已完成 CPE 数", "CPEs completed"],
});
