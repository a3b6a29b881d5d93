/** The screens of notifications in the menu. `#contract/menu.ts` says where. */
import { defineMenu, hidden, page } from "#kernel/menu.ts";

export const warningPolicy = page(
  "/devopsmonitor/warningpolicy",
  ["告警策略", "Warning policy"],
  "WarningPolicy",
  {
    icon: "alarm",
    may: "alarmStrategyView",
  },
);

export const messages = defineMenu([
  page("/personalcenter/stationmessage", ["站内消息", "Station messages"], "StationMessage", {
    icon: "message",
  }),
  page(
    "/personalcenter/messageremanage",
    ["消息接收管理", "Message receive management"],
    "MessageReceiveManage",
    { icon: "receiver" },
  ),
]);

/** Reached from notices; in no menu (section 2.1). */
export const userMessage = hidden("/user/message", ["消息通知", "Notices"], "StationMessage");
