import { planned, type Views } from "./view.ts";

export const personalViews = {
  DealRecord: planned,
  RechargeRecord: planned,
  StationMessage: planned,
  MessageReceiveManage: planned,
  ParamConfig: planned,
} satisfies Views;
