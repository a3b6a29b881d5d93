import { beginning } from "@weft/contract/domains/monitoring/beginning.ts";
import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import {
  causeExtent,
  causeSentence,
  evidencePath,
  useCauseTexts,
} from "#domains/notifications/parts/cause/cause.ts";
import type { Beginning } from "./beginning-card.tsx";
import { HeatMap } from "./heat-map.tsx";
import type { Workplace } from "./messages.ts";
import WorkplacePage, { Now } from "./workplace-page.tsx";

const noTones = { bad: 0, warn: 0, run: 0, unknown: 0, ok: 0, off: 0 };
const site = { id: 7, kind: "cpe", name: "上海-03", enterpriseName: "甲" } as const;
const carrier: RootCause = {
  kind: "carrier",
  tone: "warn",
  state: null,
  detail: {},
  popId: 9,
  popName: "南京",
  isp: "电信",
  sites: 7,
  enterprises: 3,
  links: 12,
  loss: 3.5,
  named: [site],
  since: new Date("2026-11-25T10:39:00Z"),
};
const nowhere = { popId: null, popName: "", isp: "", links: 0, loss: null } as const;
const node: RootCause = {
  ...carrier,
  ...nowhere,
  kind: "node",
  tone: "bad",
  state: "cutOff",
  detail: { of: 2 },
  sites: 1,
  enterprises: 1,
};

const empty: Workplace = {
  counts: {
    enterprise: 1,
    cpe: 0,
    cpeOnline: 0,
    cpeUnseen: 0,
    cpeTones: noTones,
    pop: 0,
    popOnline: 0,
    popTones: noTones,
    link: 0,
    linkUp: 0,
    netSpace: 0,
  },
  traffic: [],
  causes: [],
  causeCount: 0,
  heat: { pops: [], carriers: [], cells: [] },
  alarms: ([1, 2, 3, 4] as const).map((level) => ({ level, open: 0, waiting: 0 })),
  expiring: [],
  tasks: { waiting: 0, pulled: 0, failed: 0 },
  rollouts: [],
  changes: [],
  changeCount: 0,
  customers: [],
  balance: 0,
  creditLimit: 0,
};
const heat: Workplace["heat"] = {
  pops: [
    { id: 9, name: "南京" },
    { id: 8, name: "上海" },
  ],
  carriers: ["电信", ""],
  cells: [
    { popId: 9, isp: "电信", sites: 12, down: 0, poor: 7, loss: 3.5 },
    { popId: 8, isp: "", sites: 4, down: 1, poor: 0, loss: null },
  ],
};
const running: Workplace = {
  ...empty,
  counts: { ...empty.counts, cpe: 40, netSpace: 1, cpeTones: { ...noTones, bad: 1, ok: 39 } },
  causes: [carrier, node],
  causeCount: 2,
  heat,
  alarms: empty.alarms.map((alarm) =>
    alarm.level === 1 ? { ...alarm, open: 3, waiting: 2 } : alarm,
  ),
  rollouts: [
    {
      templateId: 5,
      name: "分支标准",
      version: 4,
      state: "halted",
      wave: 2,
      waves: 3,
      done: 11,
      cpes: 40,
    },
  ],
};

const any = { popId: null, isp: null };
const site7 = { id: 7, name: "上海-03" };
const page = (
  data: Workplace,
  authorities: Parameters<typeof renderForTest>[1] = [],
  at?: Beginning,
): string =>
  renderForTest(<WorkplacePage />, authorities, [
    known(workplace, any, data),
    ...(at ? [known(beginning, {}, at)] : []),
  ]);

