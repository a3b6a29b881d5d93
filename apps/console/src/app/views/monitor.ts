import { cpeLog, popLog } from "./log.ts";
import type { Load, Views } from "./view.ts";

const linkReport: Load = () => import("#features/link-report/link-report-page.tsx");

export const monitorViews = {
  LinkTableDetail: linkReport,
  LinkTableTable: linkReport,
  Topology: () => import("#features/topology/topology-page.tsx"),
  WarningPolicy: () => import("#features/alarm/warning-policy-page.tsx"),
  LinkMonitor: () => import("#features/link/link-monitor-page.tsx"),
  CpeLogs: cpeLog,
  PopLogs: popLog,
} satisfies Views;
