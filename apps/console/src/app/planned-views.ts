import type { Message } from "@weft/contract/kernel/message.ts";
import type { ViewName } from "@weft/contract/menu.ts";

/** A screen that is still to be built: what it will be, and where what there is of it stands. */
export interface Planned {
  readonly what: Message;
  /** Paths of screens that show part of it today. */
  readonly there?: readonly string[];
}

type Some = Readonly<Partial<Record<ViewName, Planned>>>;

const cpes = "/sdwan-system/cpe";
const links = "/business-system/overlay/linkManage";

const ofCpe = (what: Message): Planned => ({ what, there: [cpes] });
const ofTemplate = (zh: string, en: string): Planned => ({
  what: [`模板中的${zh}，随模板下发到 CPE`, `${en} of a template, issued to CPEs with it`],
});

const sites: Some = {
  CpeNeighbor: ofCpe([
    "一台 CPE 的邻居；今天它的链路在 CPE 详情页",
    "The neighbours of one CPE; today its links are on its details",
  ]),
  DialTask: ofCpe([
    "从 CPE 定时拨测地址的任务",
    "Tasks that test addresses from CPEs on a schedule",
  ]),
  EnterpriseTableLine: {
    what: ["一个企业所有线路的报表", "All lines of one enterprise over time"],
    there: ["/sdwan-system/enterprisemanage"],
  },
  EnterpriseInfo: {
    what: ["一个企业的资料", "The particulars of one enterprise"],
    there: ["/sdwan-system/enterprisemanage"],
  },
  CompanyAudit: {
    what: ["待审核的企业资料", "Particulars of enterprises that wait for approval"],
    there: ["/sdwan-system/enterprisemanage"],
  },
};

const templates: Some = {
  TemplateSection: { what: ["模板的一个部分", "One section of a template"] },
  TemplateAdd: { what: ["一个模板的全部部分", "All sections of one template"] },
  TemplateInterface: ofTemplate("接口", "The interfaces"),
  TemplateWan: ofTemplate("线路", "The lines"),
  TemplateLan: ofTemplate("LAN 网段", "The LAN sections"),
  TemplateDns: ofTemplate("DNS 规则", "The DNS rules"),
  TemplateIpGroup: ofTemplate("地址组", "The address groups"),
  TemplateUrlGroup: ofTemplate("网址组", "The groups of web addresses"),
  TemplateTimeGroup: ofTemplate("时间组", "The time groups"),
  TemplateBgp: ofTemplate(" BGP 设置", "The BGP settings"),
  TemplateOspf: ofTemplate(" OSPF 设置", "The OSPF settings"),
  TemplatePolicyRoute: ofTemplate("策略路由", "The policy routes"),
  TemplatePortMapping: ofTemplate("端口映射", "The port mappings"),
  TemplateBandwidthPolicy: ofTemplate("带宽策略", "The bandwidth policies"),
  TemplateBandwidthTunnel: ofTemplate("带宽通道", "The bandwidth tunnels"),
  TemplateConnectionControl: ofTemplate("连接数控制", "The limits on connections"),
  TemplateCustomPolicy: ofTemplate("自定义策略", "The custom policies"),
};

const others: Some = {
  Workplace: {
    what: ["按角色显示的待办和数字", "What needs attention, and figures, by role"],
    there: [cpes],
  },
  LinkMonitor: {
    what: ["每条链路此刻的质量", "The quality of each link at this moment"],
    there: [links],
  },
  ConfigList: { what: ["安装的系统设置", "Settings of the installation"] },
  Blacklist: { what: ["不得登录的地址和账号", "Addresses and accounts that may not log in"] },
  DealRecord: { what: ["企业的交易记录", "Transactions of enterprises"] },
  RechargeRecord: { what: ["企业的充值记录", "Recharges of enterprises"] },
  StationMessage: { what: ["发给您的站内消息", "Messages to you in the console"] },
  ParamConfig: { what: ["企业的参数", "Parameters of the enterprise"] },
};

/** Every view that is marked as planned among the views. */
export const plannedViews: Some = {
  ...sites,
  ...templates,
  ...others,
};
