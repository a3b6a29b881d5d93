import { planned, type Views } from "./view.ts";

export const monitorViews = {
  LinkTableDetail: planned,
  LinkTableTable: planned,
  Topology: () => import("#features/topology/topology-page.tsx"),
  WarningPolicy: planned,
  LinkMonitor: planned,
  CpeLogs: planned,
  PopLogs: planned,
} satisfies Views;
