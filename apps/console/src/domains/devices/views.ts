import type { Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  CpeSet: () => import("./cpe/cpe-set-page.tsx"),
  CpeTableDetail: () => import("./cpe/cpe-detail-page.tsx"),
  CpeNeighbor: () => import("./cpe/cpe-neighbor-page.tsx"),
  PopSet: () => import("./pop/pop-set-page.tsx"),
  PopTableDetail: () => import("./pop/pop-detail-page.tsx"),
  DialTask: () => import("./dial-task/dial-task-page.tsx"),
  PopManage: () => import("./pop/pop-page.tsx"),
  CpeManage: () => import("./cpe/cpe-page.tsx"),
  EnterpriseSites: () => import("./cpe/enterprise-sites-page.tsx"),
  Enrolment: () => import("./enrolment/enrolment-page.tsx"),
} satisfies Views;
