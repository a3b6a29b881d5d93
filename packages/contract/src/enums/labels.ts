/**
 * What the codes of spec/enums.json are called, by the list's id. `"*"` stands for every value that
 * the list does not name. Of a bit mask the key is the bit, and 0 the text when none is set.
 */
import { contractMessages as texts } from "#contract/messages.ts";
import { cpeTypeBits } from "#domains/devices/enums.ts";
import type { Message } from "#kernel/message.ts";

interface EnumList {
  readonly kind: "code" | "bitmask";
  readonly labels: Readonly<Record<string, Message>>;
}

const codes = (labels: Readonly<Record<string, Message>>): EnumList => ({ kind: "code", labels });
const bits = (labels: Readonly<Record<string, Message>>): EnumList => ({ kind: "bitmask", labels });

const cpeTypes = Object.fromEntries(
  cpeTypeBits.map(([bit, name]): [number, Message] => [bit, [name, name]]),
);

export const enumLists = {
  roleType: codes({
    0: texts["enum.roleType.0"],
    1: texts["enum.roleType.1"],
    "*": texts["enum.roleType.2"],
  }),
  dataScope: codes({
    1: texts["enum.dataScope.1"],
    2: texts["enum.dataScope.2"],
    3: texts["enum.dataScope.3"],
    4: texts["enum.dataScope.4"],
  }),
  language: codes({
    zh_cn: ["简体中文", "Chinese"],
    en_gb: ["英文", "English"],
  }),
  templateLogStatus: codes({
    0: texts["enum.taskStatus.0"],
    1: texts["enum.taskStatus.1"],
    2: texts["enum.taskStatus.2"],
    3: texts["enum.taskStatus.3"],
    4: texts["enum.taskStatus.4"],
  }),
  terminalType: codes({
    1: ["X86", "X86"],
    2: ["MIPS", "MIPS"],
    3: ["MIPSEL", "MIPSEL"],
    4: ["ARM", "ARM"],
    5: ["PC", "PC"],
    6: ["安卓", "Android"],
    7: ["苹果", "Apple"],
    1000: ["客户端", "Client"],
  }),
  cpeType: bits({ 0: ["未知", "Unknown"], ...cpeTypes }),
  nodeType: codes({
    0: ["分支节点", "Spoke"],
    "*": ["中心节点", "Hub"],
  }),
  lineQuality: codes({
    0: texts["enum.lineQuality.0"],
    1: texts["enum.lineQuality.1"],
    "*": texts["enum.lineQuality.2"],
  }),
  xMode: codes({
    0: texts["enum.xMode.0"],
    1: texts["enum.xMode.1"],
    "*": texts["enum.xMode.2"],
  }),
  compareType: codes({
    1: ["大于", ">"],
    2: ["小于", "<"],
    3: ["大于等于", ">="],
    4: ["小于等于", "<="],
  }),
  cpeLinkStatus: codes({
    1: texts["enum.linkStatus.1"],
    "*": texts["enum.linkStatus.0"],
  }),
  businessType: codes({
    network: ["组网", "Network"],
    speed: ["加速", "Acceleration"],
    all: ["组网+加速", "Both"],
    "*": ["未设置", "Unset"],
  }),
  userType: bits({
    1: ["CPE 用户", "CPE user"],
    2: ["移动用户", "Mobile user"],
    4: ["PPPoE 用户", "PPPoE user"],
    8: ["访客", "Guest"],
  }),
  lineGroup: bits({
    1: ["WAN 链路 1", "Line 1"],
    2: ["WAN 链路 2", "Line 2"],
    4: ["WAN 链路 3", "Line 3"],
    8: ["WAN 链路 4", "Line 4"],
  }),
  natType: bits({
    0: ["无 NAT", "No NAT"],
    1: ["源 NAT", "Source NAT"],
    2: ["目的 NAT", "Destination NAT"],
    4: ["全锥型", "Full cone"],
    8: ["对称型", "Symmetric"],
  }),
  ospfFlags: bits({
    1: ["引入直连路由", "Redistribute connected"],
    2: ["引入静态路由", "Redistribute static"],
    4: ["引入 BGP 路由", "Redistribute BGP"],
    8: ["通告缺省路由", "Originate default route"],
  }),
  enterpriseState: codes({
    1: texts["enum.enable.1"],
    0: texts["enum.enable.0"],
  }),
  enableState: codes({
    1: texts["enum.enable.1"],
    0: texts["enum.enable.0"],
  }),
  tokenExpiryState: codes({
    3: ["正常", "Normal"],
    4: ["即将到期", "Due soon"],
    5: ["已到期", "Expired"],
  }),
  noticeKeyFilter: codes({
    4: ["即将到期", "About to expire"],
    5: ["已到期", "Expired"],
  }),
  cpeTaskState: codes({
    0: ["排队中", "Queued"],
    1: ["执行中", "Running"],
    2: ["已完成", "Done"],
    3: ["失败", "Failed"],
    4: ["已取消", "Cancelled"],
  }),
  firmwareTaskState: codes({
    0: ["排队中", "Queued"],
    1: ["下载中", "Downloading"],
    2: ["已升级", "Upgraded"],
    3: ["失败", "Failed"],
    4: ["已取消", "Cancelled"],
  }),
  enterpriseType: codes({
    0: texts["enum.enterpriseType.0"],
    1: texts["enum.enterpriseType.1"],
  }),
  strategyType: codes({
    0: ["自动", "Automatic"],
    1: ["指定 POP 策略", "Chosen POP strategy"],
  }),
  dnsEntryType: codes({
    0: ["域名解析", "Domain to address"],
    1: ["指定 DNS 服务器", "Domain to DNS server"],
  }),
  hotStandbyRole: codes({
    active: texts["enum.hotStandbyRole.active"],
    standby: texts["enum.hotStandbyRole.standby"],
  }),
  auditStatus: codes({
    0: ["待审核", "Pending"],
    1: ["已通过", "Approved"],
    2: ["已驳回", "Rejected"],
  }),
  messageStatus: codes({
    0: ["未读", "Unread"],
    1: ["已读", "Read"],
  }),
  alarmLevel: codes({
    1: texts["enum.alarmLevel.1"],
    2: texts["enum.alarmLevel.2"],
    3: texts["enum.alarmLevel.3"],
    4: texts["enum.alarmLevel.4"],
  }),
  alarmMetric: codes({
    node: texts["enum.alarmMetric.node"],
    config: texts["enum.alarmMetric.config"],
    finding: texts["enum.alarmMetric.finding"],
    deny: texts["enum.alarmMetric.deny"],
    rollout: texts["enum.alarmMetric.rollout"],
    repair: texts["enum.alarmMetric.repair"],
    line: texts["enum.alarmMetric.line"],
    link: texts["enum.alarmMetric.link"],
    delay: texts["enum.alarmMetric.delay"],
    jitter: texts["enum.alarmMetric.jitter"],
    loss: texts["enum.alarmMetric.loss"],
    bandwidth: texts["enum.alarmMetric.bandwidth"],
    cpu: texts["enum.alarmMetric.cpu"],
    mem: texts["enum.alarmMetric.mem"],
  }),
  sideStyle: codes({
    0: ["浅色", "Light"],
    1: ["深色", "Dark"],
  }),
  headStyle: codes({
    0: ["浅色", "Light"],
    1: ["深色", "Dark"],
    2: ["主色", "Primary colour"],
  }),
  layoutStyle: codes({
    0: ["左侧菜单", "Left menu"],
    1: ["顶部菜单", "Top menu"],
    2: ["混合菜单", "Mixed"],
  }),
  tabStyle: codes({
    0: ["默认", "Default"],
    1: ["圆点", "Dot"],
    2: ["卡片", "Card"],
  }),
  noticeDateTone: codes({
    past: ["红色", "Red"],
    notPast: ["琥珀色", "Amber"],
  }),
  noticeLabel: codes({
    past: ["已到期", "expired"],
    notPast: ["到期时间", "due date"],
  }),
  specialSystem: codes({
    xspeeder: ["xspeeder", "xspeeder"],
    sftel: ["sftel", "sftel"],
    xiaolong: ["xiaolong", "xiaolong"],
    jiuxi: ["jiuxi", "jiuxi"],
  }),
} as const satisfies Record<string, EnumList>;
export type EnumName = keyof typeof enumLists;

const labelsOf = (name: EnumName): ReadonlyMap<string, Message> =>
  new Map(Object.entries<Message>(enumLists[name].labels));

/** The label of a code; null for a value that the list does not know. A missing value is one too. */
export const enumLabel = (name: EnumName, value: unknown): Message | null => {
  const labels = labelsOf(name);
  return labels.get(String(value)) ?? labels.get("*") ?? null;
};

/** Labels of the bits that are set, in the order of the bits; undefined bits say nothing. */
export const bitLabels = (name: EnumName, mask: number): Message[] => {
  const labels = labelsOf(name);
  const isSet = (bit: string) => (mask & Number(bit)) !== 0;
  const set = [...labels].filter(([bit]) => isSet(bit)).map(([, label]) => label);
  const none = labels.get("0");
  return set.length === 0 && none ? [none] : set;
};
