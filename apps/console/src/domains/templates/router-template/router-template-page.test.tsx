import { taskStatus, taskStatuses } from "@weft/contract/domains/delivery/enums.ts";
import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { loadConfig } from "#client/start-config.ts";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import RouterTemplatePage from "./router-template-page.tsx";
import { nothingStaged, nothingTicked, sidesOf, stageIn, stageOut, toggled } from "./staged.ts";
import { logColumns } from "./template-log.tsx";
import { type TemplateCpe, type TemplateRow, useTemplateTexts } from "./template-texts.ts";

const row: TemplateRow = {
  templateId: 7,
  temName: "Branch-std",
  templateName: "Branch-std",
  remark: "",
  groupid: 1,
  enterpriseName: "",
  cpeNum: 5,
  cpeFinishNum: 3,
  version: 2,
  rolloutState: null,
  isBad: false,
  createTime: new Date(0),
  createBy: null,
};
const query = {
  temName: null,
  templateName: null,
  orderByColumn: null,
  isAsc: null,
  page: 1,
  size: 10,
  limit: null,
};
const page = (authorities: readonly Permission[]): string =>
  renderForTest(<RouterTemplatePage />, authorities, [
    known(routerTemplate.ops.list, query as never, [row]),
  ]);
const list = "routerTemplateList" as const;

describe("router templates", () => {
  it("B-6-08: sends no request and shows no row without the list permission", () => {
    expect(page([list])).toContain("Branch-std");
    const without = page(["routerTemplateView", "routerTemplateAdd"]);
    expect(without).not.toContain("Branch-std");
    expect(without).toContain("缺少权限");
  });
  it("B-6-09: without the add code there is no add button", () => {
    expect(page([list, "routerTemplateAdd"])).toContain("新增模板");
    expect(page([list])).not.toContain("新增模板");
  });
  it("shows the add button to who may add and not list", () => {
    expect(page(["routerTemplateAdd"])).toContain("新增模板");
    expect(page(["routerTemplateEdit"])).not.toContain("新增模板");
  });
  it("B-6-10: without the edit code CPE, template and edit are not there", () => {
    const actions = (html: string) =>
      ["编辑", "/business/template/add"].map((one) => html.includes(one));
    expect(actions(page([list, "routerTemplateEdit"]))).toEqual([true, true]);
    expect(actions(page([list, "routerTemplateRemove"]))).toEqual([false, false]);
  });
  it("B-6-11: without the remove code delete is not there", () => {
    expect(page([list, "routerTemplateRemove"])).toContain("删除");
    expect(page([list, "routerTemplateEdit"])).not.toContain("删除");
  });
  it("has no batch menu for whom may neither issue nor delete", () => {
    expect(page([list, "routerTemplateRemove"])).toContain("批量操作");
    expect(page([list])).not.toContain("批量操作");
  });
});

describe("the external protocol import", () => {
  afterEach(() => vi.unstubAllGlobals());
  const configured = async (config: object): Promise<string> => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(config)));
    await loadConfig();
    return page([list, "routerTemplateEdit"]);
  };
  it("B-7.3-19: is not offered where no address is configured", async () => {
    for (const config of [{}, { PROTOCOL_IMPORT_URL: "" }, { PROTOCOL_IMPORT_URL: "ftp://a" }]) {
      expect(await configured(config)).not.toContain("外部协议导入");
    }
    expect(await configured({ PROTOCOL_IMPORT_URL: "https://files.example/x" })).toContain(
      "外部协议导入",
    );
    expect(page([list])).not.toContain("外部协议导入");
    await configured({});
  });
});

const nothingUnmet = { unmet: 0, cannot: 0, findings: [] };
const findings = ["games", "movies"].map((name, at) => ({
  family: "routerUrlrule",
  objectId: at + 1,
  name,
  effect: "cannot" as const,
  reason: "noLine",
  params: { slot: "3" },
}));
const logs = taskStatuses.map((status) => ({
  logId: status + 1,
  templateId: 7,
  cpeId: 1,
  cpeName: "SH-01",
  version: 2,
  isBad: false,
  createTime: new Date("2026-11-21T08:00:00Z"),
  updateTime: null,
  status,
  content: "Branch-std #2",
  ...(status === taskStatus.failed ? { unmet: 8, cannot: 8, findings } : nothingUnmet),
}));
function LogTable() {
  const t = useTemplateTexts();
  return <PlainTable rows={logs} columns={logColumns(t)} rowKey="logId" />;
}

describe("the log of a template", () => {
  const html = renderForTest(<LogTable />, []);
  it("B-2.7-23: shows not started, completed, failed, cancelled and pulled", () => {
    for (const label of ["未开始", "已完成", "失败", "已取消", "已拉取"])
      expect(html).toContain(label);
  });
  it("names what does not act on a CPE and why, and counts the rest", () => {
    expect(html).toContain("不生效：没有 WAN 链路 3");
    expect(html).toContain("URL 规则“games”、URL 规则“movies”");
    expect(html).toContain("另有 6 个对象");
    expect(html.match(/不生效/g)).toHaveLength(1);
  });
  it("B-2.7-24: has no completion time where there is none", () => {
    expect(html).not.toMatch(/1970|Invalid/);
    expect(html).toContain("2026-11-21");
  });
});

const cpe = (id: number, more: Partial<TemplateCpe> = {}): TemplateCpe => ({
  id,
  alias: `cpe-${id}`,
  groupid: 1,
  enterprise: { name: "" },
  templateId: null,
  templateName: null,
  taken: false,
  remark: "",
  ...more,
});

describe("the transfer", () => {
  const [one, two, three] = [cpe(1), cpe(2), cpe(3, { templateId: 7, taken: true })] as const;
  const ids = (cpes: readonly TemplateCpe[]) => cpes.map(({ id }) => id);
  it("keeps a tick under another search, and takes it away when pressed again", () => {
    const ticked = [one, two].reduce(toggled, nothingTicked);
    expect(sidesOf([], [], stageIn(nothingStaged, [...ticked.values()])).right).toEqual([one, two]);
    expect([...toggled(ticked, one).keys()]).toEqual([2]);
  });
  it("moves across without saving, and back without a trace", () => {
    const staged = stageOut(stageIn(nothingStaged, [one, two]), [three]);
    const sides = sidesOf([one, two], [three], staged);
    expect([ids(sides.left), ids(sides.right)]).toEqual([[3], [1, 2]]);
    const back = stageIn(stageOut(staged, [one, two]), [three]);
    expect(back).toEqual(nothingStaged);
    expect(ids(sidesOf([one, two], [three], back).left)).toEqual([1, 2]);
  });
});
