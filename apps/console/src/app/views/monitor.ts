import { cpeLog, popLog } from "./log.ts";
import type { Load, Views } from "./view.ts";

const linkReport: Load = () => import("#domains/monitoring/link-report/link-report-page.tsx");

export const monitorViews = {
  LinkTableDetail: linkReport,
  LinkTableTable: linkReport,
  Topology: () => import("#domains/overlay/topology/topology-page.tsx"),
  WarningPolicy: () => import("#domains/notifications/alarm/warning-policy-page.tsx"),
  LinkMonitor: () => import("#domains/overlay/link/link-monitor-page.tsx"),
  CpeLogs: cpeLog,
  PopLogs: popLog,
} satisfies Views;
