/** The screens of the overlay in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, group, hidden, hiddenGroup } from "#kernel/menu.ts";

export const underlay = group(
  "/business-system/underlay",
  ["Underlay", "Underlay"],
  { icon: "underlay" },
  [
    granted(
      "/business-system/underlay/segmentRoute",
      ["分段路由", "Underlay segment route"],
      "SegmentRoute",
      [0, 1],
      { icon: "segment" },
    ),
  ],
);

export const overlay = group(
  "/business-system/overlay",
  ["Overlay", "Overlay"],
  { icon: "overlay" },
  [
    granted(
      "/business-system/overlay/space",
      ["网络空间", "Network space"],
      "NetSpace",
      [0, 1, 2],
      {
        icon: "space",
      },
    ),
    granted(
      "/business-system/overlay/linkManage",
      ["链路管理", "Link management"],
      "LinkManage",
      [0, 1],
      {
        icon: "link",
      },
    ),
    granted(
      "/business-system/overlay/trafficClass",
      ["SLA 等级", "SLA classes"],
      "TrafficClass",
      [0, 1, 2],
      {
        icon: "pulse",
      },
    ),
  ],
);

export const routeNotice = granted(
  "/business-system/routernotice",
  ["路由通告", "Route notice"],
  "RouteNotice",
  [0, 1, 2],
  {
    icon: "notice",
  },
);

export const circuitManage = granted(
  "/business-system/circuitmanage",
  ["线路管理", "Circuit management"],
  "CircuitManage",
  // An enterprise sees the circuits that it bought; adding and editing them have codes of their own.
  [0, 1, 2],
  {
    icon: "circuit",
  },
);

export const clouds = group(
  "/business-system/vbrNode",
  ["跨云组网", "Cross-cloud networking"],
  { icon: "cloud" },
  [
    granted(
      "/business-system/vbrNode/vbrNode",
      ["跨云组网", "Cross-cloud networking"],
      "VbrNode",
      [0, 1],
      {
        icon: "cloud",
      },
    ),
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

export const cug = granted("/business-system/cug", ["CUG 管理", "CUG"], "Cug", [0, 1], {
  hide: true,
});

export const topology = granted(
  "/devopsmonitor/topology",
  ["拓扑", "Topology"],
  "Topology",
  [0, 1, 2],
  {
    icon: "topology",
  },
);

export const linkMonitor = granted(
  "/devopsmonitor/linkMonitor",
  ["链路监控", "Link monitor"],
  "LinkMonitor",
  [0, 1, 2],
  {
    icon: "pulse",
  },
);
