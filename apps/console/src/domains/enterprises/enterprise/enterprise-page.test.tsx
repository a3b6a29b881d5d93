import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { known, renderForTest } from "#client/render-for-test.tsx";
import EnterprisePage from "./enterprise-page.tsx";

const [row] = z.decode(enterprise.ops.list.output, [
  {
    groupid: 7,
    name: "蓝海零售",
    enterpriseType: 0,
    parentId: 1,
    parentName: "运营商",
    isAgent: 0,
    regions: "",
    provice: "",
    city: "",
    region: "",
    contact: "",
    phone: null,
    email: null,
    passwordPolicy: "spec",
    businessType: null,
    endTime: null,
    cpeLimit: null,
    accountLimit: null,
    creditLimit: "0.00",
    balance: "10.00",
    isPush: 0,
    nodeConfig: "",
    strategyType: 0,
    popStrategyId: null,
    popStrategyName: null,
    checkServerData: "",
    enable: 1,
    cpeCount: 0,
    cpeUse: null,
    accountUse: null,
    fromAbove: 1,
    remark: "",
    createTime: "2026-11-21 10:00:00",
    updateTime: "2026-11-21 10:00:00",
    createBy: null,
  },
] as never);
const filters = { name: null, enterpriseType: null, parentId: null, isAgent: null, enable: null };
const input = { ...filters, orderByColumn: null, isAsc: null, page: 1, limit: 10 };

const page = (authorities: Parameters<typeof renderForTest>[1]): string => {
  if (!row) throw new Error("no row");
  return renderForTest(<EnterprisePage />, authorities, [known(enterprise.ops.list, input, [row])]);
};

describe("enterprise management", () => {
  it("B-6-18: has no recharge action for whom lacks charge", () => {
    const others = ["enterpriseAdd", "enterpriseEdit", "enterpriseRemove"] as const;
    expect(page([...others, "enterpriseCharge"])).toContain("充值");
    const without = page(others);
    expect(without).toContain("蓝海零售");
    expect(without).not.toContain("充值");
  });
});
