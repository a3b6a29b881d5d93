/** The screens of monitoring in the menu: overviews, and tabs of reports and logs. `#contract/menu.ts` says where. */
import { defineMenu, granted, group, hidden, hiddenGroup, page, searched } from "#kernel/menu.ts";

/** Entries of other domains that open some of these tabs. */
const operaRecord = "/system/recordmanage/operaRecord";
const cpes = "/sdwan-system/cpe";
const accounts = "/sdwan-system/mobileTerminal/account";

export const cpeReports = defineMenu([
  hiddenGroup(
    "/sdwan-system/cpe/cpeTable",
    ["CPE 报表", "CPE report"],
    [
      hidden("/sdwan-system/cpe/cpeTable/detail", ["设备详情", "Details"], "CpeTableDetail"),
      hidden("/sdwan-system/cpe/cpeTable/flow", ["流量报表", "Traffic"], "CpeTableFlow"),
      hidden(
        "/sdwan-system/cpe/cpeTable/performance",
        ["性能报表", "Performance"],
        "CpeTablePerformance",
      ),
      hidden("/sdwan-system/cpe/cpeTable/line", ["线路报表", "Lines"], "CpeTableLine"),
      hidden("/sdwan-system/cpe/cpeTable/4G", ["4G 报表", "4G"], "CpeTable4G"),
      hidden("/sdwan-system/cpe/cpeTable/armFlow", ["ARM 流量", "ARM traffic"], "CpeTableArmFlow"),
      hidden(
        "/sdwan-system/cpe/cpeTable/armPerformance",
        ["ARM 性能", "ARM performance"],
        "CpeTableArmPerformance",
      ),
    ],
  ),
  hidden("/sdwan-system/cpe/line/lineTable", ["线路报表", "Line report"], "CpeLineTable"),
  hiddenGroup(
    "/sdwan-system/cpe/cpeLog",
    ["CPE 日志", "CPE log"],
    [
      hidden("/sdwan-system/cpe/cpeLog/log", ["日志", "Log"], "CpeLogLog"),
      hidden(
        "/sdwan-system/cpe/cpeLog/appRank",
        ["应用排行", "Application ranking"],
        "CpeLogAppRank",
      ),
      hidden("/sdwan-system/cpe/cpeLog/userRank", ["用户排行", "User ranking"], "CpeLogUserRank"),
      hidden(
        "/sdwan-system/cpe/cpeLog/appAlarmRank",
        ["应用告警排行", "Application alarm ranking"],
        "CpeLogAppAlarmRank",
      ),
      hidden(
        "/sdwan-system/cpe/cpeLog/urlAlarmRank",
        ["网址告警排行", "URL alarm ranking"],
        "CpeLogUrlAlarmRank",
      ),
      hidden(
        "/sdwan-system/cpe/cpeLog/urlVisitLog",
        ["网址访问日志", "URL visit log"],
        "CpeLogUrlVisitLog",
      ),
      hidden("/sdwan-system/cpe/cpeLog/lineLog", ["线路日志", "Line log"], "CpeLogLineLog"),
      hidden("/sdwan-system/cpe/cpeLog/con", ["连接日志", "Connection log"], "CpeLogCon"),
      hidden("/sdwan-system/cpe/cpeLog/session", ["会话日志", "Session log"], "CpeLogSession"),
    ],
  ),
]);

export const popReports = defineMenu([
  hiddenGroup(
    "/sdwan-system/pop/popLog",
    ["POP 日志", "POP log"],
    [
      hidden("/sdwan-system/pop/popLog/log", ["日志", "Log"], "PopLogLog"),
      hidden(
        "/sdwan-system/pop/popLog/appRank",
        ["应用排行", "Application ranking"],
        "PopLogAppRank",
      ),
      hidden("/sdwan-system/pop/popLog/userRank", ["用户排行", "User ranking"], "PopLogUserRank"),
      hidden(
        "/sdwan-system/pop/popLog/appAlarmRank",
        ["应用告警排行", "Application alarm ranking"],
        "PopLogAppAlarmRank",
      ),
      hidden(
        "/sdwan-system/pop/popLog/urlAlarmRank",
        ["网址告警排行", "URL alarm ranking"],
        "PopLogUrlAlarmRank",
      ),
      hidden(
        "/sdwan-system/pop/popLog/urlVisitLog",
        ["网址访问日志", "URL visit log"],
        "PopLogUrlVisitLog",
      ),
      hidden("/sdwan-system/pop/popLog/lineLog", ["线路日志", "Line log"], "PopLogLineLog"),
      hidden("/sdwan-system/pop/popLog/con", ["连接日志", "Connection log"], "PopLogCon"),
    ],
  ),
  hiddenGroup(
    "/sdwan-system/pop/popTable",
    ["POP 报表", "POP report"],
    [
      hidden("/sdwan-system/pop/popTable/detail", ["POP 详情", "Details"], "PopTableDetail"),
      hidden("/sdwan-system/pop/popTable/line", ["线路", "Lines"], "PopTableLine"),
      hidden("/sdwan-system/pop/popTable/interface", ["接口", "Interfaces"], "PopTableInterface"),
    ],
  ),
]);

