import { defineMessages } from "@weft/contract/kernel/message.ts";

export const userMessages = defineMessages({
  "user.title": ["用户管理", "User management"],
  "user.add": ["新增用户", "Add user"],
  "user.editOf": ["编辑用户 {name}", "Edit user {name}"],
  "user.search": ["登录名", "Login name"],
  "user.fullName": ["姓名", "Name"],
  "user.never": ["从未登录", "Never logged in"],
  "user.noRoles": [
    "没有角色：登录后看不到任何数据",
    "No roles: the user sees no data after logging in",
  ],
  "user.loginNameHelp": [
    "字母、数字和 @，全系统唯一",
    "Letters, digits and @; unique in the whole system",
  ],
  "user.rolesHelp": [
    "所选企业的角色，且不超出您自己的权限",
    "Roles of the selected enterprise with no more permissions than you have",
  ],
  "user.noRolesThere": [
    "该企业还没有您可分配的角色，先新增角色",
    "This enterprise has no role that you may assign; add one first",
  ],
  "user.toRoles": ["去角色管理", "Go to roles"],
  "user.passwordHelp": [
    "按所属企业的密码策略，不含空白；留空则重置密码后才能登录",
    "According to the enterprise's password policy, without white space; if empty, the user can log in after a password is set",
  ],
  "user.reset": ["重置密码", "Reset password"],
  "user.resetOf": ["重置 {name} 的密码", "Reset the password of {name}"],
  "user.resetBody": [
    "{name} 的所有会话立即结束，需用新密码重新登录",
    "All sessions of {name} end immediately; the new password is needed to log in again",
  ],
  "user.resetDone": ["密码已重置", "Password reset"],
  "user.factors": ["重置两步验证", "Reset MFA"],
  "user.factorsLost": ["丢失了验证器或通行密钥", "Authenticator or passkey lost"],
  "user.factorsTitle": ["重置 {name} 的两步验证？", "Reset MFA for {name}?"],
  "user.factorsBody": [
    "验证器、通行密钥和恢复码全部失效，{name} 的会话立即结束，之后仅凭密码登录，直到重新添加。此操作记入操作日志并通知本人。请先确认提出请求的确是本人。",
    "Authenticator, passkeys, recovery codes and all sessions of {name} become invalid; {name} then logs in with the password only until a new MFA method is added. The reset is recorded in the operation log, and the user is notified. First verify that the request came from this person.",
  ],
  "user.factorsOk": ["重置", "Reset"],
  "user.factorsDone": ["已重置，本人将收到通知", "MFA was reset; the user is notified"],
  "user.disableTitle": ["停用用户 {name}？", "Disable user {name}?"],
  "user.disableBody": [
    "{name} 立即退出，不能再登录；其创建的数据保留，随时可以重新启用。",
    "{name} is logged out immediately and can no longer log in; what the user created is kept, and the account can be enabled again at any time.",
  ],
  "user.enableTitle": ["启用用户 {name}？", "Enable user {name}?"],
  "user.enableBody": ["{name} 可以重新登录。", "{name} can log in again."],
  "user.removeTitle": ["删除用户 {name}？", "Delete user {name}?"],
  "user.removeMany": ["删除 {count} 个用户？", "Delete {count|user|users}?"],
  "user.removeBody": [
    "账号不能恢复，正在进行的会话立即结束；操作日志和创建的数据保留：{names}",
    "The accounts are deleted permanently and their sessions end immediately; the operation log and what they created are kept: {names}",
  ],
  "user.contactFixed": [
    "修改它等于重置密码，需要“重置密码”权限",
    "Changing it is like a reset of the password and needs that permission",
  ],
  "user.own": ["这是您自己的账号", "This is your own account"],
  "user.ownPassword": [
    "这是您自己的账号，用“修改密码”更改",
    "This is your own account; use “Change password”",
  ],
  "user.stronger": ["该用户的权限超出您的权限", "The user has more permissions than you have"],
  "user.empty": [
    "还没有用户。先为企业新增角色，再新增用户",
    "No users yet. Add a role for the enterprise, then its users",
  ],
});
