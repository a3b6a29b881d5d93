/**
 * The permission codes (specification section 6; spec/permissions.json): code -> texts and the role
 * types that hold it in a fresh installation. Endpoints, menu nodes and actions can only name these.
 */
const codes = {
  cpeConfig: { zh: "CPE 配置", en: "Configure CPE", roles: [0, 1, 2] },
  cpeAdd: { zh: "新增 CPE", en: "Add CPE", roles: [0, 1] },
  cpeEdit: { zh: "编辑 CPE", en: "Edit CPE", roles: [0, 1, 2] },
  cpeRemove: { zh: "删除 CPE", en: "Remove CPE", roles: [0, 1] },
  cpeDiagnosis: { zh: "CPE 诊断", en: "Diagnose CPE", roles: [0, 1, 2] },
  cpeRedirect: { zh: "CPE 跳转", en: "Redirect to CPE", roles: [0, 1] },
  cpeBatch: { zh: "CPE 批量操作", en: "CPE batch actions", roles: [0, 1] },
  cpeLansection: { zh: "CPE LAN 网段", en: "CPE LAN sections", roles: [0, 1, 2] },
  cpeSsh: { zh: "CPE SSH", en: "CPE SSH", roles: [0] },
  cpeActive: { zh: "激活 CPE", en: "Activate CPE", roles: [0, 1] },
  cpeOpenAccount: { zh: "CPE 开户", en: "Open CPE account", roles: [0, 1] },
  cpeReboot: { zh: "重启 CPE", en: "Reboot CPE", roles: [0, 1, 2] },
  cpeEditCTG: { zh: "编辑 CPE CTG", en: "Edit CPE CTG", roles: [0] },
  cpeAlarmMsg: { zh: "CPE 到期提醒", en: "CPE expiry notices", roles: [0, 1, 2] },
  cpeEditCug: { zh: "编辑 CPE CUG", en: "Edit CPE CUG", roles: [0] },
  cpeEditCugEnable: { zh: "启停 CPE CUG", en: "Enable or disable CPE CUG", roles: [0, 1] },
  popAdd: { zh: "新增 POP", en: "Add POP", roles: [0] },
  popEdit: { zh: "编辑 POP", en: "Edit POP", roles: [0] },
  popRemove: { zh: "删除 POP", en: "Remove POP", roles: [0] },
  popDiagnosis: { zh: "POP 诊断", en: "Diagnose POP", roles: [0, 1] },
  popConfig: { zh: "POP 配置", en: "Configure POP", roles: [0] },
  popRedirectUrl: { zh: "POP 跳转地址", en: "POP redirect address", roles: [0] },
  popAlarmMsg: { zh: "POP 到期提醒", en: "POP expiry notices", roles: [0] },
  clientAdd: { zh: "新增终端", en: "Add client", roles: [0, 1, 2] },
  clientExport: { zh: "导出终端", en: "Export clients", roles: [0, 1, 2] },
  clientImport: { zh: "导入终端", en: "Import clients", roles: [0, 1] },
  clientRemove: { zh: "删除终端", en: "Remove client", roles: [0, 1] },
  clientEdit: { zh: "编辑终端", en: "Edit client", roles: [0, 1, 2] },
  clientEditPass: { zh: "修改终端密码", en: "Change client password", roles: [0, 1, 2] },
  clientConfig: { zh: "终端配置", en: "Client configuration", roles: [0, 1, 2] },
  clientInfo: { zh: "终端详情", en: "Client details", roles: [0, 1, 2] },
  clientExpire: { zh: "终端到期时间", en: "Client expiry date", roles: [0, 1] },
  clientBatchExpire: { zh: "批量修改终端到期时间", en: "Batch client expiry", roles: [0, 1] },
  clientAlarmMsg: { zh: "软终端到期提醒", en: "Soft-terminal expiry notices", roles: [0, 1, 2] },
  configLan: { zh: "LAN 配置页签", en: "LAN tab", roles: [0, 1, 2] },
  configDns: { zh: "DNS 配置页签", en: "DNS tab", roles: [0, 1, 2] },
  configStaticroute: { zh: "静态路由页签", en: "Static route tab", roles: [0, 1, 2] },
  configAcl: { zh: "ACL 页签", en: "ACL tab", roles: [0, 1, 2] },
  configLansectionList: { zh: "LAN 网段列表页签", en: "LAN section list tab", roles: [0, 1, 2] },
  configXwan: { zh: "XWAN 页签", en: "XWAN tab", roles: [0, 1] },
  configWifi: { zh: "WiFi 页签", en: "WiFi tab", roles: [0, 1, 2] },
  configAclEdit: { zh: "编辑 ACL 规则", en: "Edit ACL rules", roles: [0, 1, 2] },
  configAclRemove: { zh: "删除 ACL 规则", en: "Remove ACL rules", roles: [0, 1, 2] },
  messageReceiveEmail: { zh: "邮件接收", en: "Receive by e-mail", roles: [0, 1, 2] },
  messageReceivePhone: { zh: "短信接收", en: "Receive by phone", roles: [0, 1, 2] },
  messageReceiveDingtalkFlag: { zh: "钉钉接收", en: "Receive by DingTalk", roles: [0, 1, 2] },
  messageReceiveWechat: { zh: "微信接收", en: "Receive by WeChat", roles: [0, 1, 2] },
  alarmStrategyView: { zh: "查看告警策略", en: "View alarm strategies", roles: [0, 1, 2] },
  accountEdit: { zh: "编辑账号", en: "Edit account", roles: [0, 1, 2] },
  accountRemove: { zh: "删除账号", en: "Remove account", roles: [0, 1] },
  accountQosView: { zh: "查看账号 QoS", en: "View account QoS", roles: [0, 1, 2] },
  accountCusExpire: { zh: "自定义到期时间", en: "Custom expiry", roles: [0, 1] },
  accountExpire: { zh: "账号到期时间", en: "Account expiry", roles: [0, 1] },
  accountBatchExpire: { zh: "批量修改账号到期时间", en: "Batch account expiry", roles: [0, 1] },
  lansectionAdd: { zh: "新增 LAN 网段", en: "Add LAN section", roles: [0, 1, 2] },
  lansectionEdit: { zh: "编辑 LAN 网段", en: "Edit LAN section", roles: [0, 1, 2] },
  lansectionRemove: { zh: "删除 LAN 网段", en: "Remove LAN section", roles: [0, 1, 2] },
  lansectionEnableForward: { zh: "启用转发", en: "Enable forwarding", roles: [0, 1] },
  lansectionEnableRedirect: { zh: "启用重定向", en: "Enable redirect", roles: [0, 1] },
  lansectionShowForward: { zh: "显示转发", en: "Show forwarding", roles: [0, 1, 2] },
  lansectionShowRedirect: { zh: "显示重定向", en: "Show redirect", roles: [0, 1, 2] },
  cpeAreaAdd: { zh: "新增 CPE 区域", en: "Add CPE area", roles: [0, 1] },
  cpeAreaEdit: { zh: "编辑 CPE 区域", en: "Edit CPE area", roles: [0, 1] },
  cpeAreaRemove: { zh: "删除 CPE 区域", en: "Remove CPE area", roles: [0, 1] },
  topLink: { zh: "拓扑链路", en: "Topology link", roles: [0, 1, 2] },
  topPppoe: { zh: "拓扑 PPPoE", en: "Topology PPPoE", roles: [0, 1, 2] },
  screenView: { zh: "大屏展示", en: "Large screen", roles: [0, 1] },
  routerTemplateView: { zh: "查看路由模板", en: "View router templates", roles: [0, 1, 2] },
  routerTemplateList: { zh: "路由模板列表", en: "List router templates", roles: [0, 1, 2] },
  routerTemplateAdd: { zh: "新增路由模板", en: "Add router template", roles: [0, 1, 2] },
  routerTemplateEdit: { zh: "编辑路由模板", en: "Edit router template", roles: [0, 1, 2] },
  routerTemplateRemove: { zh: "删除路由模板", en: "Remove router template", roles: [0, 1, 2] },
  netSpaceAdd: { zh: "新增网络空间", en: "Add network space", roles: [0, 1] },
  netSpaceEdit: { zh: "编辑网络空间", en: "Edit network space", roles: [0, 1] },
  netSpaceRemove: { zh: "删除网络空间", en: "Remove network space", roles: [0, 1] },
  enterpriseGamespeed: { zh: "企业应用加速", en: "Enterprise game acceleration", roles: [0, 1] },
  enterpriseAdd: { zh: "新增企业", en: "Add enterprise", roles: [0, 1] },
  enterpriseEdit: { zh: "编辑企业", en: "Edit enterprise", roles: [0, 1] },
  enterpriseRemove: { zh: "删除企业", en: "Remove enterprise", roles: [0, 1] },
  enterpriseCharge: { zh: "企业充值", en: "Recharge enterprise", roles: [0, 1] },
  enterpriseShowPolicy: { zh: "显示企业策略", en: "Show enterprise policy", roles: [0, 1] },
  enterpriseShowServer: { zh: "显示企业服务", en: "Show enterprise server", roles: [0, 1] },
  enterpriseBillingPerm: { zh: "企业计费", en: "Enterprise billing", roles: [0, 1] },
  enterpriseEndTime: { zh: "企业到期时间", en: "Enterprise end time", roles: [0, 1] },
  enterpriseEditCTG: { zh: "编辑企业 CTG", en: "Edit enterprise CTG", roles: [0] },
  enterpriseEditParent: { zh: "编辑上级企业", en: "Edit parent enterprise", roles: [0] },
  ipGroupManager: { zh: "IP 组管理", en: "Manage IP groups", roles: [0, 1] },
  strategyAdd: { zh: "新增策略", en: "Add strategy", roles: [0, 1] },
  strategyEdit: { zh: "编辑策略", en: "Edit strategy", roles: [0, 1] },
  strategyRemove: { zh: "删除策略", en: "Remove strategy", roles: [0, 1] },
  strategyShare: { zh: "共享策略", en: "Share strategy", roles: [0, 1] },
  circuitAdd: { zh: "新增线路", en: "Add circuit", roles: [0, 1] },
  circuitEdit: { zh: "编辑线路", en: "Edit circuit", roles: [0, 1] },
  circuitRemove: { zh: "删除线路", en: "Remove circuit", roles: [0, 1] },
  vbrNodePopView: { zh: "查看云节点 POP", en: "View node POP", roles: [0, 1] },
  vbrNodeAudit: { zh: "审核云节点", en: "Audit node", roles: [0] },
  vbrNodeAdd: { zh: "新增云节点", en: "Add node", roles: [0, 1] },
  vbrNodeEdit: { zh: "编辑云节点", en: "Edit node", roles: [0, 1] },
  vbrNodeRemove: { zh: "删除云节点", en: "Remove node", roles: [0, 1] },
  vbrTableAdd: { zh: "新增 VBR 表项", en: "Add VBR table row", roles: [0, 1] },
  vbrTableEdit: { zh: "编辑 VBR 表项", en: "Edit VBR table row", roles: [0, 1] },
  vbrTableRemove: { zh: "删除 VBR 表项", en: "Remove VBR table row", roles: [0, 1] },
  popStrategyAdd: { zh: "新增 POP 策略", en: "Add POP strategy", roles: [0] },
  popStrategyEdit: { zh: "编辑 POP 策略", en: "Edit POP strategy", roles: [0] },
  popStrategyRemove: { zh: "删除 POP 策略", en: "Remove POP strategy", roles: [0] },
  sysUserResetPwd: { zh: "重置密码", en: "Reset password", roles: [0, 1] },
  sysUserList: { zh: "用户列表", en: "List users", roles: [0, 1, 2] },
  sysUserAdd: { zh: "新增用户", en: "Add user", roles: [0, 1, 2] },
  sysUserEdit: { zh: "编辑用户", en: "Edit user", roles: [0, 1, 2] },
  sysUserRemove: { zh: "删除用户", en: "Remove user", roles: [0, 1, 2] },
  installationView: {
    zh: "查看系统状态",
    en: "View system status",
    roles: [0],
    addition: "who runs the installation watches it; customers are not concerned",
  },
} as const satisfies Record<string, PermissionText>;

