import type { PolicySectionKey } from "#domains/policies/parts/policy/sections.ts";
import { type FirstCallsByView, type Load, listCall, type Views } from "#kernel/view.ts";

/** A section of the template's policy objects. */
const policySection =
  (key: PolicySectionKey): Load =>
  () =>
    import("./router-template/policy-section-page.tsx").then(({ sectionPage }) => ({
      default: sectionPage(key),
    }));

/** Screens of this domain, by the view key of the menu. */
export const views = {
  RouterTemplate: () => import("./router-template/router-template-page.tsx"),
  TemplateSection: () => import("./router-template/template-section-page.tsx"),
  TemplateAdd: () => import("./router-template/template-add-page.tsx"),
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
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  RouterTemplate: listCall("/customer/routerTemplate/list", {}, "size"),
} satisfies FirstCallsByView;
