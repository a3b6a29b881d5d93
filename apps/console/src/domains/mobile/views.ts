import { type FirstCallsByView, listCall, type Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  MobileAccount: () => import("./mobile-account/account-page.tsx"),
  EnterpriseAccounts: () => import("./mobile-account/enterprise-accounts-page.tsx"),
  MobileConfig: () => import("./client-config/client-config-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  MobileAccount: listCall("/customer/account/list"),
} satisfies FirstCallsByView;