/** Tabs of the page of one site beside its overview (`cpeTable/detail`) and its configuration (`cpeSet`). */
export const sitePage = hiddenGroup(
  "/sdwan-system/cpe/site",
  ["站点", "Site"],
  [
    hidden("/sdwan-system/cpe/site/paths", ["路径", "Paths"], "SitePaths"),
    hidden("/sdwan-system/cpe/site/traffic", ["流量", "Traffic"], "SiteTraffic"),
    hidden("/sdwan-system/cpe/site/applications", ["应用", "Applications"], "SiteApplications"),
    hidden("/sdwan-system/cpe/site/changes", ["变更", "Changes"], "SiteChanges", {
      within: operaRecord,
    }),
    hidden("/sdwan-system/cpe/site/logs", ["日志", "Logs"], "SiteLogs"),
  ],
);

/** The same of a POP. */
export const popPage = hiddenGroup(
  "/sdwan-system/pop/site",
  ["POP", "POP"],
  [
    hidden("/sdwan-system/pop/site/paths", ["路径", "Paths"], "PopPaths"),
    hidden("/sdwan-system/pop/site/traffic", ["流量", "Traffic"], "PopTraffic"),
    hidden("/sdwan-system/pop/site/changes", ["变更", "Changes"], "PopChanges", {
      within: operaRecord,
    }),
    hidden("/sdwan-system/pop/site/logs", ["日志", "Logs"], "PopEvents"),
  ],
);

/** Of mobile accounts and of enterprises. */
export const otherReports = defineMenu([
  hiddenGroup(
    "/sdwan-system/mobileTerminal/table",
    ["终端报表", "Terminal report"],
    [
      hidden(
        "/sdwan-system/mobileTerminal/table/detail",
        ["终端详情", "Details"],
        "MobileTableDetail",
        { within: accounts },
      ),
      hidden("/sdwan-system/mobileTerminal/table/flow", ["流量", "Traffic"], "MobileTableFlow", {
        within: accounts,
      }),
      hidden(
        "/sdwan-system/mobileTerminal/table/performance",
        ["性能", "Performance"],
        "MobileTablePerformance",
        { within: accounts },
      ),
      hidden(
        "/sdwan-system/mobileTerminal/table/journal",
        ["日志", "Journal"],
        "MobileTableJournal",
        { within: accounts },
      ),
    ],
  ),
  hiddenGroup(
    "/sdwan-system/enterprisemanage/enterpriseTable",
    ["企业报表", "Enterprise report"],
    [
      hidden(
        "/sdwan-system/enterprisemanage/enterpriseTable/line",
        ["线路报表", "Lines"],
        "EnterpriseTableLine",
      ),
    ],
  ),
]);

/** The page of one enterprise; without an id it is that of the user's own. */
export const enterprisePage = hiddenGroup(
  "/sdwan-system/enterprisemanage/enterprise",
  ["企业", "Enterprise"],
  [
    searched(
      "/sdwan-system/enterprisemanage/enterprise/overview",
      ["企业概览", "Enterprise overview"],
      "EnterpriseOverview",
    ),
    hidden(
      "/sdwan-system/enterprisemanage/enterprise/sites",
      ["站点", "Sites"],
      "EnterpriseSites",
      { within: cpes },
    ),
    hidden(
      "/sdwan-system/enterprisemanage/enterprise/customers",
      ["下级企业", "Customers"],
      "EnterpriseCustomers",
    ),
    hidden(
      "/sdwan-system/enterprisemanage/enterprise/spaces",
      ["网络空间", "Network spaces"],
      "EnterpriseSpaces",
    ),
    hidden(
      "/sdwan-system/enterprisemanage/enterprise/traffic",
      ["流量", "Traffic"],
      "EnterpriseTraffic",
    ),
    hidden(
      "/sdwan-system/enterprisemanage/enterprise/accounts",
      ["终端账号", "Terminal accounts"],
      "EnterpriseAccounts",
      { within: accounts },
    ),
    hidden(
      "/sdwan-system/enterprisemanage/enterprise/changes",
      ["变更", "Changes"],
      "EnterpriseChanges",
      { within: operaRecord },
    ),
  ],
);

export const linkReport = hiddenGroup(
  "/devopsmonitor/linkMonitor/linkTable",
  ["链路报表", "Link report"],
  [
    hidden(
      "/devopsmonitor/linkMonitor/linkTable/detail",
      ["链路详情", "Details"],
      "LinkTableDetail",
    ),
    hidden("/devopsmonitor/linkMonitor/linkTable/table", ["链路报表", "Report"], "LinkTableTable"),
  ],
);

export const logs = group("/devopsmonitor/logs", ["日志", "Logs"], { icon: "record" }, [
  granted("/devopsmonitor/logs/cpe", ["CPE 日志", "CPE logs"], "CpeLogs", [0, 1, 2], {
    icon: "record",
  }),
  granted("/devopsmonitor/logs/pop", ["POP 日志", "POP logs"], "PopLogs", [0, 1], {
    icon: "record",
  }),
]);

export const screen = hidden("/screen", ["SD-WAN", "SD-WAN"], "Screen", { may: "screenView" });

/** For who runs the installation: whether Weft itself works. */
export const installation = page(
  "/system/status",
  ["系统状态", "System status"],
  "InstallationStatus",
  { icon: "pulse", may: "installationView" },
);

/** The first entry, so that the root and a login lead to it; its calls show each role its own scope. */
export const workplace = granted(
  "/dashboard/workplace",
  ["概览", "Overview"],
  "Workplace",
  [0, 1, 2],
  {
    icon: "overview",
  },
);
