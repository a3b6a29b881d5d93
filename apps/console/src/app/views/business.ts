import type { Views } from "./view.ts";

const groups = () => import("#domains/policies/acceleration/saas-group-page.tsx");

export const businessViews = {
  SegmentRouteEdit: () => import("#domains/overlay/segment-route/segment-edit-page.tsx"),
  CircuitTableLine: () => import("#domains/overlay/circuit/circuit-table-page.tsx"),
  CircuitAllTableLine: () => import("#domains/overlay/circuit/circuit-all-table-page.tsx"),
  CircuitEnterTableLine: () => import("#domains/overlay/circuit/circuit-enter-table-page.tsx"),
  SaasDomain: () => groups().then((all) => ({ default: all.DomainGroupPage })),
  SaasDpi: () => groups().then((all) => ({ default: all.DpiGroupPage })),
  SaasIp: () => groups().then((all) => ({ default: all.IpGroupPage })),
  SaasApp: () => groups().then((all) => ({ default: all.AppGroupPage })),
  Cug: () => import("#domains/overlay/cug/cug-page.tsx"),
  SegmentRoute: () => import("#domains/overlay/segment-route/segment-route-page.tsx"),
  NetSpace: () => import("#domains/overlay/net-space/net-space-page.tsx"),
  LinkManage: () => import("#domains/overlay/link/link-page.tsx"),
  RouteNotice: () => import("#domains/overlay/route-notice/route-notice-page.tsx"),
  RouterTemplate: () => import("#domains/templates/router-template/router-template-page.tsx"),
  SaasQuickly: () => import("#domains/policies/acceleration/speed-page.tsx"),
  CircuitManage: () => import("#domains/overlay/circuit/circuit-page.tsx"),
  VbrNode: () => import("#domains/overlay/cloud/cloud-page.tsx"),
} satisfies Views;
