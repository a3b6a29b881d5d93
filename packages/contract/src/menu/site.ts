import { defineMenu, group, hidden, hiddenGroup, page } from "./node.ts";

/** Screens that are no entries of the menu (section 2.4). */
const siteHidden = defineMenu([
  hidden("/sdwan-system/cpe/cpeSet/:id", ["CPE 配置", "Configure CPE"], "CpeSet", {
    may: "cpeConfig",
  }),
  hiddenGroup(
    "/sdwan-system/cpe/cpeTable",
    ["CPE 报表", "CPE report"],
    [
      hidden("/sdwan-system/cpe/cpeTable/detail", ["CPE 详情", "CPE details"], "CpeTableDetail"),
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
  hidden("/sdwan-system/cpe/cpeNeighbor/:id", ["CPE 邻居", "CPE neighbours"], "CpeNeighbor"),
  hidden("/sdwan-system/pop/popSet/:id", ["POP 配置", "Configure POP"], "PopSet", {
    may: "popConfig",
  }),
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
      hidden("/sdwan-system/pop/popTable/detail", ["POP 详情", "POP details"], "PopTableDetail"),
      hidden("/sdwan-system/pop/popTable/line", ["线路", "Lines"], "PopTableLine"),
      hidden("/sdwan-system/pop/popTable/interface", ["接口", "Interfaces"], "PopTableInterface"),
    ],
  ),
  hiddenGroup(
    "/sdwan-system/mobileTerminal/table",
    ["终端报表", "Terminal report"],
    [
      hidden(
        "/sdwan-system/mobileTerminal/table/detail",
        ["终端详情", "Details"],
        "MobileTableDetail",
      ),
      hidden("/sdwan-system/mobileTerminal/table/flow", ["流量", "Traffic"], "MobileTableFlow"),
      hidden(
        "/sdwan-system/mobileTerminal/table/performance",
        ["性能", "Performance"],
        "MobileTablePerformance",
      ),
      hidden(
        "/sdwan-system/mobileTerminal/table/journal",
        ["日志", "Journal"],
        "MobileTableJournal",
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
  hidden("/sdwan-system/cpe/dialTask", ["CPE 拨测任务", "CPE probe tasks"], "DialTask"),
  hidden(
    "/sdwan-system/enterprisemanage/enterpriseInfo",
    ["企业信息", "Enterprise info"],
    "EnterpriseInfo",
  ),
  hidden(
    "/sdwan-system/enterprisemanage/companyAudit",
    ["企业审核", "Company audit"],
    "CompanyAudit",
  ),
]);

/** Site management (section 2.3). */
export const siteMenu = group(
  "/sdwan-system",
  ["站点管理", "Site management"],
  { icon: "site", redirect: "/sdwan-system/cpe" },
  [
    page("/sdwan-system/enterprisemanage", ["企业管理", "Enterprises"], "EnterpriseManage", {
      icon: "enterprise",
    }),
    page("/sdwan-system/pop", ["POP 管理", "POPs"], "PopManage", { icon: "pop" }),
    page("/sdwan-system/cpe", ["CPE 管理", "CPEs"], "CpeManage", { icon: "cpe" }),
    page("/sdwan-system/enrolment", ["开局审批", "Enrolment"], "Enrolment", {
      icon: "enrolment",
      may: "cpeActive",
    }),
    group("/sdwan-system/mobileTerminal", ["移动终端", "Mobile terminal"], { icon: "mobile" }, [
      page(
        "/sdwan-system/mobileTerminal/account",
        ["账号管理", "Account management"],
        "MobileAccount",
        { icon: "account" },
      ),
      page(
        "/sdwan-system/mobileTerminal/config",
        ["配置管理", "Config management"],
        "MobileConfig",
        { icon: "config", may: "clientConfig" },
      ),
    ]),
    ...siteHidden,
  ],
);
