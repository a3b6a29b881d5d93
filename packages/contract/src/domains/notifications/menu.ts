/** The screens of notifications in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, hidden, page } from "#kernel/menu.ts";

export const warningPolicy = page(
  "/devopsmonitor/warningpolicy",
  ["告警策略", "Warning policy"],
  "WarningPolicy",
  {
    icon: "parameter",
    may: "alarmStrategyView",
  },
);

/** What the rules of alarm policies have found, of everything that a user sees. */
export const alarms = granted("/devopsmonitor/alarm", ["告警", "Alarms"], "Alarms", [0, 1, 2], {
  icon: "alarm",
});

/** Planned work, of which alarms are not sent. */
export const alarmWindows = page(
  "/devopsmonitor/alarmwindow",
  ["维护窗口", "Maintenance windows"],
  "AlarmWindows",
  { icon: "alarm", may: "alarmStrategyView" },
);

/** Programs that are notified; beside API keys, which lead the other way. */
export const webhooks = page("/system/webhook", ["Webhook", "Webhooks"], "Webhooks", {
  icon: "message",
  may: "sysUserList",
});

export const messages = defineMenu([
  page("/personalcenter/stationmessage", ["站内消息", "Station messages"], "StationMessage", {
    icon: "message",
  }),
  granted(
    "/personalcenter/messageremanage",
    ["消息接收管理", "Message receive management"],
    "MessageReceiveManage",
    [0, 1, 2],
    { icon: "receiver" },
  ),
]);

/** Reached from notices; in no menu (section 2.1). */
export const userMessage = hidden("/user/message", ["消息通知", "Notices"], "StationMessage");
