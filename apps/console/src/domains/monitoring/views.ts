import type { FirstCallsByView, Load, Views } from "#kernel/view.ts";

// Tabs of one report are one screen: it reads the tab out of the address.
const cpeReport: Load = () => import("./node-report/cpe-report-page.tsx");

const popReport: Load = () => import("./node-report/pop-report-page.tsx");

const clientReport: Load = () => import("./node-report/client-report-page.tsx");

// Logs of nodes: tabs below a node, and entries of the menu.
const cpeLog: Load = () => import("./node-log/cpe-log-page.tsx");

const popLog: Load = () => import("./node-log/pop-log-page.tsx");

const linkReport: Load = () => import("./link-report/link-report-page.tsx");

// Tabs of the page of a site; those of a POP are the same.
const sitePaths: Load = () => import("./site/site-paths-page.tsx");

const siteTraffic: Load = () => import("./site/site-traffic-page.tsx");

const siteLogs: Load = () => import("./node-log/site-logs-page.tsx");

/** Screens of this domain, by the view key of the menu. */
export const views = {
  CpeTableFlow: cpeReport,
  CpeTablePerformance: cpeReport,
  CpeTableLine: cpeReport,
  CpeTable4G: cpeReport,
  CpeTableArmFlow: cpeReport,
  CpeTableArmPerformance: cpeReport,
  CpeLineTable: () => import("./node-report/line-report-page.tsx"),
  CpeLogLog: cpeLog,
  CpeLogAppRank: cpeLog,
  CpeLogUserRank: cpeLog,
  CpeLogAppAlarmRank: cpeLog,
  CpeLogUrlAlarmRank: cpeLog,
  CpeLogUrlVisitLog: cpeLog,
  CpeLogLineLog: cpeLog,
  CpeLogCon: cpeLog,
  CpeLogSession: cpeLog,
  PopLogLog: popLog,
  PopLogAppRank: popLog,
  PopLogUserRank: popLog,
  PopLogAppAlarmRank: popLog,
  PopLogUrlAlarmRank: popLog,
  PopLogUrlVisitLog: popLog,
  PopLogLineLog: popLog,
  PopLogCon: popLog,
  PopTableLine: popReport,
  PopTableInterface: popReport,
  MobileTableDetail: clientReport,
  MobileTableFlow: clientReport,
  MobileTablePerformance: clientReport,
  MobileTableJournal: clientReport,
  Screen: () => import("./wallboard/wallboard-page.tsx"),
  Workplace: () => import("./workplace/workplace-page.tsx"),
  InstallationStatus: () => import("./installation/installation-page.tsx"),
  EnterpriseTableLine: () => import("./enterprise-report/enterprise-report-page.tsx"),
  EnterpriseSpaces: () => import("./enterprise-overview/enterprise-spaces-page.tsx"),
  EnterpriseOverview: () => import("./enterprise-overview/enterprise-overview-page.tsx"),
  EnterpriseTraffic: () => import("./enterprise-report/enterprise-traffic-page.tsx"),
  LinkTableDetail: linkReport,
  LinkTableTable: linkReport,
  CpeLogs: cpeLog,
  CpeTableDetail: () => import("./site/cpe-detail-page.tsx"),
  PopTableDetail: () => import("./site/pop-detail-page.tsx"),
  SitePaths: sitePaths,
  PopPaths: sitePaths,
  SiteTraffic: siteTraffic,
  PopTraffic: siteTraffic,
  SiteApplications: () => import("./node-log/site-applications-page.tsx"),
  SiteLogs: siteLogs,
  PopEvents: siteLogs,
  PopLogs: popLog,
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  Workplace: () => ["/customer/dashboard/workplace"],
  InstallationStatus: () => ["/customer/installation/status"],
  Screen: () => ["/customer/screen/data"],
} satisfies FirstCallsByView;
