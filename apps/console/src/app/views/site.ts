import { cpeLog, popLog } from "./log.ts";
import type { Load, Views } from "./view.ts";

// Tabs of one report are one screen: it reads the tab out of the address.
const cpeReport: Load = () => import("#domains/monitoring/node-report/cpe-report-page.tsx");
const popReport: Load = () => import("#domains/monitoring/node-report/pop-report-page.tsx");
const clientReport: Load = () => import("#domains/monitoring/node-report/client-report-page.tsx");

export const siteViews = {
  CpeSet: () => import("#domains/devices/cpe/cpe-set-page.tsx"),
  CpeTableDetail: () => import("#domains/devices/cpe/cpe-detail-page.tsx"),
  CpeTableFlow: cpeReport,
  CpeTablePerformance: cpeReport,
  CpeTableLine: cpeReport,
  CpeTable4G: cpeReport,
  CpeTableArmFlow: cpeReport,
  CpeTableArmPerformance: cpeReport,
  CpeLineTable: () => import("#domains/monitoring/node-report/line-report-page.tsx"),
  CpeLogLog: cpeLog,
  CpeLogAppRank: cpeLog,
  CpeLogUserRank: cpeLog,
  CpeLogAppAlarmRank: cpeLog,
  CpeLogUrlAlarmRank: cpeLog,
  CpeLogUrlVisitLog: cpeLog,
  CpeLogLineLog: cpeLog,
  CpeLogCon: cpeLog,
  CpeLogSession: cpeLog,
  CpeNeighbor: () => import("#domains/devices/cpe/cpe-neighbor-page.tsx"),
  PopSet: () => import("#domains/devices/pop/pop-set-page.tsx"),
  PopLogLog: popLog,
  PopLogAppRank: popLog,
  PopLogUserRank: popLog,
  PopLogAppAlarmRank: popLog,
  PopLogUrlAlarmRank: popLog,
  PopLogUrlVisitLog: popLog,
  PopLogLineLog: popLog,
  PopLogCon: popLog,
  PopTableDetail: () => import("#domains/devices/pop/pop-detail-page.tsx"),
  PopTableLine: popReport,
  PopTableInterface: popReport,
  MobileTableDetail: clientReport,
  MobileTableFlow: clientReport,
  MobileTablePerformance: clientReport,
  MobileTableJournal: clientReport,
  EnterpriseTableLine: () =>
    import("#domains/monitoring/enterprise-report/enterprise-report-page.tsx"),
  DialTask: () => import("#domains/devices/dial-task/dial-task-page.tsx"),
  EnterpriseInfo: () => import("#domains/enterprises/enterprise-info/enterprise-info-page.tsx"),
  CompanyAudit: () => import("#domains/enterprises/company-audit/company-audit-page.tsx"),
  EnterpriseManage: () => import("#domains/enterprises/enterprise/enterprise-page.tsx"),
  PopManage: () => import("#domains/devices/pop/pop-page.tsx"),
  CpeManage: () => import("#domains/devices/cpe/cpe-page.tsx"),
  Enrolment: () => import("#domains/devices/enrolment/enrolment-page.tsx"),
  MobileAccount: () => import("#domains/mobile/mobile-account/account-page.tsx"),
  MobileConfig: () => import("#domains/mobile/client-config/client-config-page.tsx"),
} satisfies Views;
