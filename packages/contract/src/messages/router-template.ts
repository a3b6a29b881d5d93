import { defineMessages } from "#kernel/message.ts";

/** Fields of router templates. */
export const routerTemplateFields = defineMessages({
  "field.templateId": ["模板", "Template"],
  "field.templateName": ["模板名称", "Template name"],
  "field.temName": ["模板名称", "Template name"],
  "field.cpeNum": ["CPE 数", "CPEs"],
  "field.cpeFinishNum": ["已完成 CPE 数", "CPEs completed"],
  "field.version": ["版本", "Version"],
  "field.size": ["每页条数", "Page size"],
});
