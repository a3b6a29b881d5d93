import type { Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  WarningPolicy: () => import("./alarm/warning-policy-page.tsx"),
  StationMessage: () => import("./message/station-message-page.tsx"),
  MessageReceiveManage: () => import("./message-receive/message-receive-page.tsx"),
} satisfies Views;
