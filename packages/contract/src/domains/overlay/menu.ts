/** The screens of the overlay in the menu. `#contract/menu.ts` says where. */
import { defineMenu, group, hidden, hiddenGroup, page } from "#kernel/menu.ts";

export const underlay = group(
  "/business-system/underlay",
  ["Underlay", "Underlay"],
  { icon: "underlay" },
  [
    page(
      "/business-system/underlay/segmentRoute",
      ["分段路由", "Underlay segment route"],
      "SegmentRoute",
      { icon: "segment" },
    ),
  ],
);

export const overlay = group(
  "/business-system/overlay",
  ["Overlay", "Overlay"],
  { icon: "overlay" },
  [
    page("/business-system/overlay/space", ["网络空间", "Network space"], "NetSpace", {
      icon: "space",
    }),
    page("/business-system/overlay/linkManage", ["链路管理", "Link management"], "LinkManage", {
      icon: "link",
    }),
    page("/business-system/overlay/trafficClass", ["SLA 等级", "SLA classes"], "TrafficClass", {
      icon: "pulse",
    }),
  ],
);

export const routeNotice = page(
  "/business-system/routernotice",
  ["路由通告", "Route notice"],
  "RouteNotice",
  {
    icon: "notice",
  },
);

export const circuitManage = page(
  "/business-system/circuitmanage",
  ["线路管理", "Circuit management"],
  "CircuitManage",
  {
    icon: "circuit",
  },
);

export const clouds = group(
  "/business-system/vbrNode",
  ["跨云组网", "Cross-cloud networking"],
  { icon: "cloud" },
  [
    page("/business-system/vbrNode/vbrNode", ["跨云组网", "Cross-cloud networking"], "VbrNode", {
      icon: "cloud",
    }),
  ],
);

export const routesAndCircuitsHidden = defineMenu([
  hidden(
    "/business-system/underlay/segmentRoute/routeEdit",
    ["编辑分段路由", "Edit segment route"],
    "SegmentRouteEdit",
  ),
  hiddenGroup(
    "/business-system/circuitmanage/circuitTable",
    ["线路报表", "Circuit report"],
    [
      hidden(
        "/business-system/circuitmanage/circuitTable/line",
        ["线路报表", "Circuit report"],
        "CircuitTableLine",
      ),
    ],
  ),
  hiddenGroup(
    "/business-system/circuitmanage/circuitAllTable",
    ["全部线路报表", "All circuits report"],
    [
      hidden(
        "/business-system/circuitmanage/circuitAllTable/line",
        ["全部线路报表", "All circuits report"],
        "CircuitAllTableLine",
      ),
    ],
  ),
  hiddenGroup(
    "/business-system/circuitmanage/circuitEnterTable",
    ["企业线路报表", "Enterprise circuits report"],
    [
      hidden(
        "/business-system/circuitmanage/circuitEnterTable/line",
        ["企业线路报表", "Enterprise circuits report"],
        "CircuitEnterTableLine",
      ),
    ],
  ),
]);

export const cug = hidden("/business-system/cug", ["CUG 管理", "CUG"], "Cug");

export const topology = page("/devopsmonitor/topology", ["拓扑", "Topology"], "Topology", {
  icon: "topology",
});

export const linkMonitor = page(
  "/devopsmonitor/linkMonitor",
  ["链路监控", "Link monitor"],
  "LinkMonitor",
  {
    icon: "pulse",
  },
);
