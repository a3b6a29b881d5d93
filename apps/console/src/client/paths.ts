import type { MenuPath } from "@weft/contract/menu.ts";
import { useEffect } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import { entrance } from "./entrance.ts";

/** Adds query parameters to a path; null ones are left out. */
export const withSearch = (
  path: string,
  params: Readonly<Record<string, string | number | null | undefined>>,
): string => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) query.set(key, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
};

type Value = string | number | null;

/** The address of a route of the menu: values for its placeholders (`:id`), the others as its query. */
const to = (route: MenuPath, values: Readonly<Record<string, Value>> = {}): string => {
  const rest = new Map(Object.entries(values));
  const path = route.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return String(value);
  });
  return withSearch(path, Object.fromEntries(rest));
};

/** The address of a tab below a route: its key is the last part. */
const toTab = (
  route: MenuPath,
  tab: string,
  values: Readonly<Record<string, Value>> = {},
): string => withSearch(`${route}/${tab}`, values);

/** Addresses of the screens (specification sections 2.3 and 2.4); one outside the menu does not compile. */
export const paths = {
  enterprise: (): string => to("/sdwan-system/enterprisemanage"),
  enterpriseReport: (groupid: number): string =>
    to("/sdwan-system/enterprisemanage/enterpriseTable/line", { groupid }),
  /** The page of an enterprise: one of its tabs. */
  enterprisePage: (groupid: number, tab = "overview"): string =>
    toTab("/sdwan-system/enterprisemanage/enterprise", tab, { groupid }),
  /** What the pages of all enterprises are below. */
  enterprisePages: (): string => to("/sdwan-system/enterprisemanage/enterprise"),
  companyAudit: (): string => to("/sdwan-system/enterprisemanage/companyAudit"),
  enterpriseInfo: (): string => to("/sdwan-system/enterprisemanage/enterpriseInfo"),
  rechargeRecord: (): string => to("/dealmanage/rechargerecord"),
  dealRecord: (): string => to("/dealmanage/dealrecord"),
  operaRecord: (): string => to("/system/recordmanage/operaRecord"),
  pop: (): string => to("/sdwan-system/pop"),
  popSet: (id: number): string => to("/sdwan-system/pop/popSet/:id", { id }),
  popDetail: (id: number): string => to("/sdwan-system/pop/popTable/detail", { id }),
  cpe: (): string => to("/sdwan-system/cpe"),
  cpeSet: (id: number): string => to("/sdwan-system/cpe/cpeSet/:id", { id }),
  cpeDetail: (id: number): string => to("/sdwan-system/cpe/cpeTable/detail", { id }),
  /** A tab of the page of a CPE or POP; `detail` and the settings have addresses of their own. */
  nodePage: (kind: "cpe" | "pop", id: number, tab: string): string =>
    toTab(kind === "cpe" ? "/sdwan-system/cpe/site" : "/sdwan-system/pop/site", tab, { id }),
  /** What the tabs of all these pages are below, and the reports beside them. */
  nodePages: (kind: "cpe" | "pop"): readonly [string, string] =>
    kind === "cpe"
      ? [to("/sdwan-system/cpe/site"), to("/sdwan-system/cpe/cpeTable")]
      : [to("/sdwan-system/pop/site"), to("/sdwan-system/pop/popTable")],
  /** A tab of a CPE's or POP's report or log, or of an account's report. */
  cpeReport: (id: number, tab: string): string => toTab("/sdwan-system/cpe/cpeTable", tab, { id }),
  popReport: (id: number, tab: string): string => toTab("/sdwan-system/pop/popTable", tab, { id }),
  cpeLogTab: (tab: string): string => toTab("/sdwan-system/cpe/cpeLog", tab),
  popLogTab: (tab: string): string => toTab("/sdwan-system/pop/popLog", tab),
  /** The log of a CPE or POP. */
  nodeLog: (kind: "cpe" | "pop", id: number): string =>
    to(kind === "cpe" ? "/sdwan-system/cpe/cpeLog/log" : "/sdwan-system/pop/popLog/log", { id }),
  lineReport: (id: number): string => to("/sdwan-system/cpe/line/lineTable", { id }),
  account: (): string => to("/sdwan-system/mobileTerminal/account"),
  accountReport: (id: number): string => to("/sdwan-system/mobileTerminal/table/detail", { id }),
  warningPolicy: (): string => to("/devopsmonitor/warningpolicy"),
  alarms: (): string => to("/devopsmonitor/alarm"),
  topology: (): string => to("/devopsmonitor/topology"),
  linkMonitor: (): string => to("/devopsmonitor/linkMonitor"),
  /** What the pages of all links are below. */
  linkPages: (): string => to("/devopsmonitor/linkMonitor/linkTable"),
  linkReport: (id: number): string => to("/devopsmonitor/linkMonitor/linkTable/detail", { id }),
  cpeNeighbor: (id: number): string => to("/sdwan-system/cpe/cpeNeighbor/:id", { id }),
  enrolment: (): string => to("/sdwan-system/enrolment"),
  netSpace: (): string => to("/business-system/overlay/space"),
  links: (): string => to("/business-system/overlay/linkManage"),
  circuits: (): string => to("/business-system/circuitmanage"),
  circuitReport: (id: number): string =>
    to("/business-system/circuitmanage/circuitTable/line", { id }),
  circuitReportAll: (): string => to("/business-system/circuitmanage/circuitAllTable/line"),
  circuitReportEnterprise: (groupid: number | null): string =>
    to("/business-system/circuitmanage/circuitEnterTable/line", { groupid }),
  cug: (groupid: number | null = null): string => to("/business-system/cug", { groupid }),
  /** IP or URL groups of enterprises; those of a name. */
  objectGroups: (kind: "ip" | "url" = "ip", name: string | null = null): string =>
    to("/business-system/objectgroup", { tab: kind === "url" ? "url" : null, name }),
  /** Acceleration profiles, or the groups of one kind. */
  acceleration: (kind?: string): string =>
    kind === undefined
      ? to("/business-system/saasquickly")
      : toTab("/business-system/saasquickly", kind),
  segmentRoute: (): string => to("/business-system/underlay/segmentRoute"),
  segmentRouteEdit: (id: number): string =>
    to("/business-system/underlay/segmentRoute/routeEdit", { id }),
  cloud: (): string => to("/business-system/vbrNode/vbrNode"),
  template: (): string => to("/business/template"),
  /** The configuration of a template, or one of its sections ("wan"). */
  templateSection: (templateId: number, section = "add"): string =>
    toTab("/business/template", section, { templateId }),
  login: (): string => entrance.login,
  userInfo: (): string => to("/user/info"),
  userMessage: (): string => to("/user/message"),
  user: (): string => to("/system/usermanage"),
  role: (): string => to("/system/rolemanage"),
  screen: (): string => to("/screen"),
};

/** A positive whole number out of the path (`:id`) or the query (`?id=`); null: none. */
export const useNumberParam = (name: string): number | null => {
  const params = useParams();
  const [search] = useSearchParams();
  const text = params[name] ?? search.get(name) ?? "";
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
};

/** Queries that lists had last, by path: "back" returns to what one saw. */
const lastSearch = new Map<string, string>();

/** Remembers the query of a list while it is on screen. */
export const useRememberedSearch = (isOn: boolean): void => {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (isOn) lastSearch.set(pathname, search);
  }, [isOn, pathname, search]);
};

/** The address of a list with the filters it had last. */
export const useBackTo = (path: string): string => `${path}${lastSearch.get(path) ?? ""}`;

/** Forgets the state of lists: the next session starts without it. */
export const forgetSearches = (): void => lastSearch.clear();
