import { defineMessages } from "@weft/contract/kernel/message.ts";

export const sitePageMessages = defineMessages({
  "sitePage.tabs": ["{name} 的页面", "Pages of {name}"],
  "sitePage.tab.overview": ["概览", "Overview"],
  "sitePage.tab.paths": ["路径", "Paths"],
  "sitePage.tab.traffic": ["流量", "Traffic"],
  "sitePage.tab.applications": ["应用", "Applications"],
  "sitePage.tab.configuration": ["配置", "Configuration"],
  "sitePage.tab.changes": ["变更", "Changes"],
  "sitePage.tab.logs": ["日志", "Logs"],
});
