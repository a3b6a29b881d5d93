import { user } from "@weft/contract/domains/access/user.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import UserPage from "./user-page.tsx";
import type { UserRow } from "./user-texts.ts";

const row: UserRow = {
  userId: 7,
  loginName: "li.qiang",
  name: "李强",
  groupid: 1,
  enterpriseName: "蓝海零售",
  roleIds: [],
  roleNames: "",
  phone: null,
  email: null,
  phoneConfirmed: false,
  emailConfirmed: false,
  remark: "",
  enable: true,
  manageable: true,
  createTime: new Date(0),
  createBy: null,
  lastLogin: null,
};

const input = { loginName: null, enable: null, groupid: null, orderByColumn: null, isAsc: null };
const page = (authorities: Parameters<typeof renderForTest>[1]): string =>
  renderForTest(<UserPage />, authorities, [
    known(user.ops.list, { ...input, page: 1, limit: 10 }, [row]),
  ]);

describe("user management", () => {
  it("B-6-20: has no reset of passwords for whom lacks resetPwd", () => {
    const others = ["sysUserList", "sysUserAdd", "sysUserEdit", "sysUserRemove"] as const;
    expect(page([...others, "sysUserResetPwd"])).toContain("重置密码");
    const without = page(others);
    expect(without).toContain("li.qiang");
    expect(without).not.toContain("重置密码");
  });
});
