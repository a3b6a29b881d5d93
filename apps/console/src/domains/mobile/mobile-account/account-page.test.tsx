import {
  accountExpire,
  bitsPerSecond,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { bitsOf, megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import AccountPage from "./account-page.tsx";
import type { AccountRow } from "./account-texts.ts";

const row: AccountRow = {
  id: 3,
  groupid: 1,
  enterpriseName: "",
  loginName: "zhangwei",
  alias: "Zhang-phone",
  terminalType: 6,
  enable: true,
  txbps: 10_000_000,
  rxbps: 8_200_000,
  popId: null,
  popName: null,
  phone: null,
  email: null,
  expire: null,
  tokenState: 3,
  hasPassword: false,
  publicKey: null,
  address: null,
  remark: "",
  createTime: new Date(0),
};
const query = {
  key: null,
  alias: null,
  groupid: null,
  enable: null,
  orderByColumn: null,
  isAsc: null,
  page: 1,
  limit: 10,
};
const page = (authorities: Parameters<typeof renderForTest>[1], rows = [row]): string =>
  renderForTest(<AccountPage />, authorities, [known(mobileAccount.ops.list, query, rows)]);

describe("mobile accounts", () => {
  it("B-6-16: without qosView bandwidth is not shown", () => {
    const shown = page(["accountQosView"]);
    expect(shown).toContain("下行 Mbit/s");
    expect(shown).toContain(">8.2<");
    const without = page(["accountEdit"]);
    expect(without).toContain("Zhang-phone");
    expect(without).not.toMatch(/Mbit\/s|>8\.2</);
  });
  it("B-4-26: normal, due soon and expired each have their label and their own sign", () => {
    const states = [3, 4, 5].map((tokenState) => ({ ...row, id: tokenState, tokenState }));
    const html = page([], states);
    const icons = ["正常", "即将到期", "已到期"].map((label) => {
      const before = html.slice(0, html.indexOf(`>${label}<`));
      const sign = before.slice(before.lastIndexOf("<svg"));
      return [/--w-(\w+)/.exec(sign)?.[1], /<(circle|path|rect)/.exec(sign)?.[1]];
    });
    expect(icons).toEqual([
      ["ok", "circle"],
      ["warn", "path"],
      ["bad", "rect"],
    ]);
  });
  it("B-7.3-15: 10 Mbit/s are sent as 10000000, and 8.2 without a fraction", () => {
    expect(z.encode(bitsPerSecond, bitsOf(10) ?? 0)).toBe(10_000_000);
    expect(bitsOf(8.2)).toBe(8_200_000);
    expect(bitsOf(null)).toBeNull();
  });
  it("B-9-07: 10000000 are shown as 10", () => {
    expect([megabitsOf(10_000_000), megabitsOf(8_200_000)]).toEqual([10, 8.2]);
  });
  it("B-5-23: no end is 1 on the wire, and -1 is read as that", () => {
    expect(z.encode(accountExpire, null)).toBe(1);
    expect(z.encode(accountExpire, z.decode(accountExpire, -1))).toBe(1);
    expect(z.encode(accountExpire, z.decode(accountExpire, "-1"))).toBe(1);
  });
});
