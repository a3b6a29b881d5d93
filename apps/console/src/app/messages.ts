import { defineMessages } from "@weft/contract/kernel/message.ts";

export const entryMessages = defineMessages({
  "visitor.title": ["模板管理", "Template management"],
  "visitor.what": [
    "没有会话：登录后可以查看和下发模板",
    "No session: log in to see and publish templates",
  ],
  "visitor.logIn": ["登录", "Log in"],
});
