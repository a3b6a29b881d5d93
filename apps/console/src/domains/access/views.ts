import type { Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  UserManage: () => import("./user/user-page.tsx"),
  RoleManage: () => import("./role/role-page.tsx"),
  ApiKey: () => import("./api-key/api-key-page.tsx"),
  OperaRecord: () => import("./record/opera-record-page.tsx"),
  LoginRecord: () => import("./record/login-record-page.tsx"),
  UserInfo: () => import("./session/profile-page.tsx"),
} satisfies Views;
