/** What the operation log says of each call that writes: one sentence in both languages. */
import type { Message } from "#kernel/message.ts";
import type { RecordKind } from "./enums.ts";

/** [kind, zh, en]. {who}: the user; {object}: what the row of the log is about, with its place. */
type Texted = readonly [kind: RecordKind, zh: string, en: string];

export interface RecordAction {
  readonly kind: RecordKind;
  readonly text: Message;
}

/** A change of one value, where a sentence has room for it. */
export const oneChange: Message = [
  "{who}将{object}的{field}由{old}改为{new}",
  "{who} changed {field} of {object} from {old} to {new}",
];
/** A change of several values. */
export const someChanges: Message = [
  "{who}修改了{object}的{fields}",
  "{who} changed {fields} of {object}",
];
/** {count}: all of them in Chinese, those without a name in English. */
export const moreFields: Message = ["{fields}等{count}项", "{fields} and {count} more"];
export const noChange: Message = [
  "{who}保存了{object}，值未改变",
  "{who} saved {object} without a change",
];
export const switchedOn: Message = ["{who}启用了{object}", "{who} enabled {object}"];
export const switchedOff: Message = ["{who}停用了{object}", "{who} disabled {object}"];
/** The object in its place. */
export const objectOf: Message = ["{place}的{object}", "{object} of {place}"];
/** What a release before or after this one did: the log outlives its texts. */
export const otherAction: Message = [
  "{who}操作了{object}",
  "{who} performed an operation on {object}",
];

/** Causes of configurations that are no call: what a device did, or the controller by itself. By who and what. */
export const programCauses: Readonly<Record<string, Message>> = {
  "edge: report": [
    "设备上报了新的线路地址、隧道密钥或能力",
    "A device reported a new line address, tunnel key or capability",
  ],
  "edge: replaced": [
    "新设备用开局码接替了原设备",
    "A new device took the place of another one with its activation code",
  ],
  "system: expired": [
    "CPE 或移动账号到期，控制器停止了它的接入",
    "A CPE or mobile account expired, and the controller ended its access",
  ],
  "system: standby": ["热备组增加或减少了设备", "A standby group gained or lost a device"],
  "system: links": [
    "有端口释放，控制器重新分配了网络空间的链路",
    "Ports became free, and the controller assigned the links of a network space again",
  ],
};

/** The same of a release before or after this one, by who: a program performs no operation on settings. */
export const otherCauses: Readonly<Record<string, Message>> = {
  edge: ["设备上报了变化", "A device reported a change"],
  system: ["控制器更新了配置", "The controller updated settings"],
  controller: ["控制器更新了配置", "The controller updated settings"],
};

/** Users of the log who are no persons, by their login name. */
export const recordActors: Readonly<Record<string, Message>> = {
  edge: ["设备", "A device"],
  system: ["控制器", "The controller"],
  controller: ["控制器", "The controller"],
};

/**
 * By the last part of the call's id: "routerBgp.manage.add".
 * Values that the call recorded are there by their fields: {version}.
 */
