import type { Views } from "./view.ts";

const groups = () => import("#features/acceleration/saas-group-page.tsx");

export const businessViews = {
  SegmentRouteEdit: () => import("#features/segment-route/segment-edit-page.tsx"),
  CircuitTableLine: () => import("#features/circuit/circuit-table-page.tsx"),
  CircuitAllTableLine: () => import("#features/circuit/circuit-all-table-page.tsx"),
  CircuitEnterTableLine: () => import("#features/circuit/circuit-enter-table-page.tsx"),
  SaasDomain: () => groups().then((all) => ({ default: all.DomainGroupPage })),
  SaasDpi: () => groups().then((all) => ({ default: all.DpiGroupPage })),
  SaasIp: () => groups().then((all) => ({ default: all.IpGroupPage })),
  SaasApp: () => groups().then((all) => ({ default: all.AppGroupPage })),
  Cug: () => import("#features/cug/cug-page.tsx"),
  SegmentRoute: () => import("#features/segment-route/segment-route-page.tsx"),
  NetSpace: () => import("#features/net-space/net-space-page.tsx"),
  LinkManage: () => import("#features/link/link-page.tsx"),
  RouteNotice: () => import("#features/route-notice/route-notice-page.tsx"),
  RouterTemplate: () => import("#features/router-template/router-template-page.tsx"),
  SaasQuickly: () => import("#features/acceleration/speed-page.tsx"),
  CircuitManage: () => import("#features/circuit/circuit-page.tsx"),
  VbrNode: () => import("#features/cloud/cloud-page.tsx"),
} satisfies Views;
