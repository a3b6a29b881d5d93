import { defineMessages } from "@weft/contract/kernel/message.ts";

export const entryMessages = defineMessages({
  "visitor.title": ["模板管理", "Template management"],
  "visitor.what": [
    "没有会话：登录后可以查看和下发模板",
    "No session: log in to see and issue templates",
  ],
  "visitor.logIn": ["登录", "Log in"],
  "visitor.ended": ["链接已失效", "This link has ended"],
  "visitor.endedWhat": [
    "链接有效 10 分钟，分享者退出登录时也会失效。已保存的内容仍在；如需继续，请向分享者索取新链接",
    "A link works for ten minutes, or until whoever shared it logs out. What you saved is kept. To go on, ask for a new link",
  ],
  "visitor.hasAccount": ["有账号？去登录", "You have an account? Log in"],
});
