import { planned, type Views } from "./view.ts";

export const businessViews = {
  SegmentRouteEdit: planned,
  CircuitTableLine: () => import("#features/circuit/circuit-table-page.tsx"),
  CircuitAllTableLine: () => import("#features/circuit/circuit-all-table-page.tsx"),
  CircuitEnterTableLine: () => import("#features/circuit/circuit-enter-table-page.tsx"),
  SaasDomain: planned,
  SaasDpi: planned,
  SaasIp: planned,
  SaasApp: planned,
  Cug: () => import("#features/cug/cug-page.tsx"),
  SegmentRoute: planned,
  NetSpace: () => import("#features/net-space/net-space-page.tsx"),
  LinkManage: () => import("#features/link/link-page.tsx"),
  RouteNotice: planned,
  RouterTemplate: () => import("#features/router-template/router-template-page.tsx"),
  SaasQuickly: planned,
  CircuitManage: () => import("#features/circuit/circuit-page.tsx"),
  VbrNode: planned,
} satisfies Views;
