import { planned, type Views } from "./view.ts";

export const businessViews = {
  SegmentRouteEdit: planned,
  CircuitTableLine: planned,
  CircuitAllTableLine: planned,
  CircuitEnterTableLine: planned,
  SaasDomain: planned,
  SaasDpi: planned,
  SaasIp: planned,
  SaasApp: planned,
  Cug: planned,
  SegmentRoute: planned,
  NetSpace: () => import("#features/net-space/net-space-page.tsx"),
  LinkManage: () => import("#features/link/link-page.tsx"),
  RouteNotice: planned,
  RouterTemplate: () => import("#features/router-template/router-template-page.tsx"),
  SaasQuickly: planned,
  CircuitManage: planned,
  VbrNode: planned,
} satisfies Views;
