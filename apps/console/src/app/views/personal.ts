import type { Load, Views } from "./view.ts";

/** Each page about what went wrong, as a route of its own. */
const exception = (name: "ForbiddenPage" | "NotFoundPage" | "ServerErrorPage"): Load => {
  return () => import("#app/state-pages.tsx").then((pages) => ({ default: pages[name] }));
};

export const personalViews = {
  DealRecord: () => import("#features/deal/deal-record-page.tsx"),
  RechargeRecord: () => import("#features/deal/recharge-record-page.tsx"),
  UserInfo: () => import("#features/session/profile-page.tsx"),
  StationMessage: () => import("#features/message/station-message-page.tsx"),
  Exception403: exception("ForbiddenPage"),
  Exception404: exception("NotFoundPage"),
  Exception500: exception("ServerErrorPage"),
  MessageReceiveManage: () => import("#features/message-receive/message-receive-page.tsx"),
  ParamConfig: () => import("#features/param-config/param-config-page.tsx"),
} satisfies Views;
