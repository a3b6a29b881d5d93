import { type FirstCallsByView, listCall, type Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  EnterpriseInfo: () => import("./enterprise-info/enterprise-info-page.tsx"),
  CompanyAudit: () => import("./company-audit/company-audit-page.tsx"),
  EnterpriseManage: () => import("./enterprise/enterprise-page.tsx"),
  EnterpriseCustomers: () => import("./enterprise/enterprise-customers-page.tsx"),
  ConfigList: () => import("./config-item/config-list-page.tsx"),
  DealRecord: () => import("./ledger/deal-record-page.tsx"),
  RechargeRecord: () => import("./ledger/recharge-record-page.tsx"),
  ParamConfig: () => import("./param-config/param-config-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  EnterpriseManage: (search) => [
    ...listCall("/customer/enterprise/list")(search),
    "/customer/enterprise/treeList",
  ],
  CompanyAudit: listCall("/customer/comAudit/list"),
  ConfigList: listCall("/customer/configList/list"),
} satisfies FirstCallsByView;
