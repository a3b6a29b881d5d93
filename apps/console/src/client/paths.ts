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

const system = "/sdwan-system";

/** Addresses of the screens (specification sections 2.3 and 2.4). */
export const paths = {
  enterprise: (): string => `${system}/enterprisemanage`,
  enterpriseReport: (groupid: number): string =>
    withSearch(`${system}/enterprisemanage/enterpriseTable/line`, { groupid }),
  companyAudit: (): string => `${system}/enterprisemanage/companyAudit`,
  enterpriseInfo: (): string => `${system}/enterprisemanage/enterpriseInfo`,
  rechargeRecord: (): string => "/dealmanage/rechargerecord",
  dealRecord: (): string => "/dealmanage/dealrecord",
  operaRecord: (): string => "/system/recordmanage/operaRecord",
  pop: (): string => `${system}/pop`,
  popSet: (id: number): string => `${system}/pop/popSet/${id}`,
  popDetail: (id: number): string => withSearch(`${system}/pop/popTable/detail`, { id }),
  cpe: (): string => `${system}/cpe`,
  cpeSet: (id: number): string => `${system}/cpe/cpeSet/${id}`,
  cpeDetail: (id: number): string => withSearch(`${system}/cpe/cpeTable/detail`, { id }),
  /** A tab of a CPE's or POP's report or log, or of an account's report. */
  cpeReport: (id: number, tab: string): string =>
    withSearch(`${system}/cpe/cpeTable/${tab}`, { id }),
  popReport: (id: number, tab: string): string =>
    withSearch(`${system}/pop/popTable/${tab}`, { id }),
  cpeLogTab: (tab: string): string => `${system}/cpe/cpeLog/${tab}`,
  popLogTab: (tab: string): string => `${system}/pop/popLog/${tab}`,
  /** The log of a CPE or POP. */
  nodeLog: (kind: "cpe" | "pop", id: number): string =>
    withSearch(`${system}/${kind}/${kind}Log/log`, { id }),
  lineReport: (id: number): string => withSearch(`${system}/cpe/line/lineTable`, { id }),
  account: (): string => `${system}/mobileTerminal/account`,
  accountReport: (id: number): string =>
    withSearch(`${system}/mobileTerminal/table/detail`, { id }),
  linkReport: (id: number): string =>
    withSearch("/devopsmonitor/linkMonitor/linkTable/detail", { id }),
  cpeNeighbor: (id: number): string => `${system}/cpe/cpeNeighbor/${id}`,
  enrolment: (): string => `${system}/enrolment`,
  netSpace: (): string => "/business-system/overlay/space",
  links: (): string => "/business-system/overlay/linkManage",
  circuits: (): string => "/business-system/circuitmanage",
  circuitReport: (id: number): string =>
    withSearch("/business-system/circuitmanage/circuitTable/line", { id }),
  circuitReportAll: (): string => "/business-system/circuitmanage/circuitAllTable/line",
  circuitReportEnterprise: (groupid: number | null): string =>
    withSearch("/business-system/circuitmanage/circuitEnterTable/line", { groupid }),
  cug: (groupid: number | null = null): string => withSearch("/business-system/cug", { groupid }),
  /** Acceleration profiles, or the groups of one kind. */
  acceleration: (kind?: string): string =>
    kind === undefined ? "/business-system/saasquickly" : `/business-system/saasquickly/${kind}`,
  segmentRoute: (): string => "/business-system/underlay/segmentRoute",
  segmentRouteEdit: (id: number): string =>
    withSearch("/business-system/underlay/segmentRoute/routeEdit", { id }),
  cloud: (): string => "/business-system/vbrNode/vbrNode",
  template: (): string => "/business/template",
  /** The configuration of a template, or one of its sections ("wan"). */
  templateSection: (templateId: number, section = "add"): string =>
    withSearch(`/business/template/${section}`, { templateId }),
  login: (): string => entrance.login,
  userInfo: (): string => "/user/info",
  userMessage: (): string => "/user/message",
  user: (): string => "/system/usermanage",
  role: (): string => "/system/rolemanage",
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

/** Forgets what lists had: the next session begins again. */
export const forgetSearches = (): void => lastSearch.clear();
