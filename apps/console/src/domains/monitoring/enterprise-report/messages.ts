import { defineMessages } from "@weft/contract/kernel/message.ts";

export const enterpriseReportMessages = defineMessages({
  "enterpriseReport.title": ["企业报表", "Enterprise report"],
  "enterpriseReport.back": ["返回企业管理", "Back to enterprises"],
  "enterpriseReport.lines": ["WAN 链路", "WAN links"],
  "enterpriseReport.site": ["站点", "Site"],
  "enterpriseReport.line": ["WAN 链路", "WAN link"],
  "enterpriseReport.state": ["链路状态", "Link state"],
  "enterpriseReport.show": ["查看", "Show"],
  "enterpriseReport.up": ["上行 Mbit/s", "Up Mbit/s"],
  "enterpriseReport.down": ["下行 Mbit/s", "Down Mbit/s"],
  "enterpriseReport.of": ["{site} 的 {line}", "{line} of {site}"],
  "enterpriseReport.rate": ["流量", "Traffic"],
  "enterpriseReport.in": ["入", "In"],
  "enterpriseReport.out": ["出", "Out"],
  "enterpriseReport.delay": ["时延", "Latency"],
  "enterpriseReport.loss": ["丢包率", "Loss"],
  "enterpriseReport.none": [
    "这个企业还没有 WAN 链路。WAN 链路在站点的 CPE 配置中添加",
    "This enterprise has no WAN links yet. WAN links are added in the settings of its CPEs",
  ],
  "enterpriseReport.choose": ["选择企业", "Choose an enterprise"],
});
