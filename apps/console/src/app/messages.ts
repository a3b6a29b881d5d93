import { defineMessages } from "@weft/contract/kernel/message.ts";

export const entryMessages = defineMessages({
  "visitor.title": ["模板管理", "Template management"],
  "visitor.what": [
    "未登录：登录后可以查看和发布模板",
    "Not logged in: log in to see and publish templates",
  ],
  "visitor.logIn": ["登录", "Log in"],
});
