import type { Load, Views } from "./view.ts";

/** Each page about what went wrong, as a route of its own. */
const exception = (name: "ForbiddenPage" | "NotFoundPage" | "ServerErrorPage"): Load => {
  return () => import("#app/state-pages.tsx").then((pages) => ({ default: pages[name] }));
};

export const personalViews = {
  DealRecord: () => import("#domains/enterprises/deal/deal-record-page.tsx"),
  RechargeRecord: () => import("#domains/enterprises/deal/recharge-record-page.tsx"),
  UserInfo: () => import("#domains/access/session/profile-page.tsx"),
  StationMessage: () => import("#domains/notifications/message/station-message-page.tsx"),
  Exception403: exception("ForbiddenPage"),
  Exception404: exception("NotFoundPage"),
  Exception500: exception("ServerErrorPage"),
  MessageReceiveManage: () =>
    import("#domains/notifications/message-receive/message-receive-page.tsx"),
  ParamConfig: () => import("#domains/enterprises/param-config/param-config-page.tsx"),
} satisfies Views;
