import type { ViewName } from "@weft/contract/menu.ts";
import type { ComponentType } from "react";

type Load = () => Promise<{ default: ComponentType }>;

/** Screen of each view word of the menu; loaded when somebody goes there. */
const views: Readonly<Record<ViewName, Load>> = {
  EnterpriseManage: () => import("#features/enterprise/enterprise-page.tsx"),
  PopManage: () => import("#features/pop/pop-page.tsx"),
  PopSet: () => import("#features/pop/pop-set-page.tsx"),
  PopTableDetail: () => import("#features/pop/pop-detail-page.tsx"),
  CpeManage: () => import("#features/cpe/cpe-page.tsx"),
  CpeSet: () => import("#features/cpe/cpe-set-page.tsx"),
  CpeTableDetail: () => import("#features/cpe/cpe-detail-page.tsx"),
  Enrolment: () => import("#features/enrolment/enrolment-page.tsx"),
  NetSpace: () => import("#features/net-space/net-space-page.tsx"),
  LinkManage: () => import("#features/link/link-page.tsx"),
  UserManage: () => import("#features/user/user-page.tsx"),
  RoleManage: () => import("#features/role/role-page.tsx"),
  ApiKey: () => import("#features/api-key/api-key-page.tsx"),
  OperaRecord: () => import("#features/record/opera-record-page.tsx"),
  LoginRecord: () => import("#features/record/login-record-page.tsx"),
};

/** The loader of a word that the server sent; undefined for one that this console does not know. */
export const viewOf = (name: string): Load | undefined =>
  Object.hasOwn(views, name) ? views[name as ViewName] : undefined;
