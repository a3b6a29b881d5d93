/**
 * The built-in tree of section 2.3 and the hidden routes of 2.4 (spec/routes.json): the specification's
 * areas, with the screens of the domains in them. The server filters it by what a session may see.
 */
import * as access from "#domains/access/menu.ts";
import * as devices from "#domains/devices/menu.ts";
import * as enterprises from "#domains/enterprises/menu.ts";
import * as mobile from "#domains/mobile/menu.ts";
import * as monitoring from "#domains/monitoring/menu.ts";
import * as notifications from "#domains/notifications/menu.ts";
import * as overlay from "#domains/overlay/menu.ts";
import * as policies from "#domains/policies/menu.ts";
import * as templates from "#domains/templates/menu.ts";
import {
  defineMenu,
  type GrantedPathOf,
  group,
  hidden,
  type PathOf,
  type ViewOf,
} from "#kernel/menu.ts";

const site = group(
  "/sdwan-system",
  ["站点管理", "Site management"],
  { icon: "site", redirect: "/sdwan-system/cpe" },
  [
    ...enterprises.enterpriseScreens,
    ...devices.nodes,
    mobile.mobileTerminal,
    devices.cpeSet,
    ...monitoring.cpeReports,
    monitoring.sitePage,
    ...devices.neighborsAndPopSet,
    ...monitoring.popReports,
    monitoring.popPage,
    ...monitoring.otherReports,
    monitoring.enterprisePage,
    devices.dialTask,
    ...enterprises.enterpriseHidden,
  ],
);

const business = group(
  "/business-system",
  ["业务管理", "Business management"],
  { icon: "business", redirect: "/business-system/templatemanage" },
  [
    overlay.underlay,
    overlay.overlay,
    overlay.routeNotice,
    templates.templateManage,
    policies.objectGroups,
    policies.saasQuickly,
    overlay.circuitManage,
    overlay.clouds,
    ...overlay.routesAndCircuitsHidden,
    ...policies.saasGroups,
    overlay.cug,
  ],
);

const monitor = group(
  "/devopsmonitor",
  ["运维监控", "Operations monitoring"],
  { icon: "monitor", redirect: "/devopsmonitor/warningpolicy" },
  [
    overlay.topology,
    notifications.alarms,
    notifications.warningPolicy,
    notifications.alarmWindows,
    overlay.linkMonitor,
    monitoring.logs,
    monitoring.linkReport,
  ],
);

const system = group("/system", ["系统管理", "System"], { icon: "system" }, [
  ...access.usersAndRoles,
  notifications.webhooks,
  enterprises.configList,
  access.records,
  policies.blacklist,
  monitoring.installation,
]);

const deal = group("/dealmanage", ["交易管理", "Transactions"], { icon: "deal" }, [
  ...enterprises.transactions,
]);

const personal = group("/personalcenter", ["个人中心", "Personal centre"], { icon: "person" }, [
  ...notifications.messages,
  enterprises.paramConfig,
]);

/** The pages for what went wrong, and the empty one. */
const exceptions = defineMenu([
  hidden("/exception/403", ["无权访问", "No access"], "Exception403"),
  hidden("/exception/404", ["页面不存在", "Page not found"], "Exception404"),
  hidden("/exception/500", ["服务器错误", "Server error"], "Exception500"),
  hidden("/blank", ["空白页", "Blank"], "Blank"),
]);

export const menu = defineMenu([
  monitoring.workplace,
  site,
  business,
  monitor,
  system,
  deal,
  personal,
  access.userInfo,
  notifications.userMessage,
  monitoring.screen,
  ...exceptions,
  ...templates.templateScreens,
]);

/** Every view key of the tree: the console's table of views is checked against it. */
export type ViewName = ViewOf<(typeof menu)[number]>;

/** Every path of the tree: an address in the console that is none of them does not compile. */
export type MenuPath = PathOf<(typeof menu)[number]>;

/** Paths of the entries that roles grant. */
export type GrantedMenu = GrantedPathOf<(typeof menu)[number]>;
