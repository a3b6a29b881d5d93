import { planned, type Views } from "./view.ts";

export const templateViews = {
  Blank: planned,
  RouterTemplate: planned,
  TemplateSection: planned,
  TemplateAdd: planned,
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
  Workplace: planned,
} satisfies Views;