interface PermissionText {
  readonly zh: string;
  readonly en: string;
  /** Role types: 0 controller, 1 agent, 2 enterprise. */
  readonly roles: readonly (0 | 1 | 2)[];
  /** Why there is a code that the specification does not have. */
  readonly addition?: string;
}

export type Permission = keyof typeof codes;

export const permissions: Readonly<Record<Permission, PermissionText>> = codes;
export const permissionCodes = Object.keys(codes) as readonly Permission[];

/**
 * Codes of the specification that nothing asks for -> the code that is asked for instead, because one
 * list serves both names; null: what it would open is no part of the product. Roles keep them, and the
 * form of a role does not offer them: to grant one changes nothing.
 */
export const idlePermissions: Readonly<Partial<Record<Permission, Permission | null>>> = {
  accountCusExpire: "accountExpire",
  clientBatchExpire: "accountBatchExpire",
  clientExpire: "accountExpire",
  clientRemove: "accountRemove",
  cpeOpenAccount: "clientAdd",
  cpeSsh: null,
  popDiagnosis: null,
  popRedirectUrl: null,
  topPppoe: null,
};

/** Codes of a fresh installation's role of this type. */
export const defaultPermissions = (roleType: 0 | 1 | 2): Permission[] =>
  permissionCodes.filter((code) => permissions[code].roles.includes(roleType));

