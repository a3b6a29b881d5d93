import type { Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  Alarms: () => import("./alarm/alarms-page.tsx"),
  AlarmWindows: () => import("./alarm-window/alarm-windows-page.tsx"),
  WarningPolicy: () => import("./alarm/warning-policy-page.tsx"),
  StationMessage: () => import("./message/station-message-page.tsx"),
  MessageReceiveManage: () => import("./message-receive/message-receive-page.tsx"),
  Webhooks: () => import("./webhook/webhooks-page.tsx"),
} satisfies Views;
