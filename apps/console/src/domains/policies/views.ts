import { type FirstCallsByView, listCall, type Views } from "#kernel/view.ts";

const groups = () => import("./saas-group/saas-group-page.tsx");

/** Screens of this domain, by the view key of the menu. */
export const views = {
  EnterpriseGroups: () => import("./enterprise-groups/enterprise-groups-page.tsx"),
  SaasDomain: () => groups().then((all) => ({ default: all.DomainGroupPage })),
  SaasDpi: () => groups().then((all) => ({ default: all.DpiGroupPage })),
  SaasIp: () => groups().then((all) => ({ default: all.IpGroupPage })),
  SaasApp: () => groups().then((all) => ({ default: all.AppGroupPage })),
  SaasQuickly: () => import("./xwan-speed/xwan-speed-page.tsx"),
  Blacklist: () => import("./blacklist/blacklist-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  EnterpriseGroups: (search) => {
    const { tab, ...filters } = Object.fromEntries(search);
    const path = tab === "url" ? "/customer/urlgroup/list" : "/customer/ipgroup/list";
    return listCall(path)(new URLSearchParams(filters));
  },
  SaasDomain: listCall("/customer/saasGroup/domain/list"),
  SaasDpi: listCall("/customer/saasGroup/dpi/list"),
  SaasIp: listCall("/customer/saasGroup/ip/list"),
  SaasApp: listCall("/customer/saasGroup/app/list"),
  SaasQuickly: listCall("/customer/xwanSpeed/list"),
  Blacklist: listCall("/customer/blacklist/list"),
} satisfies FirstCallsByView;
