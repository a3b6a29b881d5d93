import { defineMessages } from "@weft/contract/kernel/message.ts";

export const paramMessages = defineMessages({
  "param.title": ["企业参数配置", "Enterprise parameter config"],
  "param.enterprise": ["企业", "Enterprise"],
  "param.noticeHelp": [
    "到期前这么多天起算作即将到期",
    "Number of days before its end from which something is due soon",
  ],
  "param.zoneHelp": [
    "仅作记录：邮件和短信中的时间按 UTC 书写",
    "For the record only: e-mails and SMS show times in UTC",
  ],
  "param.strategyHelp": [
    "新建的下级企业从此策略开始，可另行更改",
    "New subordinates begin with it; it can be changed for each",
  ],
  "param.logHelp": [
    "仅作记录：保留时长由整套系统统一规定",
    "For the record only: how long logs are kept is the same for the whole installation",
  ],
  "param.days": ["天", "days"],
});
