/** Screens of the business of enterprises, of monitoring and of people, with what is typed there. */
import { password } from "#e2e/people.ts";
import { addRule, keepKey } from "./hand.ts";
import type { Form } from "./screens.ts";

const operator = "运营中心";
const retail = "蓝海零售";

export const businessForms: readonly Form[] = [
  {
    proves: "users",
    path: "/system/usermanage",
    add: "Add user",
    fill: {
      "Login name": "cruduser",
      Name: "Tester",
      Password: "Crud-7391-x",
      "Your password": password,
    },
    edit: { Name: "Tester-2" },
    shows: "cruduser",
  },
  {
    proves: "company audit",
    path: "/sdwan-system/enterprisemanage/companyAudit",
    add: "Submit documents",
    fill: { Company: "crud-company", Enterprise: retail, "Credit code": "91330100MA27X0001E" },
  },
  {
    proves: "POP strategies",
    path: "/sdwan-system/pop?tab=strategies",
    add: "Add strategy",
    fill: { Name: "crud-strategy", POPs: "上海-01", Enterprise: operator },
  },
  {
    proves: "POP groups",
    path: "/sdwan-system/pop?tab=groups",
    add: "Add group",
    fill: { Name: "crud-group", "POP strategy": "crud-ways", POPs: "上海-01" },
  },
  {
    proves: "lines of POPs",
    path: "/sdwan-system/pop/popSet/:pop?section=lines",
    add: "Add WAN link",
    fill: { Name: "crud-popline", Addressing: "DHCP", Slot: "wan4", Interface: "wan4" },
  },
  {
    proves: "circuits",
    path: "/business-system/circuitmanage",
    add: "Add circuit",
    fill: {
      Name: "crud-circuit",
      Enterprise: retail,
      "One end": "杭州总部",
      "Other end": "上海-01",
    },
  },
  {
    proves: "IP groups of enterprises",
    path: "/business-system/objectgroup",
    add: "Add IP group",
    fill: { Name: "crud-offices", Enterprise: retail, Members: "10.234.0.0/16" },
    edit: { Members: "10.234.0.0/17" },
    shows: "10.234.0.0/17",
    search: "crud-offices",
    made: "crud-offices",
  },
  {
    proves: "URL groups of enterprises",
    path: "/business-system/objectgroup?tab=url",
    add: "Add URL group",
    fill: { Name: "crud-portals", Enterprise: retail, Members: "*.crud.example.com" },
  },
  {
    proves: "acceleration by domain",
    path: "/business-system/saasquickly/domain",
    add: "Add group",
    fill: { Name: "crud-domains", Enterprise: operator, Members: "crud.example.com" },
  },
  {
    proves: "acceleration by protocol",
    path: "/business-system/saasquickly/dpi",
    add: "Add group",
    fill: { Name: "crud-dpi", Enterprise: operator, Members: "SIP" },
  },
  {
    proves: "acceleration by address",
    path: "/business-system/saasquickly/ip",
    add: "Add group",
    fill: { Name: "crud-nets", Enterprise: operator, Members: "203.0.113.0/24" },
  },
  {
    proves: "acceleration by application",
    path: "/business-system/saasquickly/app",
    add: "Add group",
    fill: { Name: "crud-apps", Enterprise: operator, Members: ["Slack", "Zoom"] },
    made: "Slack, Zoom",
    search: "crud-apps",
    edit: { Members: ["Dropbox"] },
    shows: "Slack, Zoom, Dropbox",
  },
  {
    proves: "acceleration profiles",
    path: "/business-system/saasquickly",
    add: "Add profile",
    fill: { Name: "crud-speed", Enterprise: operator },
  },
  {
    proves: "route notices",
    path: "/business-system/routernotice",
    add: "Add notice",
    fill: { Network: "10.231.0.0/16", CPE: "杭州总部" },
    edit: { Network: "10.232.0.0/16" },
  },
  {
    proves: "cross-cloud nodes",
    path: "/business-system/vbrNode/vbrNode",
    add: "Add cloud node",
    fill: {
      Name: "crud-cloud",
      Enterprise: operator,
      POP: "上海-01",
      VLAN: "77",
      "Address of the POP": "169.254.77.1",
      "Address of the cloud": "169.254.77.2",
    },
  },
  {
    proves: "maintenance windows",
    path: "/devopsmonitor/alarmwindow",
    add: "Add window",
    fill: {
      Reason: "crud-window",
      Enterprise: retail,
      CPEs: "杭州总部",
      From: "2030-01-01 00:00:00",
      To: "2030-01-01 04:00:00",
    },
  },
  {
    proves: "B-1-19",
    path: "/devopsmonitor/warningpolicy",
    add: "Add policy",
    fill: {
      Name: "crud-alarms",
      Enterprise: operator,
      CPEs: ["杭州总部", "宁波门店-01"],
      POPs: ["上海-01"],
      Recipients: ["值班组", "网络主管"],
    },
    next: addRule,
    edit: { Name: "crud-alarms-2", POPs: ["北京-01"] },
    shows: "crud-alarms-2",
  },
  {
    proves: "segment routes",
    path: "/business-system/underlay/segmentRoute",
    add: "Add segment route",
    fill: {
      Name: "crud-segment",
      Enterprise: retail,
      "From CPE": "杭州总部",
      Destination: "10.233.0.0/16",
      "POPs in order": ["上海-01", "广州-01"],
      Metric: "20",
    },
    made: "上海-01 › 广州-01",
    search: "crud-segment",
    edit: { "POPs in order": ["北京-01"], Enabled: false },
    shows: "上海-01 › 广州-01 › 北京-01",
    editScreen: "/business-system/underlay/segmentRoute/routeEdit",
  },
  {
    proves: "API keys",
    path: "/system/apikey",
    add: "Add API key",
    fill: { Name: "crud-key", Role: "报表只读", "Your password": password },
    next: keepKey,
    edit: { Name: "crud-key-2", Remark: "for the crawl" },
    texts: { remove: "Revoke" },
  },
  {
    proves: "webhooks",
    path: "/system/webhook",
    add: "Add webhook",
    fill: {
      Name: "crud-hook",
      Address: "https://192.0.2.30/hook",
      Events: ["Alarm opened"],
      "Signing secret": "crud-secret-of-the-crawl",
    },
    edit: { Name: "crud-hook-2", Events: ["Alarm ended"] },
  },
  {
    proves: "links",
    path: "/business-system/overlay/linkManage",
    add: "Add link",
    // The space links lines of one carrier: these two only an operator links.
    fill: {
      "Network space": "零售生产网",
      "One end": "杭州门店-01",
      "WAN link of that end": "wan1",
      "Other end": "上海-01",
      "WAN link of the other end": "wan2",
    },
    texts: { save: "Add" },
    search: "杭州门店-01",
    // No other one leads from a line of one carrier to a line of the other: who made it is inside the row at this width.
    made: "wan1 电信上海-01wan2 联通",
    // It comes up while the crawl reads: a press on a row that moves is lost.
    expects: "Up",
    edit: { Preference: "700", "Link enabled": false },
    shows: "Disabled",
  },
];

/** Values that always exist: one is changed, is there after a reload, and is put back. */
export interface Settings {
  readonly path: string;
  /** The card or row whose button opens the form; a form on the page itself by default. */
  readonly of?: string;
  readonly label: string;
  readonly value: string;
}

export const settings: readonly Settings[] = [
  { path: "/personalcenter/paramconfig", label: "Days before the end", value: "47" },
  { path: "/business-system/overlay/trafficClass", label: "Bulk DSCP", value: "CS1, 11" },
  { path: "/sdwan-system/mobileTerminal/config", label: "DNS server", value: "192.0.2.53" },
  {
    path: "/sdwan-system/enterprisemanage/enterpriseInfo",
    of: "Address and contact",
    label: "Contact",
    value: "Zhao Min",
  },
  {
    path: "/business/template/interface?templateId=:template",
    of: "wan1",
    label: "Tunnel MTU",
    value: "1380",
  },
];
