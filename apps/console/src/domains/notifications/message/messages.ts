import { defineMessages } from "@weft/contract/kernel/message.ts";

export const messageMessages = defineMessages({
  "message.title": ["站内消息", "Station messages"],
  "message.empty": [
    "还没有消息。账号安全、告警和系统通知会出现在这里",
    "No messages yet. What concerns your account, alarms and the system appears here",
  ],
  "message.state": ["阅读状态", "Read state"],
  "message.read": ["标为已读", "Mark as read"],
  "message.readAll": ["全部已读", "Mark all as read"],
  "message.open": ["查看", "Open"],
  "message.removeTitle": ["删除 {count} 条消息？", "Delete {count|message|messages}?"],
  "message.removeBody": ["删除后无法恢复", "This cannot be undone"],
  "message.unread": ["{count} 条未读", "{count} unread"],
});
