import { defineMenu, group, hidden, hiddenGroup, page } from "./node.ts";

/** Screens that are no entries of the menu (section 2.4). */
const monitorHidden = defineMenu([
  hiddenGroup(
    "/devopsmonitor/linkMonitor/linkTable",
    ["链路报表", "Link report"],
    [
      hidden(
        "/devopsmonitor/linkMonitor/linkTable/detail",
        ["链路详情", "Details"],
        "LinkTableDetail",
      ),
      hidden(
        "/devopsmonitor/linkMonitor/linkTable/table",
        ["链路报表", "Report"],
        "LinkTableTable",
      ),
    ],
  ),
]);

/** Operations monitoring (section 2.3). */
export const monitorMenu = group(
  "/devopsmonitor",
  ["运维监控", "Operations monitoring"],
  { icon: "monitor", redirect: "/devopsmonitor/warningpolicy" },
  [
    page("/devopsmonitor/topology", ["拓扑", "Topology"], "Topology", { icon: "topology" }),
    page("/devopsmonitor/warningpolicy", ["告警策略", "Warning policy"], "WarningPolicy", {
      icon: "alarm",
      may: "alarmStrategyView",
    }),
    page("/devopsmonitor/linkMonitor", ["链路监控", "Link monitor"], "LinkMonitor", {
      icon: "pulse",
    }),
    group("/devopsmonitor/logs", ["日志", "Logs"], { icon: "record" }, [
      page("/devopsmonitor/logs/cpe", ["CPE 日志", "CPE logs"], "CpeLogs", { icon: "record" }),
      page("/devopsmonitor/logs/pop", ["POP 日志", "POP logs"], "PopLogs", { icon: "record" }),
    ]),
    ...monitorHidden,
  ],
);
