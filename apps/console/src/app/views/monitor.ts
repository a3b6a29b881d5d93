import { planned, type Views } from "./view.ts";

export const monitorViews = {
  LinkTableDetail: planned,
  LinkTableTable: planned,
  Topology: planned,
  WarningPolicy: planned,
  LinkMonitor: planned,
  CpeLogs: planned,
  PopLogs: planned,
} satisfies Views;
