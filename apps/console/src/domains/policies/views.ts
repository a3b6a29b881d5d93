import { type FirstCallsByView, type Load, listCall, type Views } from "#kernel/view.ts";
import type { PolicySectionKey } from "./parts/policy/sections.ts";

const groups = () => import("./saas-group/saas-group-page.tsx");

/** A section of the template's policy objects. */
const policySection =
  (key: PolicySectionKey): Load =>
  () =>
    import("./policy/section-page.tsx").then(({ sectionPage }) => ({
      default: sectionPage(key),
    }));

/** Screens of this domain, by the view key of the menu. */
export const views = {
  SaasDomain: () => groups().then((all) => ({ default: all.DomainGroupPage })),
  SaasDpi: () => groups().then((all) => ({ default: all.DpiGroupPage })),
  SaasIp: () => groups().then((all) => ({ default: all.IpGroupPage })),
  SaasApp: () => groups().then((all) => ({ default: all.AppGroupPage })),
  SaasQuickly: () => import("./xwan-speed/xwan-speed-page.tsx"),
  TemplateInterface: policySection("interface"),
  TemplateWan: policySection("wan"),
  TemplateLan: policySection("lan"),
  TemplateDns: policySection("dns"),
  TemplateIpGroup: policySection("ipGroup"),
  TemplateUrlGroup: policySection("urlGroup"),
  TemplateTimeGroup: policySection("timeGroup"),
  TemplateBgp: policySection("bgp"),
  TemplateOspf: policySection("ospf"),
  TemplatePolicyRoute: policySection("policyRoute"),
  TemplatePortMapping: policySection("portMapping"),
  TemplateBandwidthPolicy: policySection("bandwidthPolicy"),
  TemplateBandwidthTunnel: policySection("bandwidthTunnel"),
  TemplateConnectionControl: policySection("connectionControl"),
  TemplateCustomPolicy: policySection("customPolicy"),
  Blacklist: () => import("./blacklist/blacklist-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  SaasDomain: listCall("/customer/saasGroup/domain/list"),
  SaasDpi: listCall("/customer/saasGroup/dpi/list"),
  SaasIp: listCall("/customer/saasGroup/ip/list"),
  SaasApp: listCall("/customer/saasGroup/app/list"),
  SaasQuickly: listCall("/customer/xwanSpeed/list"),
  Blacklist: listCall("/customer/blacklist/list"),
} satisfies FirstCallsByView;
