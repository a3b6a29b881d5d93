import { contractMessages } from "#contract/messages.ts";
import { defineMessages, formatMessage, type Language, type Message } from "#kernel/message.ts";
import { type PolicyReason, policyTitle } from "./policy-finding.ts";

/** Why an object is not applied as configured. */
export const policyReasonMessages = defineMessages({
  "policy.reason.notCarriedOut": ["设备尚不支持", "not supported by the device yet"],
  "policy.reason.held": ["设备固定在历史配置 #{serial}", "pinned to configuration #{serial}"],
  "policy.reason.replaced": ["设备自身有同名对象", "the node has one of the same name"],
  "policy.reason.offReference": [
    "“{field}”引用的对象已停用",
    "the object in “{field}” is disabled",
  ],
  "policy.reason.emptyGroup": ["“{field}”引用的组没有条目", "the group in “{field}” is empty"],
  "policy.reason.noLine": ["没有 WAN 链路 {slot}", "no WAN link {slot}"],
  "policy.reason.noSpace": ["设备不在任何空间中", "the device is in no space"],
  "policy.reason.noCommonSpace": ["两端不在同一空间", "its two ends share no space"],
  "policy.reason.noCircuitLink": [
    "没有通向另一端的链路",
    "no link of the node leads towards the other end",
  ],
  "policy.reason.noNetworks": [
    "另一端未向空间通告任何网段",
    "the other end brings no network into the space",
  ],
  "policy.reason.noClasses": [
    "企业未启用业务等级，实时业务不会优先走专线",
    "real-time traffic does not prefer the special line: the enterprise has no traffic classes",
  ],
  "policy.reason.noDirectLink": [
    "两端之间没有直连链路，实时业务无法优先走该专线",
    "real-time traffic cannot prefer it: no link leads straight to its other end",
  ],
  "policy.reason.sameEnds": [
    "“{name}”的两端相同，以其为准",
    "“{name}” has the same ends and comes first",
  ],
  "policy.reason.takesNoPart": ["设备未参与用户组", "the device is in no user group"],
  "policy.reason.noFellow": [
    "空间内没有其他成员，设备在空间内无法访问任何站点",
    "no other member is in its space, where it reaches no site",
  ],
  "policy.reason.noLeavingLan": [
    "没有既可本地出网又加入空间的 LAN",
    "no LAN of the device may both leave by its WAN links and enter the space",
  ],
  "policy.reason.noExitPop": [
    "设备没有到出口 POP 的链路，流量从本地出网",
    "the device has no link to a POP where it is to leave; flows leave by its own WAN links",
  ],
  "policy.reason.exitTwin": [
    "出口 POP 与同一网络空间内的另一台 POP 在设备上无法区分（编号相差 8192 的倍数），流量从本地出网",
    "devices cannot tell the POP from another one of the space, as their ids differ by a multiple of 8192; flows leave by the site's own WAN links",
  ],
  "policy.reason.noLan": ["设备没有 LAN", "the device has no LAN"],
  "policy.reason.oneFamily": [
    "仅对 {only} 生效，同一主机的 {other} 未覆盖",
    "acts on {only} only; {other} of the same hosts is not covered",
  ],
  "policy.reason.dnsOnly": [
    "仅通过设备自身的 DNS 拦截：使用其他 DNS 服务器的主机不受限制",
    "denied by the device's own DNS server only: hosts that use another DNS server are not blocked",
  ],
  "policy.reason.ownDnsOnly": [
    "对经过设备的明文 DNS 查询生效；使用加密 DNS（DoH、DoT）或 LAN、空间内其他 DNS 服务器的主机不受控制",
    "acts on plain DNS that passes the device; hosts that use encrypted DNS (DoH, DoT) or another DNS server in the LAN or the space are not covered",
  ],
  "policy.reason.hostsByName": [
    "按域名对整个主机生效：使用 DNS over HTTPS、LAN 或空间内其他 DNS 服务器，或直接访问 IP 地址的主机不受控制",
    "acts on whole hosts by DNS name; hosts that use DNS over HTTPS, another DNS server in the LAN or the space, or the IP address itself are not covered",
  ],
  "policy.reason.redirectDenied": [
    "设备无法重定向，该规则按拒绝处理",
    "the device cannot redirect; the rule denies its hosts",
  ],
  "policy.reason.partOfHost": [
    "设备只能拦截整个主机，包含端口、路径或参数的 URL 不生效",
    "only whole hosts can be denied: a URL with a port, a path or a query does not act",
  ],
  "policy.reason.hostByAddress": [
    "URL 中是 IP 地址而不是域名，无法通过 DNS 拦截",
    "names an IP address and no domain name, which DNS cannot deny",
  ],
  "policy.reason.anyScheme": [
    "对整个主机生效，不区分 http 和 https",
    "acts on the whole host, by http and by https",
  ],
  "policy.reason.noWholeHost": [
    "URL 组中没有可按整个主机拦截的条目",
    "no entry of the URL group means a whole host",
  ],
  "policy.reason.tooManyFilters": [
    "此前各规则的 IP 组已将主机划分为 {most} 类，设备不支持更多分类",
    "the IP groups of the rules before it already make {most} classes of hosts, and the device has no more",
  ],
  "policy.reason.routeWithoutLine": [
    "未选择 WAN 链路，连接不按解析结果选路",
    "names no WAN link, so connections do not follow the answers",
  ],
  "policy.reason.notWan": ["“{field}”不是 WAN 链路", "“{field}” is not a WAN link"],
  "policy.reason.unused": ["没有生效的规则引用它", "no rule in effect refers to it yet"],
  "policy.reason.bypass": [
    "设备处于旁路模式，主机经网关访问互联网",
    "the device is beside the gateway (bypass), by which hosts answer the internet",
  ],
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
  "policy.reason.hopNotConnected": [
    "下一跳 {host} 不在设备直连的网段（LAN 或静态地址的 WAN 链路）",
    "next hop {host} is in no network that the device is connected to (a LAN, or a WAN link with a static address)",
  ],
  "policy.reason.hopIsDevice": [
    "下一跳 {host} 是设备自身的地址",
    "next hop {host} is an address of the device itself",
  ],
  "policy.reason.lastLine": [
    "停用后设备没有可用的 WAN 链路，该网卡保持启用",
    "not switched off: the device would have no WAN link",
  ],
  "policy.reason.mtuBelowIpv6": [
    "该网卡使用 IPv6，MTU 不能小于 {least}",
    "its MTU is not set: IPv6, which is in use there, needs {least} bytes",
  ],
  "policy.reason.noVlan": [
    "设备内核不支持 802.1Q，VLAN {vlan} 不生效",
    "VLAN {vlan} does not act: the kernel of the device has no 802.1Q",
  ],
  "policy.reason.vlanTaken": [
    "VLAN 不生效：接口 {name} 已被 WAN 链路或其他网卡使用",
    "its VLAN does not act: {name} is the interface of a WAN link or of another card's VLAN",
  ],
  "policy.reason.wanOfCard": [
    "VLAN 不作用于 WAN 链路“{line}”，如需承载于该 VLAN，请将其接口改为 {name}",
    "its VLAN is not that of WAN link “{line}”; set the interface of the link to {name} for that",
  ],
  "policy.reason.noLanOfCard": [
    "VLAN 不生效：网卡上没有未设 VLAN 的 LAN 网段",
    "its VLAN does not act: the card has no LAN section without a VLAN of its own",
  ],
  "policy.reason.noPppoe": [
    "设备不支持 PPPoE（内核缺少 PPP 或未安装 pppd）",
    "does not act: the device has no PPPoE (no PPP in its kernel, or no pppd)",
  ],
  "policy.reason.ofLineItself": [
    "“{field}”以设备自身的 WAN 链路或 LAN 配置为准",
    "in “{field}” the device's own WAN link or LAN says something else, which is kept",
  ],
  "policy.reason.rangeInNoLan": [
    "地址池 {first} - {last} 不在设备的任何 LAN 网段内",
    "no LAN of the device has all addresses from {first} to {last}",
  ],
  "policy.reason.rangeHas": [
    "地址池包含 {address}：LAN 网段的网关、本机、网络或广播地址",
    "the range contains {address}, which is the gateway, a device, the network or the broadcast address of its LAN section",
  ],
  "policy.reason.rangeTaken": [
    "该 LAN 的地址池已由“{name}”设定",
    "“{name}” gives this LAN its address range",
  ],
  "policy.reason.dhcpOff": ["设备未启用 DHCP", "DHCP is disabled on the device"],
  "policy.reason.standbyOfNode": [
    "热备组 {group} 不生效，以 CPE 自身的热备设置为准",
    "acts without standby group {group}: the CPE's own hot standby settings name another one, which is kept",
  ],
  "policy.reason.standbyOfLine": [
    "一台设备只属于一个热备组，以“{name}”中的为准",
    "acts without its standby group: a device is in one group, which “{name}” names",
  ],
  "policy.reason.standbyNoLan": [
    "热备不生效：设备没有网关为 {address} 的 LAN 网段",
    "acts without hot standby: no LAN section of the device has the gateway {address}",
  ],
  "policy.reason.standbyNoOwnAddress": [
    "热备不生效：LAN 网段 {network} 未填写本机地址",
    "acts without hot standby: LAN section {network} has no own address of the device",
  ],
  "policy.reason.standbyAlone": [
    "热备组 {group} 中没有其他 CPE",
    "has no standby: no other CPE of the enterprise is in group {group}",
  ],
  "policy.reason.standbyBeyond": [
    "热备组 {group} 已有两台设备（{name} 等），本设备不参与",
    "acts without hot standby: group {group} has two devices already, one of them {name}",
  ],
  "policy.reason.standbyPartnerCannot": [
    "同组的 {name} 不支持 VRRP，不进行主备切换",
    "has no standby: {name}, the other device of the group, has no VRRP",
  ],
  "policy.reason.addressOfLan": [
    "{address} 是 LAN 网段的网关、本机、网络或广播地址",
    "{address} is the gateway, a device, the network or the broadcast address of its LAN section",
  ],
  "policy.reason.ttlWithoutLine": [
    "TTL 增量仅对经 WAN 链路发出的报文生效，该规则未选择 WAN 链路",
    "acts without the TTL increment, which only changes what leaves by a WAN link that the route names",
  ],
  "policy.reason.noLineRate": [
    "WAN 链路未填写带宽，只能限制最大带宽，无法保障",
    "kept to its maximum; without rates of all WAN links there is no guarantee",
  ],
  "policy.reason.guaranteesAbove": [
    "保障带宽合计超过可分配的 {most} kbit/s，已按比例缩减",
    "all guarantees together are above {most} kbit/s and are cut in proportion",
  ],
  "policy.reason.notInSpaceLan": [
    "{host} 不在该设备接入空间的 LAN 网段",
    "{host} is in no LAN of the device whose hosts may enter the space",
  ],
  "policy.reason.noSpaceLan": [
    "接口 {interfaceName} 上没有接入空间的 LAN 网段",
    "{interfaceName} has no LAN whose hosts may enter the space",
  ],
  "policy.reason.noSpaceLink": ["设备在空间中没有链路", "the device has no link in a space"],
  "policy.reason.sameAsn": [
    "邻居 AS 号 {asn} 与设备自身的相同",
    "the neighbour's AS number {asn} is the device's own",
  ],
  "policy.reason.nothingDeclared": [
    "不接收任何路由：站点没有路由通告或已通告的静态路由",
    "no route is accepted: the site has no route notice and no announced static route",
  ],
  "policy.reason.fieldNotCarriedOut": [
    "设备尚不支持“{field}”的设置",
    "the setting of “{field}” is not supported yet",
  ],
  "policy.reason.secretUnusable": [
    "“{field}”无法下发：已保存的内容无法解密，或含空格、非 ASCII 字符，请重新填写",
    "“{field}” cannot be sent: what is stored cannot be decrypted, or has a space or a character that is not ASCII. Enter it again",
  ],
  "policy.reason.tooMany": ["设备最多执行 {most} 个", "the device takes at most {most}"],
  "policy.reason.tooManyMatches": [
    "该规则按应用组展开为设备防火墙的 {needed} 条规则，设备对引用应用组的规则合计最多执行 {most} 条，仅剩 {left} 条",
    "with its application group it is {needed} rules of the device's firewall, which has {left} left of {most} for rules with application groups",
  ],
  "policy.reason.rulesWithoutRoom": [
    "设备防火墙容量不足，引用该应用组的 {count} 条规则未执行：{rules}",
    "the device has no room for {count} rules that name the group: {rules}",
  ],
  "policy.reason.aclOff": ["设备未启用 ACL", "the ACL of the device is disabled"],
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
