import { defineMessages } from "@weft/contract/kernel/message.ts";

export const autoRefreshMessages = defineMessages({
  "autoRefresh.label": ["自动刷新", "Auto refresh"],
  "autoRefresh.what": [
    "信息每 15 秒、图表每 30 秒刷新",
    "Information every 15 s, charts every 30 s",
  ],
});
