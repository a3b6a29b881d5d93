import { contractMessages } from "#contract/messages.ts";
import { defineMessages, formatMessage, type Language, type Message } from "#kernel/message.ts";
import { type PolicyReason, policyTitle } from "./policy-finding.ts";

/** Why an object does not act as it was asked for. */
export const policyReasonMessages = defineMessages({
  "policy.reason.notCarriedOut": ["设备尚不支持", "not supported by the device yet"],
  "policy.reason.held": ["设备停留在历史配置 #{serial}", "held at configuration #{serial}"],
  "policy.reason.replaced": ["设备自身有同名对象", "the node has one of the same name"],
  "policy.reason.offReference": ["“{field}”引用的对象已停用", "the object in “{field}” is off"],
  "policy.reason.emptyGroup": ["“{field}”引用的组没有条目", "the group in “{field}” is empty"],
  "policy.reason.noLine": ["没有线路 {slot}", "no WAN link {slot}"],
  "policy.reason.noLan": ["设备没有 LAN", "the device has no LAN"],
  "policy.reason.oneFamily": [
    "仅对 {only} 生效，同一主机的 {other} 未覆盖",
    "acts on {only} only; {other} of the same hosts is not covered",
  ],
  "policy.reason.notWan": ["“{field}”不是 WAN 线路", "“{field}” is no WAN link"],
  "policy.reason.notInLan": ["{host} 不在该设备的 LAN 网段", "{host} is in no LAN of the device"],
  "policy.reason.portsTaken": ["外部端口已被“{name}”占用", "“{name}” has these external ports"],
  "policy.reason.portsOfTunnels": [
    "端口 {port} 由设备自身的隧道使用",
    "port {port} is one of the device's own tunnels",
  ],
  "policy.reason.movedPorts": [
    "最多可将 {most} 个端口改为其他端口号",
    "at most {most} ports can get other numbers",
  ],
  "policy.reason.tooMany": ["设备最多执行 {most} 个", "the device takes at most {most}"],
  "policy.reason.aclOff": ["设备的 ACL 已关闭", "the ACL of the device is off"],
} satisfies Readonly<Record<`policy.reason.${PolicyReason}`, Message>>);

const texts: Readonly<Record<string, Message>> = policyReasonMessages;
const known: Readonly<Record<string, Message>> = contractMessages;

interface Because {
  readonly reason: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A reason of a controller of a later version has no text: its code is shown. */
export function policyReasonText({ reason, params }: Because, language: Language): string {
  const text = texts[`policy.reason.${reason}`];
  if (!text) return reason;
  const { field, ...others } = params;
  const label = field === undefined ? undefined : known[`field.${field}`];
  const named = label ? formatMessage(label, language) : field;
  return formatMessage(text, language, { ...others, ...(named !== undefined && { field: named }) });
}

/** For example "URL 规则 games：设备尚不支持", "URL rule games: not supported by the device yet". */
export function policyFindingText(
  { family, name, ...why }: Because & { readonly family: string; readonly name: string },
  language: Language,
): string {
  const object = `${formatMessage(policyTitle(family), language)} ${name}`;
  return `${object}${language === "zh_cn" ? "：" : ": "}${policyReasonText(why, language)}`;
}
