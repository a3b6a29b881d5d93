import { pop } from "@weft/contract/domains/devices/pop.ts";
import { popStrategy, popStrategySites } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { SitesTable, StrategyPage } from "./strategy-page.tsx";

const row: RowOf<typeof popStrategy> = {
  id: 3,
  name: "east",
  groupid: 1,
  enterpriseName: "tenant",
  popIds: [7, 8],
  remark: "",
  groups: 0,
  users: 1,
  sites: 12,
  links: 24,
  moving: 0,
  unplaced: 0,
  createTime: new Date(0),
};
const query = {
  name: null,
  groupid: null,
  orderByColumn: null,
  isAsc: null,
  page: 1,
  limit: 10,
};
const names = known(pop.ops.combo, {}, [
  { id: 7, name: "POP-SH" },
  { id: 8, name: "POP-BJ" },
]);
const page = (more: Partial<RowOf<typeof popStrategy>>): string =>
  renderForTest(
    <StrategyPage />,
    [],
    [known(popStrategy.ops.list, query, [{ ...row, ...more }]), names],
  );

describe("the list of strategies", () => {
  it("names the POPs in order, and how many sites and links a strategy has", () => {
    const html = page({});
    expect(html).toContain("POP-SH › POP-BJ");
    expect(html).toContain("已生效");
    expect(html).toMatch(/>12<[\s\S]*>24</);
  });

  it("shows the number of sites without a link before the number of sites that move", () => {
    expect(page({ moving: 2 })).toContain("2 个站点迁移中");
    expect(page({ moving: 2, unplaced: 1 })).toContain("1 个站点无链路");
    expect(page({ sites: 0 })).toContain("未使用");
  });
});

it("the sites of a strategy show why one has no link", () => {
  const site = {
    id: 9,
    name: "CPE-1",
    enterpriseName: "tenant",
    netSpaceId: 2,
    netSpaceName: "net",
    standing: "unplaced" as const,
    popIds: [],
    leavingPopIds: [7],
    findings: [
      {
        section: "",
        kind: "link",
        object: "CPE-1",
        reason: "noPop",
        params: { strategy: "east" },
      },
    ],
  };
  const html = renderForTest(
    <SitesTable strategyId={3} />,
    [],
    [known(popStrategySites, { strategyId: 3, page: 1, limit: 10 }, [site]), names],
  );
  expect(html).toContain("无链路");
  expect(html).toContain("POP-SH");
  expect(html).toContain("POP 策略“east”中没有 POP 可用");
});
