/** The screens of router templates in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, hidden } from "#kernel/menu.ts";

export const templateManage = granted(
  "/business-system/templatemanage",
  ["模板管理", "Template management"],
  "RouterTemplate",
  [0, 1, 2],
  {
    icon: "template",
  },
);

/** A template and its sections, which are policies of the template. */
export const templateScreens = defineMenu([
  hidden("/business/template", ["路由模板", "Router templates"], "RouterTemplate", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/:param", ["模板策略", "Template section"], "TemplateSection", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/add", ["模板配置", "Template configuration"], "TemplateAdd", {
    may: "routerTemplateEdit",
  }),
  hidden("/business/template/interface", ["接口模板", "Interface"], "TemplateInterface", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/wan", ["WAN 模板", "WAN"], "TemplateWan", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/lan", ["LAN 模板", "LAN"], "TemplateLan", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/dns", ["DNS 模板", "DNS"], "TemplateDns", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/ipGroup", ["IP 组", "IP group"], "TemplateIpGroup", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/urlGroup", ["URL 组", "URL group"], "TemplateUrlGroup", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/timeGroup", ["时间组", "Time group"], "TemplateTimeGroup", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/bgp", ["BGP", "BGP"], "TemplateBgp", { may: "routerTemplateView" }),
  hidden("/business/template/ospf", ["OSPF", "OSPF"], "TemplateOspf", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/policyRoute", ["策略路由", "Policy routing"], "TemplatePolicyRoute", {
    may: "routerTemplateView",
  }),
  hidden("/business/template/portMapping", ["端口映射", "Port mapping"], "TemplatePortMapping", {
    may: "routerTemplateView",
  }),
  hidden(
    "/business/template/bandwidthPolicy",
    ["带宽策略", "Bandwidth policy"],
    "TemplateBandwidthPolicy",
    { may: "routerTemplateView" },
  ),
  hidden(
    "/business/template/bandwidthTunnel",
    ["带宽通道", "Bandwidth tunnel"],
    "TemplateBandwidthTunnel",
    { may: "routerTemplateView" },
  ),
  hidden(
    "/business/template/connectionControl",
    ["连接数控制", "Connection-number control"],
    "TemplateConnectionControl",
    { may: "routerTemplateView" },
  ),
  hidden(
    "/business/template/customPolicy",
    ["自定义策略", "Custom policy"],
    "TemplateCustomPolicy",
    { may: "routerTemplateView" },
  ),
]);
