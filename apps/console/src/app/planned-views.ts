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
const pops = "/sdwan-system/pop";
const links = "/business-system/overlay/linkManage";

const ofLog = (what: Message): Planned => ({ what });
const ofCpe = (what: Message): Planned => ({ what, there: [cpes] });
const ofPop = (what: Message): Planned => ({ what, there: [pops] });
const ofTemplate = (zh: string, en: string): Planned => ({
  what: [`模板中的${zh}，随模板下发到 CPE`, `${en} of a template, issued to CPEs with it`],
});

const cpeLogs: Some = {
  CpeLogLog: ofLog(["一台 CPE 的流日志", "The flow log of one CPE"]),
  CpeLogAppRank: ofLog([
    "一台 CPE 上流量最多的应用",
    "The applications with most traffic on one CPE",
  ]),
  CpeLogUserRank: ofLog(["一台 CPE 上流量最多的用户", "The users with most traffic on one CPE"]),
  CpeLogAppAlarmRank: ofLog([
    "一台 CPE 上告警最多的应用",
    "The applications with most alarms on one CPE",
  ]),
  CpeLogUrlAlarmRank: ofLog([
    "一台 CPE 上告警最多的网址",
    "The web addresses with most alarms on one CPE",
  ]),
  CpeLogUrlVisitLog: ofLog([
    "一台 CPE 后面的网址访问记录",
    "The web addresses visited behind one CPE",
  ]),
  CpeLogLineLog: ofLog(["一台 CPE 各线路的变化", "What happened to the lines of one CPE"]),
  CpeLogCon: ofLog(["一台 CPE 的连接记录", "The connections of one CPE"]),
  CpeLogSession: ofLog(["一台 CPE 的会话记录", "The sessions of one CPE"]),
  CpeLogs: ofLog(["所有 CPE 的流日志", "The flow logs of all CPEs"]),
};

const popLogs: Some = {
  PopLogLog: ofLog(["一个 POP 的流日志", "The flow log of one POP"]),
  PopLogAppRank: ofLog([
    "一个 POP 上流量最多的应用",
    "The applications with most traffic on one POP",
  ]),
  PopLogUserRank: ofLog(["一个 POP 上流量最多的用户", "The users with most traffic on one POP"]),
  PopLogAppAlarmRank: ofLog([
    "一个 POP 上告警最多的应用",
    "The applications with most alarms on one POP",
  ]),
  PopLogUrlAlarmRank: ofLog([
    "一个 POP 上告警最多的网址",
    "The web addresses with most alarms on one POP",
  ]),
  PopLogUrlVisitLog: ofLog([
    "经过一个 POP 的网址访问记录",
    "The web addresses visited through one POP",
  ]),
  PopLogLineLog: ofLog(["一个 POP 各线路的变化", "What happened to the lines of one POP"]),
  PopLogCon: ofLog(["一个 POP 的连接记录", "The connections of one POP"]),
  PopLogs: ofLog(["所有 POP 的流日志", "The flow logs of all POPs"]),
};

const sites: Some = {
  CpeTableFlow: ofCpe([
    "一台 CPE 的流量报表；今天它的曲线在 CPE 详情页",
    "The traffic of one CPE over time; its charts are on the CPE's details today",
  ]),
  CpeTablePerformance: ofCpe([
    "一台 CPE 的时延、抖动、丢包和负载报表；今天它们在 CPE 详情页",
    "Latency, jitter, loss and load of one CPE over time; today they are on the CPE's details",
  ]),
  CpeTableLine: ofCpe([
    "一台 CPE 各线路的报表；今天线路在 CPE 详情页",
    "The lines of one CPE over time; today they are on the CPE's details",
  ]),
  CpeTable4G: ofCpe(["一台 CPE 的 4G 信号和用量", "The 4G signal and usage of one CPE"]),
  CpeTableArmFlow: ofCpe(["一台 ARM 设备的流量报表", "The traffic of an ARM box over time"]),
  CpeTableArmPerformance: ofCpe(["一台 ARM 设备的性能报表", "The load of an ARM box over time"]),
  CpeLineTable: ofCpe(["一条线路的报表", "One line over time"]),
  CpeNeighbor: ofCpe([
    "一台 CPE 的邻居；今天它的链路在 CPE 详情页",
    "The neighbours of one CPE; today its links are on its details",
  ]),
  DialTask: ofCpe([
    "从 CPE 定时拨测地址的任务",
    "Tasks that test addresses from CPEs on a schedule",
  ]),
  PopTableLine: ofPop([
    "一个 POP 各线路的报表；今天线路在 POP 详情页",
    "The lines of one POP over time; today they are on the POP's details",
  ]),
  PopTableInterface: ofPop(["一个 POP 各接口的报表", "The interfaces of one POP over time"]),
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
  MobileAccount: { what: ["软终端的账号、带宽和到期时间", "Accounts of soft terminals"] },
  MobileConfig: { what: ["软终端的配置", "Settings of soft terminals"] },
  MobileTableDetail: { what: ["一个软终端的详情", "One soft terminal"] },
  MobileTableFlow: { what: ["一个软终端的流量报表", "The traffic of one soft terminal"] },
  MobileTablePerformance: {
    what: ["一个软终端的性能报表", "The performance of one soft terminal"],
  },
  MobileTableJournal: { what: ["一个软终端的日志", "The journal of one soft terminal"] },
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
  WarningPolicy: {
    what: ["何时告警、告诉谁", "When to raise an alarm, and whom to tell"],
    there: [cpes],
  },
  LinkMonitor: {
    what: ["每条链路此刻的质量", "The quality of each link at this moment"],
    there: [links],
  },
  LinkTableDetail: { what: ["一条链路的详情", "One link"], there: [links] },
  LinkTableTable: { what: ["一条链路的报表", "One link over time"], there: [links] },
  ConfigList: { what: ["安装的系统设置", "Settings of the installation"] },
  Blacklist: { what: ["不得登录的地址和账号", "Addresses and accounts that may not log in"] },
  DealRecord: { what: ["企业的交易记录", "Transactions of enterprises"] },
  RechargeRecord: { what: ["企业的充值记录", "Recharges of enterprises"] },
  StationMessage: { what: ["发给您的站内消息", "Messages to you in the console"] },
  MessageReceiveManage: { what: ["谁接收哪些消息", "Who receives which messages"] },
  ParamConfig: { what: ["企业的参数", "Parameters of the enterprise"] },
};

/** Every view that is marked as planned among the views. */
export const plannedViews: Some = {
  ...cpeLogs,
  ...popLogs,
  ...sites,
  ...templates,
  ...others,
};
