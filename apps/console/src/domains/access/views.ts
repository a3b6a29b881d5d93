import { type FirstCallsByView, type Load, listCall, type Views } from "#kernel/view.ts";

// A tab of the page of a site, and of a POP.
const siteChanges: Load = () => import("./record/site-changes-page.tsx");

/** Screens of this domain, by the view key of the menu. */
export const views = {
  UserManage: () => import("./user/user-page.tsx"),
  RoleManage: () => import("./role/role-page.tsx"),
  ApiKey: () => import("./api-key/api-key-page.tsx"),
  IdentityProvider: () => import("./identity-provider/identity-provider-page.tsx"),
  OperaRecord: () => import("./record/opera-record-page.tsx"),
  EnterpriseChanges: () => import("./record/enterprise-changes-page.tsx"),
  SiteChanges: siteChanges,
  PopChanges: siteChanges,
  LoginRecord: () => import("./record/login-record-page.tsx"),
  UserInfo: () => import("./session/profile-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  UserManage: listCall("/customer/user/list"),
  RoleManage: listCall("/customer/role/list"),
  ApiKey: listCall("/customer/apiKey/list"),
  IdentityProvider: listCall("/customer/identityProvider/list"),
  UserInfo: () => ["/customer/user/info", "/customer/factor/list", "/customer/user/sessions"],
} satisfies FirstCallsByView;
