import { planned, type Views } from "./view.ts";

export const personalViews = {
  DealRecord: () => import("#features/deal/deal-record-page.tsx"),
  RechargeRecord: () => import("#features/deal/recharge-record-page.tsx"),
  UserInfo: () => import("#features/session/profile-page.tsx"),
  StationMessage: () => import("#features/message/station-message-page.tsx"),
  MessageReceiveManage: planned,
  ParamConfig: () => import("#features/param-config/param-config-page.tsx"),
} satisfies Views;
