import { defineMessages } from "@weft/contract/kernel/message.ts";

export const siteTrafficMessages = defineMessages({
  "siteTraffic.report": ["报表", "Reports"],
});

export const siteOverviewMessages = defineMessages({
  "contact.title": ["与控制器的连接", "Connections to the controller"],
  "contact.from": ["来自", "From"],
  "contact.when": ["时间", "Time"],
  "contact.empty": ["设备还没有连接过控制器", "The device has not connected to the controller yet"],
  "standby.byLine": [
    "热备组由策略中的接口线路指定",
    "An interface line of its policies names the standby group",
  ],
  "standby.place": [
    "热备组 {group}，配置角色：{role}",
    "Standby group {group}, role as configured: {role}",
  ],
});
