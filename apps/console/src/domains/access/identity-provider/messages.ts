import { defineMessages } from "@weft/contract/kernel/message.ts";

export const providerMessages = defineMessages({
  "provider.title": ["单点登录", "Single sign-on"],
  "provider.add": ["新增身份提供方", "Add identity provider"],
  "provider.empty": [
    "还没有身份提供方。用户通过它（OpenID Connect）登录，角色来自用户组",
    "No identity providers yet. Users log in by them (OpenID Connect), with roles from their groups",
  ],
  "provider.search": ["搜索名称", "Search name"],
  "provider.stronger": ["其角色权限超出您的权限", "Its roles have more permissions than you have"],
  "provider.removeBody": [
    "账号保留，但不能再由此登录，需设置密码。",
    "Accounts stay, but no longer log in by it; they need a password.",
  ],
  "provider.issuerHelp": [
    "与 /.well-known/openid-configuration 元数据中的一致；须为 https 公网地址，内网地址由平台管理员允许",
    "As the metadata below /.well-known/openid-configuration have it; public and https, private ones need the permission of the installation",
  ],
  "provider.secretHelp": ["保存后不再显示", "Not shown again after saving"],
  "provider.secretKept": ["已设置，留空则不变", "Set; leave empty to keep it"],
  "provider.groupidHelp": [
    "服务于该企业及其下级；登录页按域名的品牌显示",
    "Serves the enterprise and all below; shown on the login page of its host",
  ],
  "provider.domainsHelp": ["留空不限；须为已验证邮箱", "Empty: all; the address must be verified"],
  "provider.mapHelp": [
    "登录时按用户组更新角色；多个角色须属同一企业",
    "Roles follow the groups at each login; several must be of one enterprise",
  ],
  "provider.defaultHelp": [
    "用户组均无对应时使用；留空则拒绝登录",
    "For people without a mapped group; empty: they are refused",
  ],
  "provider.mfaHelp": [
    "关闭时，须两步验证的账号不能由此登录",
    "If off, accounts with MFA cannot log in by it",
  ],
  "provider.group": ["用户组", "Group"],
  "provider.role": ["角色", "Role"],
  "provider.addGroup": ["新增映射", "Add mapping"],
  "provider.removeGroup": ["删除映射", "Delete mapping"],
  "provider.check": ["测试连接", "Test connection"],
  "provider.checkOf": ["测试 {name}", "Test of {name}"],
  "provider.checking": ["正在读取…", "Reading…"],
  "provider.works": ["元数据和公钥均可读取", "Metadata and keys can be read"],
  "provider.failed": ["失败：{step}", "Failed: {step}"],
  "provider.redirect": ["在身份提供方登记的回调地址", "Redirect URI to register at the provider"],
  "provider.link": ["关联账号", "Link an account"],
  "provider.linkOf": ["关联账号到 {name}", "Link an account to {name}"],
  "provider.linkHelp": [
    "身份提供方中此人的 sub；留空则解除关联",
    "The person's sub at the provider; empty removes the link",
  ],
  "provider.save": ["保存", "Save"],
  "provider.linked": ["已保存", "Saved"],
});
