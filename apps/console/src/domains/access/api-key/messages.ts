import { defineMessages } from "@weft/contract/kernel/message.ts";

export const apiKeyMessages = defineMessages({
  "apiKey.title": ["API 密钥", "API keys"],
  "apiKey.add": ["新增 API 密钥", "Add API key"],
  "apiKey.editOf": ["编辑 {name}", "Edit {name}"],
  "apiKey.search": ["搜索名称", "Search name"],
  "apiKey.empty": [
    "还没有 API 密钥。程序用它代替登录，权限来自一个角色",
    "No API keys yet. Programs use them instead of logging in, with the permissions of one role",
  ],
  "apiKey.stronger": ["角色权限超出您的权限", "Its role has more permissions than you have"],
  "apiKey.roleHelp": [
    "权限和数据范围来自角色，且不超过创建人现有的权限",
    "Permissions and data scope come from the role, and never exceed those of the user who created the key",
  ],
  "apiKey.enterpriseFixed": ["密钥不能换企业", "A key stays in its enterprise"],
  "apiKey.noRoles": ["该企业没有您可授予的角色", "The enterprise has no role that you may assign"],
  "apiKey.expired": ["已到期", "Expired"],
  "apiKey.dueSoon": ["即将到期", "Due soon"],
  "apiKey.valid": ["有效", "Valid"],
  "apiKey.state": ["有效状态", "Validity"],
  "apiKey.neverUsed": ["未使用过", "Never used"],
  "apiKey.revoke": ["吊销", "Revoke"],
  "apiKey.revokeTitle": ["吊销密钥 {name}", "Revoke key {name}"],
  "apiKey.revokeBody": [
    "使用 {prefix}… 的程序立即失去访问，且不可恢复；操作记录保留",
    "Programs that use {prefix}… lose access immediately and permanently; what they did stays in the log",
  ],
  "apiKey.madeTitle": ["密钥 {name} 已创建", "Key {name} created"],
  "apiKey.once": ["只显示这一次，关闭后无法再查看", "Shown only once; it cannot be shown again"],
  "apiKey.key": ["密钥", "Key"],
  "apiKey.example": ["用法", "How to use it"],
  "apiKey.copied": ["已保存", "I have saved it"],
});
