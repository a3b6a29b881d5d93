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
    "这里的修改是草稿，发布后才下发到模板中的 CPE",
    "Changes here are a draft; they reach the CPEs of the template when it is published",
  ],
  "template.issue": ["发布", "Publish"],
  "template.issueTitle": ["发布模板“{name}”？", "Publish template “{name}”?"],
  "template.issueTitleMany": ["发布 {count} 个模板？", "Publish {count|template|templates}?"],
  "template.issueBody": [
    "模板的当前内容冻结为新版本，下发到它的 CPE；尚未送达的旧版本不再下发。",
    "The current contents of the template are frozen as a new version and sent to its CPEs; older versions that have not arrived are no longer sent.",
  ],
  "template.review.underway": ["已核对 {done} / {cpes} 台", "Checked {done} of {cpes} CPEs"],
  "template.review.noCpes": ["模板中没有 CPE", "The template has no CPEs"],
  "template.review.acts": [
    "{cpes} 台 CPE 中 {acts} 台全部生效",
    "Acts on {acts} of {cpes|CPE|CPEs}",
  ],
  "template.review.cannot": [
    "{objects} 个对象在 {cpes} 台 CPE 上不生效：{reason}",
    "{objects|object|objects} cannot act on {cpes|CPE|CPEs}: {reason}",
  ],
  "template.review.fallback": [
    "{objects} 个对象在 {cpes} 台 CPE 上部分生效：{reason}",
    "{objects|object|objects} will act in part on {cpes|CPE|CPEs}: {reason}",
  ],
  "template.review.unknown": [
    "{cpes} 台 CPE 尚无设备上线，上线后才能确定",
    "{cpes|CPE has|CPEs have} no device yet; what acts there is known when one reports",
  ],
  "template.review.group": ["{count} 台 CPE", "{count|CPE|CPEs}"],
  "template.review.names": ["{names} 等，另 {count} 台", "{names} and {count} more"],
  "template.review.changes": ["{count} 处变更", "{count|change|changes}"],
  "template.review.idle": ["{count} 个对象不生效", "{count|object|objects} will not act"],
  "template.review.failure": [
    "无法生成配置：{reason}",
    "No configuration can be generated: {reason}",
  ],
  "template.review.none": [
    "与当前版本没有差别",
    "Nothing changes: these CPEs follow the same contents already",
  ],
  "template.published": [
    "已发布，进度见模板日志",
    "Published; the template log shows the progress",
  ],
  "template.noSection": ["模板没有这一部分", "A template has no such section"],
  "template.toOverview": ["查看概览", "Go to the overview"],
});
