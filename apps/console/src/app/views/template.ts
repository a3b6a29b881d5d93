import type { PolicySectionKey } from "#domains/policies/parts/policy/sections.ts";
import type { Load, Views } from "./view.ts";

/** A section of the template's policy objects. */
const policySection =
  (key: PolicySectionKey): Load =>
  () =>
    import("#domains/policies/policy/section-page.tsx").then(({ sectionPage }) => ({
      default: sectionPage(key),
    }));

export const templateViews = {
  Blank: () => import("#app/blank-page.tsx").then((page) => ({ default: page.BlankPage })),
  Screen: () => import("#domains/monitoring/screen/screen-page.tsx"),
  RouterTemplate: () => import("#domains/templates/router-template/router-template-page.tsx"),
  TemplateSection: () => import("#domains/templates/router-template/template-section-page.tsx"),
  TemplateAdd: () => import("#domains/templates/router-template/template-add-page.tsx"),
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
  Workplace: () => import("#domains/monitoring/workplace/workplace-page.tsx"),
} satisfies Views;
