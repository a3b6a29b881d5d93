import { defineMessages } from "#kernel/message.ts";

/** Labels of codes and fields that only this domain has, both languages in one line. */
export const messages = defineMessages({
  "enum.taskStatus.0": ["未开始", "Not started"],
  "enum.taskStatus.1": ["已完成", "Completed"],
  "enum.taskStatus.2": ["失败", "Failed"],
  "enum.taskStatus.3": ["已取消", "Cancelled"],
  "enum.taskStatus.4": ["已拉取", "Pulled"],
  "enum.taskType.state": ["配置下发", "Configuration"],
  "enum.taskType.template": ["模板下发", "Template"],
  "enum.outcome.waiting": ["等待下发", "Waiting"],
  "enum.outcome.held": ["等待放行", "Pending approval"],
  "enum.outcome.delivered": ["已送达", "Delivered"],
  "enum.outcome.applied": ["应用中", "Applied, not confirmed"],
  "enum.outcome.confirmed": ["已确认", "Confirmed"],
  "enum.outcome.refused": ["设备拒绝", "Refused by the device"],
  "enum.outcome.failed": ["应用失败", "Failed"],
  "enum.outcome.reverted": ["已自动回退", "Rolled back"],
  "enum.outcome.superseded": ["已被更新的配置取代", "Superseded"],
  "limit.staticRoutes": ["条启用的静态路由", "enabled static routes"],
  "limit.lanSegments": ["个 LAN 网段", "LAN sections"],
  "limit.lanInterfaces": ["个带 LAN 网段的接口", "interfaces with LAN sections"],
  "limit.lanAddresses": ["个接口地址", "addresses of an interface"],
  "limit.aclRules": [
    "条 ACL 规则与黑名单（一个 IP 黑名单算 2 条）",
    "ACL rules and blacklist entries (a blocked IP counts twice)",
  ],
  "limit.clientPeers": ["个有公钥的账号", "accounts with a key"],
  "limit.announced": ["个通告到空间的网段", "networks announced to the space"],
  "limit.spaceNetworks": ["个各站点通告的网段", "networks announced by its sites"],
});
