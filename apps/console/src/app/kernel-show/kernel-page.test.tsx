import { describe, expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import KernelPage from "./kernel-page.tsx";

const page = renderForTest(<KernelPage />, []);
const count = (part: RegExp): number => [...page.matchAll(part)].length;

describe("the page of the kernel's parts", () => {
  it("renders every kind of field, and its states once they were left", () => {
    const simple = ["text", "mono", "number", "mbps", "select", "radio", "switch", "remark"];
    for (const kind of [...simple, "dateTime", "password", "enterprise", "combo"])
      expect(page).toMatch(new RegExp(`<label[^>]*><span[^>]*>${kind}[ <]`));
    expect(page).toContain("在线设备不能修改");
  });

  it("renders every icon and every kind of column over its rows", () => {
    for (const glyph of ["ok", "bad", "warn", "diff", "run", "off", "disabled", "unknown"])
      expect(page).toContain(`${glyph}</`);
    for (const title of ["状态", "名称", "文本", "时延 ms", "余额", "序列号", "时间", "最近联系"])
      expect(page).toContain(title);
    expect(count(/<tr[^>]*ant-table-row/g)).toBe(3);
  });

  it("renders what is shown in place of rows", () => {
    for (const text of ["控制器暂时不可用", "还没有站点", "没有中断的链路", "等待首次上报"])
      expect(page).toContain(text);
  });

  it("has every text that it uses", () => {
    expect(page).not.toMatch(/>(?:show|list|act|field)\.[\w.]+</);
  });
});
