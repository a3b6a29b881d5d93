import { defineMessages } from "#kernel/message.ts";

/** Fields of signing in, of what a person sets up for it, and of messages to people. */
export const loginFields = defineMessages({
  "field.loginName": ["登录名", "Login name"],
  "field.password": ["密码", "Password"],
  "field.ticket": ["凭据", "Ticket"],
  "field.username": ["登录名", "Login name"],
  "field.demandFactor": ["必须两步验证", "MFA required"],
  "field.title": ["标题", "Title"],
  "field.content": ["内容", "Content"],
  "field.status": ["状态", "State"],
  "enum.messageType.0": ["系统", "System"],
  "enum.messageType.1": ["安全", "Security"],
  "enum.messageType.2": ["告警", "Alarm"],
  "enum.messageStatus.0": ["未读", "Unread"],
  "enum.messageStatus.1": ["已读", "Read"],
});
