import { defineMenu, group, hidden, page } from "./node.ts";

/** Screens that are no entries of the menu (section 2.4). */
const systemHidden = defineMenu([
  hidden("/system/blacklist", ["黑名单", "Blacklist"], "Blacklist"),
]);

/** System (section 2.3). */
export const systemMenu = group("/system", ["系统管理", "System"], { icon: "system" }, [
  page("/system/usermanage", ["用户管理", "Users"], "UserManage", {
    icon: "user",
    may: "sysUserList",
  }),
  page("/system/rolemanage", ["角色管理", "Roles"], "RoleManage", { icon: "role" }),
  page("/system/apikey", ["API 密钥", "API keys"], "ApiKey", { icon: "key", may: "sysUserList" }),
  page("/system/configList", ["配置列表", "Config list"], "ConfigList", { icon: "config" }),
  group("/system/recordmanage", ["日志管理", "Logs"], { icon: "record" }, [
    page("/system/recordmanage/operaRecord", ["操作日志", "Operation log"], "OperaRecord", {
      icon: "record",
    }),
    page("/system/recordmanage/loginRecord", ["登录日志", "Login log"], "LoginRecord", {
      icon: "record",
    }),
  ]),
  ...systemHidden,
]);
