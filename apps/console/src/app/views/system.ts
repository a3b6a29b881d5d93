import type { Views } from "./view.ts";

export const systemViews = {
  Blacklist: () => import("#domains/policies/blacklist/blacklist-page.tsx"),
  UserManage: () => import("#domains/access/user/user-page.tsx"),
  RoleManage: () => import("#domains/access/role/role-page.tsx"),
  ApiKey: () => import("#domains/access/api-key/api-key-page.tsx"),
  ConfigList: () => import("#domains/enterprises/config-item/config-list-page.tsx"),
  OperaRecord: () => import("#domains/access/record/opera-record-page.tsx"),
  LoginRecord: () => import("#domains/access/record/login-record-page.tsx"),
} satisfies Views;
