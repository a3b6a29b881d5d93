import { enterpriseByGroupId } from "@weft/contract/domains/enterprises/enterprise.ts";
import {
  type EnterpriseHealth,
  enterpriseOverview,
} from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import { grantedMenus } from "@weft/contract/grants.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import {
  enterpriseSentence,
  enterpriseState,
  useGroupTexts,
} from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import EnterpriseOverviewPage from "./enterprise-overview-page.tsx";

const noTones = { bad: 0, warn: 0, run: 0, unknown: 0, ok: 0, off: 0 };
const bad: EnterpriseHealth = {
  tone: "bad",
  reason: "bad",
  state: "offline",
  count: 3,
  of: 40,
  since: new Date("2026-11-25T10:39:00Z"),
  site: { id: 7, name: "上海-03" },
};
const overview: OutputOf<typeof enterpriseOverview> = {
  groupid: 1,
  name: "蓝海零售",
  isAgent: false,
  health: bad,
  tones: { ...noTones, bad: 3, ok: 37 },
  customerTones: noTones,
  customers: 0,
  sites: [
    {
      id: 7,
      name: "上海-03",
      groupid: 1,
      enterpriseName: "蓝海零售",
      lastOnline: null,
      health: "offline",
      healthSince: bad.since,
      healthDetail: {},
    },
  ],
  causes: [],
  causeCount: 0,
  alarms: [{ level: 1, open: 2, waiting: 1 }],
  has: { cpe: 40, pop: 0, account: 0, user: 2, circuit: 1, netSpace: 1 },
  expiring: [{ kind: "account", id: 5, name: "王芳", expireTime: new Date("2020-01-01") }],
};
const record: OutputOf<typeof enterpriseByGroupId> = {
  groupid: 1,
  name: "蓝海零售",
  enterpriseType: 0,
  parentId: null,
  parentName: null,
  isAgent: false,
  regions: ["浙江省"],
  provice: "浙江省",
  city: "",
  region: "",
  contact: "王芳",
  phone: "13800000001",
  email: null,
  passwordPolicy: "spec",
  businessType: null,
  endTime: null,
  cpeLimit: 40,
  accountLimit: null,
  creditLimit: 0,
  balance: 12,
  isPush: false,
  nodeConfig: "",
  strategyType: 0,
  popStrategyId: null,
  popStrategyName: null,
  checkServerData: [],
  enable: true,
  cpeCount: 40,
  cpeUse: 40,
  accountUse: null,
  fromAbove: true,
  remark: "",
  createTime: new Date(0),
  updateTime: new Date(0),
  createBy: null,
};

const rendered = (
  of: Partial<typeof overview> = {},
  authorities: Parameters<typeof renderForTest>[1] = [],
): string =>
  renderForTest(<EnterpriseOverviewPage />, authorities, [
    known(enterpriseOverview, { groupid: 1 }, { ...overview, ...of }),
    known(enterpriseByGroupId, { groupid: 1 }, record),
  ]).replaceAll("<!-- -->", "");

describe("the page of an enterprise", () => {
  it("shows the problem first, names the worst site and links to it", () => {
    const html = rendered();
    expect(html.indexOf("40 个站点中 3 个异常，最严重：上海-03 离线")).toBeGreaterThan(0);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain("/sdwan-system/cpe/cpeTable/detail?id=7");
    for (const text of ["1 条未确认", "王芳", "13800000001"]) expect(html).toContain(text);
  });

  it("has no tab that it cannot fill", () => {
    const tabs = (html: string) =>
      [...html.matchAll(/enterprise\/(\w+)\?groupid=1" data-discover="true"[^>]*>[^<]+<\/a>/g)].map(
        ([, tab]) => tab,
      );
    const bare = rendered({}, grantedMenus);
    for (const tab of ["customers", "accounts"]) expect(tabs(bare)).not.toContain(tab);
    const seller = rendered(
      { customers: 2, has: { ...overview.has, account: 1, cpe: 0 } },
      grantedMenus,
    );
    for (const tab of ["customers", "accounts"]) expect(tabs(seller)).toContain(tab);
    expect(tabs(bare)).toContain("traffic");
    expect(tabs(seller)).not.toContain("traffic");
  });

  it("has no tab whose screen its reader's roles do not give", () => {
    const tabs = (authorities: Parameters<typeof rendered>[1]) => {
      const nav = /的页面".*?<\/nav>/s.exec(rendered({}, authorities))?.[0] ?? "";
      return [...nav.matchAll(/enterprise\/(\w+)\?groupid=1/g)].map(([, tab]) => tab);
    };
    const entry = "/sdwan-system/enterprisemanage";
    const alone = tabs([entry]);
    for (const tab of ["sites", "changes"]) expect(alone).not.toContain(tab);
    expect(alone).toContain("spaces");
    const more = tabs([entry, "/sdwan-system/cpe", "/system/recordmanage/operaRecord"]);
    for (const tab of ["sites", "changes"]) expect(more).toContain(tab);
  });

  it("shows limits and money to those who may see them alone", () => {
    expect(rendered()).not.toContain("40 / 40");
    expect(rendered({}, ["enterpriseBillingPerm"])).toContain("40 / 40");
  });
});

function Shown({ health }: { readonly health: EnterpriseHealth }) {
  const t = useGroupTexts();
  return `${enterpriseState(health, t).label} ${enterpriseSentence(health, t)}`;
}

it.each<[Partial<EnterpriseHealth>, string]>([
  [{ reason: "well", tone: "ok", count: 40, site: null }, "正常 40 个站点全部正常"],
  [{ reason: "well", tone: "ok", count: 38 }, "正常 40 个站点中 38 个正常，其余未投入使用"],
  [{ reason: "empty", tone: "unknown", of: 0 }, "没有站点 还没有站点"],
])("health %j is shown as %s", (health, text) => {
  expect(renderForTest(<Shown health={{ ...bad, ...health }} />, [])).toContain(text);
});
