/**
 * What the codes of spec/enums.json are called, by the list's id. `"*"` stands for every value that
 * the list does not name. Of a bit mask the key is the bit, and 0 the text when none is set.
 */
import { contractMessages } from "#contract/messages.ts";
import { dataScopes, enterpriseTypes, messageStatuses } from "#domains/access/enums.ts";
import { alarmMetrics, cpeTypeBits } from "#domains/devices/enums.ts";
import { dnsEntryTypes, firmwareTaskStates } from "#domains/devices/settings-enums.ts";
import {
  auditStatuses,
  businessTypes,
  specialSystems,
  strategyTypes,
} from "#domains/enterprises/enums.ts";
import { terminalTypes } from "#domains/mobile/mobile-account.ts";
import { alarmLevels, compareTypes } from "#domains/notifications/enums.ts";
import { languages, type Message } from "#kernel/message.ts";

interface EnumList {
  readonly kind: "code" | "bitmask";
  readonly labels: Readonly<Record<string, Message>>;
}

const codes = (labels: Readonly<Record<string, Message>>): EnumList => ({ kind: "code", labels });
const bits = (labels: Readonly<Record<string, Message>>): EnumList => ({ kind: "bitmask", labels });

const texts: Readonly<Record<string, Message>> = contractMessages;

/** What screens show of these codes. */
const shown = (
  list: string,
  values: readonly (string | number)[],
): Readonly<Record<string, Message>> =>
  Object.fromEntries(
    values.map((value): [string, Message] => {
      const text = texts[`enum.${list}.${value}`];
      if (!text) throw new Error(`${list} has no text of ${value}`);
      return [`${value}`, text];
    }),
  );

const enabled = codes(shown("enable", [1, 0]));

export const enumLists = {
  roleType: codes({
    ...shown("roleType", [0, 1]),
    "*": contractMessages["enum.roleType.2"],
  }),
  dataScope: codes(shown("dataScope", dataScopes)),
  language: codes(shown("language", languages)),
  templateLogStatus: codes(shown("taskStatus", [0, 1, 2, 3, 4])),
  terminalType: codes(shown("terminalType", terminalTypes)),
  cpeType: bits({
    0: ["未知", "Unknown"],
    ...Object.fromEntries(cpeTypeBits.map(([bit, name]): [number, Message] => [bit, [name, name]])),
  }),
  nodeType: codes({
    0: ["分支节点", "Spoke"],
    "*": ["中心节点", "Hub"],
  }),
  lineQuality: codes({
    ...shown("lineQuality", [0, 1]),
    "*": contractMessages["enum.lineQuality.2"],
  }),
  xMode: codes({
    ...shown("xMode", [0, 1]),
    "*": contractMessages["enum.xMode.2"],
  }),
  compareType: codes(shown("compareType", compareTypes)),
  cpeLinkStatus: codes({
    1: contractMessages["enum.linkStatus.1"],
    "*": contractMessages["enum.linkStatus.0"],
  }),
  businessType: codes({
    ...shown("businessType", businessTypes),
    "*": ["未设置", "Unset"],
  }),
  userType: bits({
    1: ["CPE 用户", "CPE user"],
    2: ["移动用户", "Mobile user"],
    4: ["PPPoE 用户", "PPPoE user"],
    8: ["访客", "Guest"],
  }),
  lineGroup: bits(shown("lineGroup", [1, 2, 4, 8])),
  natType: bits({
    0: ["无 NAT", "No NAT"],
    ...shown("natType", [1, 2, 4, 8]),
  }),
  ospfFlags: bits(shown("ospfFlags", [1, 2, 4, 8])),
  enterpriseState: enabled,
  enableState: enabled,
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
  firmwareTaskState: codes(shown("firmwareTaskState", firmwareTaskStates)),
  enterpriseType: codes(shown("enterpriseType", enterpriseTypes)),
  strategyType: codes(shown("strategyType", strategyTypes)),
  dnsEntryType: codes(shown("dnsEntryType", dnsEntryTypes)),
  hotStandbyRole: codes(shown("hotStandbyRole", ["active", "standby"])),
  auditStatus: codes(shown("auditStatus", auditStatuses)),
  messageStatus: codes(shown("messageStatus", messageStatuses)),
  alarmLevel: codes(shown("alarmLevel", alarmLevels)),
  alarmMetric: codes(shown("alarmMetric", alarmMetrics)),
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
  specialSystem: codes(
    Object.fromEntries(specialSystems.map((name): [string, Message] => [name, [name, name]])),
  ),
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
