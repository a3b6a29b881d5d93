import type { Views } from "./view.ts";

export const systemViews = {
  Blacklist: () => import("#features/blacklist/blacklist-page.tsx"),
  UserManage: () => import("#features/user/user-page.tsx"),
  RoleManage: () => import("#features/role/role-page.tsx"),
  ApiKey: () => import("#features/api-key/api-key-page.tsx"),
  ConfigList: () => import("#features/config-item/config-list-page.tsx"),
  OperaRecord: () => import("#features/record/opera-record-page.tsx"),
  LoginRecord: () => import("#features/record/login-record-page.tsx"),
} satisfies Views;