describe("the overview", () => {
  it("lists problems by root cause with extent, sites and evidence", () => {
    const html = page(running);
    expect(html).toContain("电信 到 POP 南京 的链路质量差");
    expect(html).toContain("3 家企业的 7 个站点");
    expect(html).toContain("丢包率最高 3.5%");
    expect(html).toContain("等 6 个");
    expect(html).toContain("/devopsmonitor/linkMonitor?nodeId=9");
    expect(html).toContain("上海-03：链路全断。2 条链路全部中断");
    expect(html).toContain("第 2/3 批暂停");
  });
  it("leads everyone from a severity to its open alarms: their list needs no permission", () => {
    expect(page(running)).toContain("/devopsmonitor/alarm?active=1&amp;level=1");
  });
  it("of an empty installation is what to do first, for those who may, and what happened so far", () => {
    const at: Beginning = {
      done: ["pop", "site"],
      waiting: 2,
      pop: { id: 9, name: "南京" },
      site: site7,
    };
    const html = page(empty, ["popAdd", "cpeAdd", "cpeActive", "enterpriseAdd"], at);
    expect(html).toContain("开始使用");
    expect(html).toContain("已完成 2/4");
    // The next step says what it needs, and who waits.
    expect(html).toMatch(
      /aria-current="step".*下一步.*\/sdwan-system\/pop\/popTable\/detail\?id=9/,
    );
    expect(html).toContain("2 台设备等待批准");
    expect(html).toContain("可选");
    expect(html).not.toContain("加入网络空间");
    expect(html).not.toContain("当前问题");
  });
  it("hides the first steps once the first site is up", () => {
    const over: Beginning = { done: ["pop", "packet"], waiting: 0, pop: null, site: site7 };
    expect(page(running, [], over)).not.toContain("开始使用");
    const counts = { ...running.counts, linkUp: 3 };
    expect(page({ ...running, counts })).not.toContain("开始使用");
  });
});

describe("a choice", () => {
  const selected = { popId: 9, isp: "电信" };
  it("shows in the map and above the causes, where it is cleared", () => {
    const map = renderForTest(
      <HeatMap heat={heat} choice={selected} choose={() => undefined} />,
      [],
    );
    expect(map.match(/aria-pressed="true"/g)).toHaveLength(1);
    expect(map).toContain(
      'aria-label="7 / 12 · 南京，电信：12 个站点，0 个中断，7 个质量差 · 丢包率最高 3.5%"',
    );
    const none = { causes: [], causeCount: 0, heat };
    const card = renderForTest(<Now data={none} choice={selected} choose={() => undefined} />, []);
    expect(card).toContain("只看 POP 南京 · 电信");
    expect(card).toContain("清除");
    expect(card).toContain("POP 南京 · 电信 当前没有问题");
  });
});

/** Sentence, extent and place of each cause. */
function Worded({ causes }: { readonly causes: readonly RootCause[] }) {
  const texts = useCauseTexts();
  return causes.map((cause) =>
    [causeSentence(cause, texts), ...causeExtent(cause, texts), evidencePath(cause)].join(" | "),
  );
}
const textOf = (cause: Partial<RootCause>): string =>
  renderForTest(<Worded causes={[{ ...carrier, ...cause }]} />, []).replaceAll("&amp;", "&");

describe("a cause", () => {
  const pop = { ...site, id: 9, kind: "pop", name: "南京" } as const;
  const links = "3 家企业的 7 个站点 | 12 条链路 | 丢包率最高 3.5%";
  it.each<[Partial<RootCause>, string]>([
    [
      { ...nowhere, kind: "contact", tone: "bad", state: "offline" },
      "7 台设备同时失去联系，先检查控制器及其网络 | 3 家企业的 7 台设备 | /sdwan-system/cpe?tone=bad",
    ],
    [
      { kind: "pop", isp: "", state: "offline", tone: "bad" },
      `POP 南京：离线 | ${links} | /sdwan-system/pop/popTable/detail?id=9`,
    ],
    [
      { kind: "pop", isp: "" },
      `POP 南京：多个运营商到它的链路质量差 | ${links} | /sdwan-system/pop/popTable/detail?id=9`,
    ],
    [
      { popId: null, tone: "bad" },
      `电信：多个站点的链路中断 | ${links} | /devopsmonitor/linkMonitor?status=0`,
    ],
    [
      { ...nowhere, kind: "state", state: "drifted" },
      "7 个站点：配置漂移 | 3 家企业的 7 个站点 | /sdwan-system/cpe?tone=warn",
    ],
    [
      { ...nowhere, kind: "state", state: "offline", named: [pop] },
      "7 个 POP：离线 | 7 个 POP | /sdwan-system/pop?tone=bad",
    ],
    [{ ...nowhere, kind: "node", state: "pending" }, "上海-03：待审批。"],
    [
      { ...nowhere, kind: "node", state: "offline", named: [pop] },
      "南京：离线 | 甲 | /sdwan-system/pop/popTable/detail?id=9",
    ],
  ])("is worded with its extent, and leads to its evidence (%#)", (cause, text) => {
    expect(textOf(cause)).toContain(text);
  });
});
