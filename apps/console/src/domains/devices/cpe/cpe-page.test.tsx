import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { mockedEnterprises } from "#domains/devices/parts/node/mock-online.ts";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { cpeColumns } from "./cpe-columns.tsx";
import CpePage from "./cpe-page.tsx";
import { sampleRow as row } from "./cpe-row-sample.ts";
import { useCpeTexts } from "./cpe-texts.ts";

const none = { alias: null, groupid: null, linkStatus: null, tone: null, key: null, areaId: null };
const order = { orderByColumn: "health", isAsc: "asc" } as const;
const page = (authorities: Parameters<typeof renderForTest>[1]): string =>
  renderForTest(<CpePage />, authorities, [
    known(cpe.ops.list, { ...none, ...order, page: 1, limit: 10 }, [row]),
    known(cpe.ops.list, { ...none, orderByColumn: null, isAsc: null, page: 1, limit: 10 }, [row]),
  ]);
/** How often the label occurs by itself; buttons may set a blank between two characters. */
const count = (html: string, [one, two]: string): number =>
  html.match(new RegExp(`>${one} ?${two}<`, "g"))?.length ?? 0;

describe("the list of CPEs", () => {
  it("B-6-14: has neither delete nor batch delete for whom lacks cpeRemove", () => {
    const others = ["cpeAdd", "cpeEdit", "cpeConfig", "cpeBatch"] as const;
    const all = page([...others, "cpeRemove"]);
    expect(all).toContain("上海-03");
    expect(count(all, "删除")).toBe(1);
    const without = page(others);
    expect(without).toContain("上海-03");
    expect(count(without, "删除")).toBe(0);
    expect(count(without, "编辑")).toBeGreaterThan(0);
  });
});

describe("the filter by key", () => {
  const at = (key: string): string => {
    const query = { ...none, key, page: 1, limit: 10 };
    const answers = [known(cpe.ops.list, { ...query, ...order }, [row])];
    return renderForTest(<CpePage />, [], answers, `/?key=${key}`);
  };

  it("is called expiry where it is one", () => {
    expect(at("4")).toContain("即将到期");
    expect(at("4")).not.toContain("关键字");
  });
  it("shows any other text as what is looked for in names and serial numbers", () => {
    expect(at("sh-03")).toContain("关键字");
    expect(at("sh-03")).toContain("名称或序列号含“sh-03”");
  });
});

/** The list's table of one offline CPE of this enterprise. */
function Listed({ groupid, isOn }: { readonly groupid: number; readonly isOn: boolean }) {
  const t = useCpeTexts();
  const offline = {
    ...row,
    groupid,
    enrolment: "approved" as const,
    linkStatus: 0,
    health: "offline" as const,
  };
  const session = { cpeMockOnline: isOn ? 1 : 0, simulationGroup: "80, 81" };
  return (
    <PlainTable rows={[offline]} columns={cpeColumns(t, mockedEnterprises(session))} rowKey="id" />
  );
}
const listed = (groupid: number, isOn: boolean) =>
  renderForTest(<Listed groupid={groupid} isOn={isOn} />, []);

describe("an offline CPE in the list", () => {
  it.each([74, 2059, 2445, 81])(
    "B-9-03: of enterprise %i is displayed as online while cpeMockOnline is on",
    (groupid) => {
      expect(listed(groupid, true)).toContain("在线");
      expect(listed(groupid, true)).not.toContain("离线");
      expect(listed(groupid, false)).toContain("离线");
    },
  );
  it("B-9-04: of enterprise 75 is displayed as offline", () => {
    expect(listed(75, true)).toContain("离线");
  });
});
