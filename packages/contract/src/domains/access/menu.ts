/** The screens of access in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, group, hidden, page } from "#kernel/menu.ts";

export const usersAndRoles = defineMenu([
  page("/system/usermanage", ["用户管理", "User management"], "UserManage", {
    icon: "user",
    may: "sysUserList",
  }),
  granted("/system/rolemanage", ["角色管理", "Role management"], "RoleManage", [0, 1, 2], {
    icon: "role",
  }),
  page("/system/apikey", ["API 密钥", "API keys"], "ApiKey", { icon: "key", may: "sysUserList" }),
  page("/system/identityprovider", ["单点登录", "Single sign-on"], "IdentityProvider", {
    icon: "person",
    may: "sysUserList",
  }),
]);

export const records = group(
  "/system/recordmanage",
  ["日志管理", "Log management"],
  { icon: "record" },
  [
    granted(
      "/system/recordmanage/operaRecord",
      ["操作日志", "Operation log"],
      "OperaRecord",
      [0, 1, 2],
      {
        icon: "record",
      },
    ),
    granted(
      "/system/recordmanage/loginRecord",
      ["登录日志", "Login log"],
      "LoginRecord",
      [0, 1, 2],
      {
        icon: "record",
      },
    ),
  ],
);

/** Reached from notices; in no menu (section 2.1). */
export const userInfo = hidden("/user/info", ["个人信息", "My profile"], "UserInfo");
