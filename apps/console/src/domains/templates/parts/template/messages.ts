import { defineMessages } from "@weft/contract/kernel/message.ts";

/** The frame around the sections of a template. */
export const templateMessages = defineMessages({
  "template.group.network": ["网络", "Network"],
  "template.group.object": ["对象", "Objects"],
  "template.group.policy": ["策略", "Policies"],
  "template.group.system": ["系统", "System"],
  "template.overview": ["概览", "Overview"],
  "template.sections": ["模板的各部分", "Sections of the template"],
  "template.backTo": ["返回模板列表", "Back to templates"],
  "template.draft": [
    "这里的修改是草稿，下发后才到达模板中的 CPE",
    "Changes here are a draft; they reach the CPEs of the template when it is published",
  ],
  "template.issue": ["下发", "Issue"],
  "template.issueTitle": ["下发模板“{name}”？", "Issue template “{name}”?"],
  "template.issueTitleMany": ["下发 {count} 个模板？", "Issue {count|template|templates}?"],
  "template.issueBody": [
    "模板的当前内容冻结为新版本，下发到它的 CPE；尚未送达的旧版本不再送出。",
    "What the template holds now is frozen as a new version and sent to its CPEs; older versions that have not arrived are sent no more.",
  ],
  "template.published": [
    "已下发，进度见模板日志",
    "Published; the template log shows the progress",
  ],
  "template.noSection": ["模板没有这一部分", "A template has no such section"],
  "template.toOverview": ["看概览", "Go to the overview"],
});