/** What a link for templates gives at most (section 2.1): of these, what its issuer holds. */
export const templatePermissions: readonly Permission[] = [
  "routerTemplateView",
  "routerTemplateList",
  "routerTemplateAdd",
  "routerTemplateEdit",
  "routerTemplateRemove",
];

/** An entry of the menu as a role grants it: its path. `Grant` (access.ts) has those that there are. */
export type MenuCode = `/${string}`;

/** What is asked of a user before a call, a menu node or an action (access.ts). */
export type Needed =
  | Permission
  | MenuCode
  | { readonly anyOf: readonly (Permission | MenuCode)[] }
  | { readonly open: string };

export interface Principal {
  readonly userId: number;
  readonly authorities: readonly string[];
  /** End of a link for templates; who comes by one is not the person who gave it out. */
  readonly visitEndTime?: Date | null | undefined;
}

/** User id 1 holds every permission (section 6); others, and visitors, hold what is listed. */
export const holds = (user: Principal, needed: Needed | null): boolean => {
  if (needed === null || (user.userId === 1 && !user.visitEndTime)) return true;
  if (typeof needed === "string") return user.authorities.includes(needed);
  return "open" in needed || needed.anyOf.some((code) => user.authorities.includes(code));
};

/** All of these codes; an empty list asks for nothing (section 6). */
export const holdsAll = (user: Principal, codes: readonly Permission[]): boolean =>
  codes.every((code) => holds(user, code));

/** At least one of these codes; of an empty list no user holds one. */
export const holdsAny = (user: Principal, codes: readonly Permission[]): boolean =>
  codes.some((code) => holds(user, code));

interface RolePrincipal {
  /** Role codes. */
  readonly roles: readonly string[];
}

/** All of these roles. User 1 holds every permission, but only those roles that it was given. */
export const hasAllRoles = (user: RolePrincipal, roles: readonly string[]): boolean =>
  roles.every((role) => user.roles.includes(role));

/** At least one of these roles. */
export const hasAnyRole = (user: RolePrincipal, roles: readonly string[]): boolean =>
  roles.some((role) => user.roles.includes(role));
