import { defineMessages } from "@weft/contract/kernel/message.ts";

export const paramMessages = defineMessages({
  "param.title": ["企业参数配置", "Enterprise parameter config"],
  "param.enterprise": ["企业", "Enterprise"],
  "param.noticeHelp": [
    "到期前这么多天起算作即将到期",
    "Number of days before its end from which an item counts as due soon",
  ],
  "param.zoneHelp": [
    "邮件、短信和站内告警中的时间按此时区书写",
    "E-mails, SMS and station messages show times in this zone",
  ],
  "param.strategyHelp": [
    "新建的下级企业从此策略开始，可另行更改",
    "New subordinates start with it; it can be changed for each",
  ],
  "param.logHelp": [
    "设备日志保留的天数，之后每小时清理一次；流记录最多保留 90 天",
    "How long logs of devices are kept; older ones are removed hourly. Flow records stay 90 days at most",
  ],
  "param.days": ["天", "days"],
});
