import { defineMessages } from "@weft/contract/kernel/message.ts";

export const paramMessages = defineMessages({
  "param.title": ["企业参数配置", "Enterprise parameter config"],
  "param.enterprise": ["企业", "Enterprise"],
  "param.noticeHelp": [
    "到期前这么多天起算作即将到期",
    "From so many days before its end on, something counts as due soon",
  ],
  "param.zoneHelp": ["企业所在的时区", "The zone that the enterprise is in"],
  "param.strategyHelp": [
    "下级企业优先选用的策略",
    "The strategy that subordinates should use first",
  ],
  "param.logHelp": ["设备日志保留多久", "How long logs of its boxes are to be kept"],
  "param.days": ["天", "days"],
});
