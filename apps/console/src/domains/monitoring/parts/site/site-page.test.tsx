import type { siteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { describe, expect, it, test } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import { SiteTabs } from "#domains/devices/parts/site/site-tabs.tsx";
import { sitePath, tabsOf } from "#domains/devices/parts/site/tabs.ts";
import { IsItUs } from "./is-it-us.tsx";
import { Timeline } from "./timeline.tsx";

type Overview = OutputOf<typeof siteOverview>;

const start = new Date("2026-11-26T00:00:00Z");
const end = new Date("2026-11-26T01:00:00Z");
const noon = new Date("2026-11-26T00:30:00Z");
const overview: Overview = {
  node: {
    id: 7,
    kind: "cpe",
    name: "南通码头",
    sn: "S",
    groupid: 1,
    enterpriseName: "远山制造",
    linkStatus: 1,
    lastOnline: end,
    enrolment: "approved",
    desiredSerial: 1,
    runningSerial: 1,
    linksUp: 1,
    links: 1,
    health: "poor",
    healthSince: noon,
    healthDetail: {
      count: 1,
      of: 1,
      name: "wan1",
      excess: { metric: "loss", value: 8, limit: 1 },
    },
  },
  state: {
    id: 7,
    online: true,
    version: "1",
    lastOnline: end,
    configVisible: true,
    compiling: false,
    uncompiled: null,
    desired: null,
    confirmed: null,
    findings: [],
    runningSerial: 1,
    blocked: null,
    heldAt: null,
    driftPolicy: "heal",
    driftSteps: 0,
    drift: null,
    capabilities: [],
    lines: [],
  },
  from: start,
  step: 1_800,
  linkCount: 1,
  hasFlows: false,
  contact: [{ from: start, to: end, state: "up" }],
  lines: [
    {
      slot: 1,
      name: "电信",
      interfaceName: "wan1",
      isp: "中国电信",
      stretches: [{ from: start, to: end, state: "up" }],
    },
  ],
  links: [
    {
      id: 3,
      slot: 1,
      spaceName: "骨干",
      up: true,
      loss: 8,
      delay: 40,
      jitter: 2,
      excess: { metric: "loss", value: 8, limit: 1, since: noon },
      peer: { id: 9, kind: "pop", name: "上海-01", slot: 2 },
      stretches: [{ from: start, to: end, state: "up" }],
      quality: { loss: [0, 8], delay: [20, 40], jitter: [1, 2] },
    },
  ],
  marks: [
    {
      kind: "change",
      id: 31,
      from: noon,
      to: null,
      level: null,
      outcome: null,
      text: ["admin 修改 WAN 链路 电信", "admin edited WAN link 电信"],
    },
    {
      kind: "alarm",
      id: 12,
      from: noon,
      to: null,
      level: 3,
      outcome: null,
      text: ["南通码头 - 上海-01 丢包率 8 %", "南通码头 - 上海-01 Loss 8 %"],
    },
  ],
  beside: [
    { kind: "carrier", isp: "中国电信", pop: null, links: 60, bad: 0 },
    { kind: "pop", isp: null, pop: { id: 9, name: "上海-01" }, links: 20, bad: 2 },
  ],
};

const text = (html: string): string => html.replaceAll("<!-- -->", "").replaceAll("&amp;", "&");

describe("the tabs of a site", () => {
  const tabs = (of: Partial<Overview>, may = true) =>
    tabsOf({ ...overview, ...of }, "overview", may).join(" ");
  it("are those that it can fill", () => {
    expect(tabs({})).toBe("overview paths traffic configuration changes logs");
    expect(tabs({ hasFlows: true })).toContain("applications");
    // Not known is not "none".
    expect(tabs({ hasFlows: null })).toContain("applications");
    expect(tabs({ linkCount: 0 })).not.toContain("paths");
    expect(tabs({}, false)).not.toContain("configuration");
    const unseen = { ...overview.node, lastOnline: null };
    expect(tabs({ node: unseen, linkCount: 0 })).toBe("overview configuration changes");
  });

  it("keep the open one, and are fewer for a POP that another runs", () => {
    expect(tabsOf({ ...overview, linkCount: 0 }, "paths", false)).toContain("paths");
    const shared = { ...overview.state, configVisible: false };
    expect(tabs({ state: shared, node: { ...overview.node, kind: "pop" }, hasFlows: true })).toBe(
      "overview paths traffic logs",
    );
  });

  it("leave out the changes where the role does not give the operation log", () => {
    const shown = (...authorities: Parameters<typeof renderForTest>[1]) =>
      renderForTest(<SiteTabs overview={overview} tab="overview" />, authorities);
    expect(shown("/sdwan-system/cpe")).toContain(">路径<");
    expect(shown("/sdwan-system/cpe")).not.toContain(">变更<");
    expect(shown("/sdwan-system/cpe", "/system/recordmanage/operaRecord")).toContain(">变更<");
  });

  it("keep the range", () => {
    expect(sitePath(overview.node, "overview", { range: "7d" })).toBe(
      "/sdwan-system/cpe/cpeTable/detail?id=7&range=7d",
    );
    expect(sitePath(overview.node, "configuration", { range: "7d" })).toBe(
      "/sdwan-system/cpe/cpeSet/7?range=7d",
    );
    const html = renderForTest(<SiteTabs overview={overview} tab="changes" />, []);
    expect(html.match(/aria-current="page"[^>]*>([^<]+)</)?.[1]).toBe("变更");
  });
});

test("who else has the trouble is counted, with the list of exactly these links", () => {
  const html = text(renderForTest(<IsItUs overview={overview} />, []));
  expect(html).toContain("中国电信，其他站点：60 条链路，0 条异常");
  expect(html).toContain("上海-01，其他站点：20 条链路，2 条异常");
  expect(html).toContain("linkMonitor?nodeId=9&besideId=7&trouble=1");
  expect(html).toMatch(/linkMonitor\?isp=[^"&]+&besideId=7"/);
  expect(html).toContain("疑似本站问题");
  expect(renderForTest(<IsItUs overview={{ ...overview, beside: [] }} />, [])).toBe("");
});

test("the axis names what happened, and leads to it in full", () => {
  const range = { startTime: start, endTime: end };
  const picked = {
    key: "1h",
    range,
    pick: () => undefined,
    renewOr: () => () => undefined,
  } as const;
  const html = text(renderForTest(<Timeline overview={overview} picked={picked} />, []));
  for (const shown of ["告警", "变更", "下发", "与控制器联系", "wan1 电信", "上海-01 wan2"]) {
    expect(html).toContain(shown);
  }
  // Nothing moved: there is no row for it.
  expect(html).not.toContain("切换");
  expect(html).toMatch(/cpe\/site\/changes\?id=7&range=[^"]+&open=record-31/);
  expect(html).toContain("/devopsmonitor/alarm?all=1&ids=12");
  expect(html).toContain("上海-01 wan2：差或中断 30 分钟");
});
