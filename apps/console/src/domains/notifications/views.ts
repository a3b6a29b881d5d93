import { type FirstCallsByView, listCall, type Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  Alarms: () => import("./alarm/alarms-page.tsx"),
  AlarmWindows: () => import("./alarm-window/alarm-windows-page.tsx"),
  WarningPolicy: () => import("./alarm/warning-policy-page.tsx"),
  StationMessage: () => import("./message/station-message-page.tsx"),
  MessageReceiveManage: () => import("./message-receive/message-receive-page.tsx"),
  Webhooks: () => import("./webhook/webhooks-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  Alarms: listCall("/customer/alarmEvent/groups"),
  AlarmWindows: listCall("/customer/alarmWindow/list"),
  WarningPolicy: listCall("/customer/alarmStrategy/list"),
  StationMessage: listCall("/customer/message/list"),
  MessageReceiveManage: listCall("/customer/messageReceive/list"),
  Webhooks: listCall("/customer/webhook/list"),
} satisfies FirstCallsByView;
