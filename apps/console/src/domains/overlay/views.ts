import { type FirstCallsByView, listCall, type Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  SegmentRouteEdit: () => import("./segment-route/segment-edit-page.tsx"),
  CircuitTableLine: () => import("./circuit/circuit-table-page.tsx"),
  CircuitAllTableLine: () => import("./circuit/circuit-all-table-page.tsx"),
  CircuitEnterTableLine: () => import("./circuit/circuit-enter-table-page.tsx"),
  Cug: () => import("./cug/cug-page.tsx"),
  SegmentRoute: () => import("./segment-route/segment-route-page.tsx"),
  NetSpace: () => import("./net-space/net-space-page.tsx"),
  LinkManage: () => import("./link/link-page.tsx"),
  RouteNotice: () => import("./route-notice/route-notice-page.tsx"),
  CircuitManage: () => import("./circuit/circuit-page.tsx"),
  VbrNode: () => import("./vbr-node/vbr-node-page.tsx"),
  Topology: () => import("./topology/topology-page.tsx"),
  TrafficClass: () => import("./traffic-class/traffic-class-page.tsx"),
  LinkMonitor: () => import("./link/link-monitor-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  Cug: listCall("/customer/cug/list"),
  SegmentRoute: listCall("/customer/segmentRoute/list"),
  NetSpace: listCall("/customer/netSpace/list"),
  LinkManage: listCall("/customer/link/list"),
  RouteNotice: listCall("/customer/routeNotice/list"),
  CircuitManage: listCall("/customer/xwanCircuit/list"),
  VbrNode: listCall("/customer/vbrNode/list"),
  LinkMonitor: listCall("/customer/link/list", { worst: "1" }),
} satisfies FirstCallsByView;