export const recordActions = {
  // Rows
  add: ["add", "{who}新增了{object}", "{who} added {object}"],
  insert: ["add", "{who}新增了{object}", "{who} added {object}"],
  insertNew: ["add", "{who}新增了{object}", "{who} added {object}"],
  addChild: ["add", "{who}新增了下级{object}", "{who} added {object} behind another CPE"],
  edit: ["edit", "{who}修改了{object}", "{who} changed {object}"],
  update: ["edit", "{who}修改了{object}", "{who} changed {object}"],
  remove: ["remove", "{who}删除了{object}", "{who} deleted {object}"],
  clear: ["remove", "{who}清空了{object}", "{who} cleared {object}"],
  batchRemove: ["remove", "{who}批量删除了{object}", "{who} deleted {object} in a bulk job"],
  batchEnd: [
    "edit",
    "{who}批量修改了{object}的有效期",
    "{who} changed the end of {object} in a bulk job",
  ],
  batchExpire: [
    "edit",
    "{who}批量修改了{object}的到期时间",
    "{who} changed the expiry of {object} in a bulk job",
  ],
  batchConfig: ["edit", "{who}批量设置了{object}", "{who} changed {object} in a bulk job"],
  batchEditXwan: [
    "edit",
    "{who}批量修改了{object}的 WAN 链路",
    "{who} changed the WAN links of {object} in a bulk job",
  ],
  batchJoin: [
    "edit",
    "{who}批量将{object}加入网络空间",
    "{who} added {object} to a network space in a bulk job",
  ],
  batchMove: [
    "edit",
    "{who}批量移动了{object}的区域",
    "{who} moved {object} to another area in a bulk job",
  ],
  editConfig: [
    "edit",
    "{who}修改了{object}的节点配置",
    "{who} changed the node config of {object}",
  ],
  editXwan: ["edit", "{who}修改了{object}的 WAN 链路", "{who} changed the WAN links of {object}"],
  editStandby: ["edit", "{who}修改了{object}的热备", "{who} changed the hot standby of {object}"],
  editStrategy: [
    "edit",
    "{who}修改了{object}的 POP 选择",
    "{who} changed the selection of POPs of {object}",
  ],
  editCugConfig: [
    "edit",
    "{who}修改了{object}的用户组带宽",
    "{who} changed the bandwidth of user groups of {object}",
  ],
  editImage: ["edit", "{who}更换了{object}的图片", "{who} replaced an image of {object}"],
  removeImage: ["remove", "{who}删除了{object}的图片", "{who} deleted an image of {object}"],
  configInit: ["edit", "{who}恢复了{object}的初始配置", "{who} reset the settings of {object}"],
  saveMenus: ["edit", "{who}修改了{object}的权限", "{who} changed the permissions of {object}"],
  saveDataScope: [
    "edit",
    "{who}修改了{object}的数据范围",
    "{who} changed the data scope of {object}",
  ],
  sysSearchRelEdit: ["edit", "{who}修改了列设置", "{who} changed the columns of a table"],
  charge: ["edit", "{who}为{place}充值{credit}", "{who} credited {place} with {credit}"],
  audit: ["edit", "{who}审核了{object}", "{who} reviewed {object}"],
  handle: ["edit", "{who}确认了{object}", "{who} acknowledged {object}"],
  own: ["edit", "{who}修改了{object}的负责人", "{who} changed the owner of {object}"],
  snooze: ["edit", "{who}修改了{object}的暂缓时间", "{who} changed until when {object} is snoozed"],
  cancel: ["edit", "{who}取消了{object}", "{who} cancelled {object}"],
  test: ["edit", "{who}向{object}发送了测试消息", "{who} sent a test message to {object}"],
  resend: ["edit", "{who}重新发送了给{object}的消息", "{who} sent a message to {object} again"],
  replay: ["edit", "{who}重新发送了给{object}的事件", "{who} sent an event to {object} again"],
  read: ["edit", "{who}将消息标为已读", "{who} marked messages as read"],
  readAll: ["edit", "{who}将全部消息标为已读", "{who} marked all messages as read"],
  undo: ["edit", "{who}撤销了一次操作：{object}", "{who} undid an operation: {object}"],
  // Switches
  editEn: ["switch", "{who}启用或停用了{object}", "{who} enabled or disabled {object}"],
  editEnable: ["switch", "{who}启用或停用了{object}", "{who} enabled or disabled {object}"],
  batchEnable: [
    "switch",
    "{who}批量启用或停用了{object}",
    "{who} enabled or disabled {object} in a bulk job",
  ],
  saveXwanUserEnable: ["switch", "{who}启用或停用了{object}", "{who} enabled or disabled {object}"],
  saveXwanUserEnableCug: [
    "switch",
    "{who}启用或停用了{object}的用户组",
    "{who} enabled or disabled the user groups of {object}",
  ],
  editCTGConfig: [
    "switch",
    "{who}修改了{object}的 CTG 推送",
    "{who} changed the CTG feed of {object}",
  ],
  enableForwardSaveCpeid: [
    "switch",
    "{who}修改了{object}的组网转发",
    "{who} switched forwarding of {object} into its space",
  ],
  enableRedirectSaveCpeid: [
    "switch",
    "{who}修改了{object}的本地分流",
    "{who} switched direct internet access of {object}",
  ],
  share: ["switch", "{who}修改了{object}的共享", "{who} changed the sharing of {object}"],
  // Delivery
  issue: [
    "deliver",
    "{who}发布了{object}的版本{version}",
    "{who} published version {version} of {object}",
  ],
  start: [
    "deliver",
    "{who}开始分批下发{object}的版本{version}",
    "{who} started to deliver version {version} of {object} in waves",
  ],
  step: [
    "deliver",
    "{who}向{object}版本{version}的第{wave}批开始下发",
    "{who} started wave {wave} of {object}, version {version}",
  ],
  askForWave: [
    "deliver",
    "{who}在{object}版本{version}的第{wave}批之后等待确认",
    "{who} waits for an operator after wave {wave} of {object}, version {version}",
  ],
  failWave: [
    "deliver",
    "{who}停止了{object}版本{version}的分批下发，第{wave}批未通过并已回退",
    "{who} halted {object}, version {version}: wave {wave} failed and is rolled back",
  ],
  completeWaves: [
    "deliver",
    "{who}完成了{object}版本{version}的分批下发",
    "{who} completed the waves of {object}, version {version}",
  ],
  restoreDraft: [
    "edit",
    "{who}将{object}的草稿恢复为版本{version}",
    "{who} restored version {version} to the draft of {object}",
  ],
  takeEnterprise: [
    "edit",
    "{who}让{object}自动纳入{groupid}的 CPE",
    "{who} made {object} include the CPEs of {groupid}",
  ],
  leaveEnterprise: [
    "edit",
    "{who}让{object}不再自动纳入{groupid}的 CPE",
    "{who} made {object} include no more CPEs of {groupid}",
  ],
  takeIn: [
    "edit",
    "{who}将新增的{cpeIds}纳入{object}",
    "{who} took new CPEs into {object}: {cpeIds}",
  ],
  goOn: [
    "deliver",
    "{who}继续分批下发{object}的版本{version}",
    "{who} resumed the waves of {object}, version {version}",
  ],
  halt: [
    "deliver",
    "{who}暂停了{object}版本{version}的分批下发",
    "{who} paused the waves of {object}, version {version}",
  ],
  rollBack: [
    "deliver",
    "{who}回滚了{object}的版本{version}",
    "{who} rolled back version {version} of {object}",
  ],
  goBack: [
    "deliver",
    "{who}将{object}回退到配置 #{heldAt}",
    "{who} rolled {object} back to configuration #{heldAt}",
  ],
  release: [
    "deliver",
    "{who}解除了{object}的版本固定",
    "{who} unpinned the configuration of {object}",
  ],
  retry: [
    "deliver",
    "{who}重试向{object}下发配置 #{serial}",
    "{who} retried the delivery of configuration #{serial} to {object}",
  ],
  send: [
    "deliver",
    "{who}放行了{object}的配置 #{serial}",
    "{who} released configuration #{serial} of {object}",
  ],
  drift: ["deliver", "{who}检查了{object}的配置漂移", "{who} checked {object} for drift"],
  driftPolicy: [
    "deliver",
    "{who}修改了{object}的漂移策略",
    "{who} changed the drift policy of {object}",
  ],
  // Devices
  reboot: ["device", "{who}重启了{object}", "{who} restarted {object}"],
  batchReboot: ["device", "{who}批量重启了{object}", "{who} restarted {object} in a bulk job"],
  iniPing: ["device", "{who}从{object}进行了诊断", "{who} ran a test from {object}"],
  commonGetHttp: ["device", "{who}读取了{object}的本机信息", "{who} read from {object}"],
  commonHttp: ["device", "{who}读取了{object}的本机信息", "{who} read from {object}"],
  commonPostHttp: ["device", "{who}写入了{object}的本机设置", "{who} wrote to {object}"],
  commonHttpFileImport: [
    "device",
    "{who}向{object}导入了文件",
    "{who} imported a file on {object}",
  ],
  // Enrolment
  enrol: ["enrol", "{who}请求开局：{object}", "{who} asked to enrol: {object}"],
  enrolRefused: [
    "enrol",
    "控制器拒绝了设备使用{object}",
    "The controller refused a device with {object}",
  ],
  quarantine: [
    "enrol",
    "控制器隔离了疑似克隆的设备：{object}",
    "The controller quarantined a suspected clone: {object}",
  ],
  pin: [
    "enrol",
    "{who}保存了控制器密钥：{object}",
    "{who} stored a key of the controller: {object}",
  ],
  approve: ["enrol", "{who}批准了{object}", "{who} approved {object}"],
  reject: ["enrol", "{who}拒绝了{object}", "{who} rejected {object}"],
  unbind: ["enrol", "{who}解绑了{object}的设备", "{who} unbound the device of {object}"],
  emailSend: [
    "enrol",
    "{who}用邮件发送了{object}的开局码",
    "{who} sent the activation code of {object} by e-mail",
  ],
  // Files and copies
  import: ["transfer", "{who}导入了{object}", "{who} imported {object}"],
  importData: ["transfer", "{who}导入了{object}", "{who} imported {object}"],
  importTem: ["transfer", "{who}从模板导入了{object}", "{who} imported {object} from a template"],
  export: ["transfer", "{who}导出了{object}", "{who} exported {object}"],
  // Accounts, logins and keys
  resetPwd: ["account", "{who}重置了{object}的密码", "{who} reset the password of {object}"],
  resetPassword: [
    "account",
    "{who}用验证码重置了自己的密码",
    "{who} reset their own password with a code",
  ],
  confirmBegin: [
    "account",
    "{who}请求了手机或邮箱的验证码",
    "{who} asked for a code to confirm a phone number or e-mail address",
  ],
  confirm: [
    "account",
    "{who}验证了自己的手机或邮箱",
    "{who} confirmed their phone number or e-mail address",
  ],
  undoContact: [
    "account",
    "{who}用原地址收到的撤销码恢复了登录名、手机和邮箱",
    "{who} restored login name, phone number and e-mail address with the code sent to the former address",
  ],
  editPassword: ["account", "{who}修改了自己的密码", "{who} changed their own password"],
  editPass: ["account", "{who}修改了{object}的密码", "{who} changed the password of {object}"],
  editKey: ["account", "{who}更换了{object}的密钥", "{who} replaced the key of {object}"],
  resetFactors: ["account", "{who}重置了{object}的两步验证", "{who} reset MFA of {object}"],
  endSession: ["account", "{who}结束了{object}的会话", "{who} ended a session of {object}"],
  passkeyBegin: ["account", "{who}开始添加通行密钥", "{who} started to add a passkey"],
  passkeyAdd: ["account", "{who}添加了通行密钥", "{who} added a passkey"],
  passkeyRemove: ["account", "{who}删除了通行密钥", "{who} deleted a passkey"],
  recoveryRenew: ["account", "{who}重新生成了恢复码", "{who} renewed the recovery codes"],
  totpBegin: ["account", "{who}开始添加验证器", "{who} started to add an authenticator"],
  totpConfirm: ["account", "{who}添加了验证器", "{who} added an authenticator"],
  totpRemove: ["account", "{who}删除了验证器", "{who} deleted an authenticator"],
  login: ["account", "{who}登录了", "{who} logged in"],
  passkeyLogin: ["account", "{who}用通行密钥登录了", "{who} logged in with a passkey"],
  oidcStart: ["account", "{who}开始单点登录", "{who} started a single sign-on"],
  oidcFinish: [
    "account",
    "{who}通过单点登录更新了{object}",
    "{who} updated {object} by single sign-on",
  ],
  check: ["account", "{who}测试了{object}", "{who} tested {object}"],
  link: [
    "account",
    "{who}修改了{object}的账号关联",
    "{who} changed the accounts linked to {object}",
  ],
  logout: ["account", "{who}退出了登录", "{who} logged out"],
  sendSms: ["account", "{who}请求了验证码", "{who} asked for a code"],
  sendSmsByEmail: ["account", "{who}请求了验证码", "{who} asked for a code"],
  sendSmsByPhone: ["account", "{who}请求了验证码", "{who} asked for a code"],
  visit: ["account", "{who}生成了模板分享链接", "{who} created a link for templates"],
  endVisits: ["account", "{who}收回了模板分享链接", "{who} ended the links for templates"],
  leave: ["account", "{who}结束了演示环境", "{who} left the demonstration"],
  rotateKey: ["account", "{who}更换了加密密钥", "{who} changed the key for secrets"],
  prepareKey: [
    "account",
    "{who}准备更换控制器密钥",
    "{who} prepared a change of the controller's key",
  ],
  cancelKey: [
    "account",
    "{who}取消了更换控制器密钥",
    "{who} cancelled the change of the controller's key",
  ],
  activateKey: ["account", "{who}更换了控制器密钥", "{who} changed the controller's key"],
  restore: ["account", "{who}从备份恢复了数据", "{who} restored a backup"],
} as const satisfies Readonly<Record<string, Texted>>;

/** "routerBgp.manage.add" -> "add". The operation log keeps it in a column of its own. */
export const actionPart = (action: string): string => action.slice(action.lastIndexOf(".") + 1);

/** What is known of an action by its call's id; null: nothing. */
export const recordActionOf = (action: string): RecordAction | null => {
  const part = actionPart(action);
  if (!Object.hasOwn(recordActions, part)) return null;
  const [kind, ...text] = recordActions[part as keyof typeof recordActions];
  return { kind, text };
};

/** Last parts of the calls of one kind. */
export const actionsOfKind = (kind: RecordKind): string[] =>
  Object.entries(recordActions)
    .filter(([, [one]]) => one === kind)
    .map(([part]) => part);
