import { planned, type Views } from "./view.ts";

export const personalViews = {
  DealRecord: planned,
  RechargeRecord: planned,
  UserInfo: () => import("#features/session/profile-page.tsx"),
  StationMessage: () => import("#features/message/station-message-page.tsx"),
  MessageReceiveManage: planned,
  ParamConfig: planned,
} satisfies Views;
