import { defineMessages } from "@weft/contract/kernel/message.ts";

export const receiveMessages = defineMessages({
  "receive.title": ["消息接收管理", "Message receive management"],
  "receive.add": ["新增接收人", "Add recipient"],
  "receive.search": ["接收人", "Recipient"],
  "receive.empty": [
    "还没有接收人。接收人收到告警的邮件和短信，在告警策略里选用",
    "No recipients yet. Alarm policies notify them by e-mail and text message",
  ],
  "receive.removeBody": [
    "告警不再通知此人，策略的其他接收人不受影响。",
    "Alarms are no longer sent to this recipient; other recipients of the policies are kept.",
  ],
  "receive.off": ["不接收", "Off"],
});
