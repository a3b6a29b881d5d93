import { planned, type Views } from "./view.ts";

export const templateViews = {
  Blank: planned,
  RouterTemplate: () => import("#features/router-template/router-template-page.tsx"),
  TemplateSection: () => import("#features/router-template/template-section-page.tsx"),
  TemplateAdd: () => import("#features/router-template/template-add-page.tsx"),
  TemplateInterface: planned,
  TemplateWan: planned,
  TemplateLan: planned,
  TemplateDns: planned,
  TemplateIpGroup: planned,
  TemplateUrlGroup: planned,
  TemplateTimeGroup: planned,
  TemplateBgp: planned,
  TemplateOspf: planned,
  TemplatePolicyRoute: planned,
  TemplatePortMapping: planned,
  TemplateBandwidthPolicy: planned,
  TemplateBandwidthTunnel: planned,
  TemplateConnectionControl: planned,
  TemplateCustomPolicy: planned,
  Workplace: () => import("#features/workplace/workplace-page.tsx"),
} satisfies Views;
