import { type Finding, findingReasons } from "#contract/device/v1/findings.ts";
import { defineMessages, formatMessage, type Language, type Message } from "#kernel/message.ts";
import { spaceFindingReasons } from "./enums.ts";

/** Texts about what of a configuration does not act on a device. */
export const findingMessages = defineMessages({
  "finding.count": [
    "此设备有 {count} 项异常或未生效的配置",
    "{count|finding|findings} on this device: objects without effect, or unexpected traffic",
  ],
  "finding.countOne": [
    "此设备有 1 项异常或未生效的配置",
    "1 finding on this device: an object without effect, or unexpected traffic",
  ],
  "finding.one": ["{kind} {object}：{reason}", "{kind} {object}: {reason}"],
  "finding.more": ["另有 {count} 项", "and {count} more"],
  "finding.kind.line": ["WAN 链路", "WAN link"],
  "finding.kind.lan": ["LAN 网段", "LAN section"],
  "finding.kind.route": ["静态路由", "Static route"],
  "finding.kind.announce": ["路由通告", "Route notice"],
  "finding.kind.link": ["链路", "Link"],
  "finding.kind.resolver": ["DNS/DHCP 服务", "DNS and DHCP of the LANs"],
  "finding.kind.router": ["站点路由器", "Router of the site"],
  "finding.kind.timeZone": ["时区", "Time zone"],
  "finding.kind.flows": ["连接跟踪表", "Table of flows"],
  "finding.kind.device": ["设备", "Device"],
  "finding.kind.pool": ["移动客户端地址池", "Client pool"],
  "finding.kind.space": ["网络空间", "Space"],
  "finding.kind.accept": ["接收前缀", "Accepted prefix"],
  "finding.kind.network": ["网络空间网段", "Network of the space"],
  "finding.kind.rateUp": ["设备上行限速", "Upstream rate of the device"],
  "finding.kind.rateDown": ["设备下行限速", "Downstream rate of the device"],
  "finding.kind.lineRate": ["WAN 链路限速", "Rate of WAN link"],
  "finding.kind.circuit": ["专线", "Circuit"],
  "finding.kind.bandwidthTunnel": ["带宽通道", "Bandwidth tunnel"],
  "finding.kind.aclRule": ["ACL 规则", "ACL rule"],
  "finding.kind.blacklistEntry": ["黑名单条目", "Blacklist entry"],
  "finding.kind.ipGroup": ["IP 组", "IP group"],
  "finding.kind.appGroup": ["应用组", "Application group"],
  "finding.kind.timeGroup": ["时间组", "Time group"],
  "finding.kind.connectionLimit": ["连接数控制", "Connection-number control"],
  "finding.kind.portMapping": ["端口映射", "Port mapping"],
  "finding.kind.policyRoute": ["策略路由", "Policy route"],
  "finding.kind.urlRule": ["URL 规则", "URL rule"],
  "finding.kind.bandwidthPolicy": ["带宽策略", "Bandwidth policy"],
  "finding.kind.dnsControl": ["DNS 控制", "DNS control"],
  "finding.kind.userGroup": ["封闭用户组", "Closed user group"],
  "finding.noInterface": ["设备没有此接口", "no such interface"],
  "finding.leaseInLan": [
    "DHCP 租约 {lease} 与本站点 LAN {network} 重叠，未使用",
    "DHCP lease {lease} overlaps the site's own LAN {network} and is not used",
  ],
  "finding.leaseInSpace": [
    "DHCP 租约 {lease} 与网络空间的网段 {network} 重叠，仅用于隧道和控制器",
    "DHCP lease {lease} overlaps {network} of the space and is used for tunnels and the controller only",
  ],
  "finding.leaseInLine": [
    "DHCP 租约 {lease} 与另一条 WAN 链路的网段 {network} 重叠，仅使用地址本身",
    "DHCP lease {lease} overlaps {network} of another WAN link: only the address itself is used",
  ],
  "finding.leaseOfLine": [
    "DHCP 租约 {lease} 与另一条 WAN 链路的地址相同，仅使用地址本身",
    "DHCP lease {lease} has the address of another WAN link: only the address itself is used",
  ],
  "finding.leaseInvalid": [
    "DHCP 租约 {lease} 不是可用的接口地址，未使用",
    "DHCP lease {lease} is no address that an interface can have and is not used",
  ],
  "finding.leaseNoTime": [
    "DHCP 租约 {lease} 的租期为 0，未使用",
    "DHCP lease {lease} has a lease time of 0 and is not used",
  ],
  "finding.leaseGateway": [
    "DHCP 租约 {lease} 的网关 {gateway} 无效（不在该网段内、是设备自身的地址，或不能作为网关），网关未使用",
    "Router {gateway} of DHCP lease {lease} is outside of its network, an address of the device, or cannot be a router, and is not used",
  ],
  "finding.kind.card": ["网卡", "network card"],
  "finding.kind.segment": ["分段路由", "Segment route to"],
  "finding.segmentCut": [
    "已撤回：下一跳 POP 或其后的 POP 不可达，按普通路由转发",
    "withdrawn: the next POP or one behind it is not reachable; ordinary routing decides",
  ],
  "finding.segmentEnd": [
    "已撤回：本 POP 没有到目的网段的路由，按普通路由转发",
    "withdrawn: this POP has no route to the destination; ordinary routing decides",
  ],
  "finding.kind.acceleration": ["加速", "Acceleration"],
  "finding.exitCut": [
    "出口 POP 不可达，新建流量从本地出网",
    "its POPs let nothing out at the moment; new flows leave by the device's own WAN links",
  ],
  "finding.kind.standby": ["双机热备", "Hot standby"],
  "finding.lastLine": [
    "该网卡承载最后一条 WAN 链路，未停用",
    "stays up: without it the device has no WAN link",
  ],
  "finding.mtuBelowIpv6": [
    "该接口使用 IPv6，MTU 不能小于 1280，未修改",
    "keeps its MTU: IPv6, which is in use there, needs 1280 bytes",
  ],
  "finding.noIpv6Client": [
    "WAN 链路没有 IPv6：设备没有 DHCP 客户端（请安装软件包 dhcpcd-base）：{why}",
    "has no IPv6: the device has no client for router advertisements and DHCPv6: install the package dhcpcd-base: {why}",
  ],
  "finding.ipv6Overlap": [
    "运营商分配的 IPv6 地址或前缀 {address} 与 {network} 重叠，未使用",
    "IPv6 address or prefix {address} from the provider overlaps {network} and is not used",
  ],
  "finding.ipv6Invalid": [
    "运营商分配的 IPv6 地址或前缀 {address} 不能用于 WAN 链路，未使用",
    "IPv6 address or prefix {address} from the provider is none that a WAN link can have, and is not used",
  ],
  "finding.noPrefix": [
    "没有公网 IPv6：WAN 链路 wan{slot} 尚未获得委派前缀",
    "has no IPv6 of the internet: WAN link wan{slot} gets no prefix",
  ],
  "finding.prefixTooSmall": [
    "没有公网 IPv6：wan{slot} 的委派前缀 {prefix} 没有可用的子网",
    "has no IPv6 of the internet: prefix {prefix} of wan{slot} has no such network, or none left",
  ],
  "finding.noVlan": ["设备不支持 VLAN {vlan}", "the device cannot tag VLAN {vlan}"],
  "finding.noDhcp": [
    "设备没有 DHCP 客户端（请安装软件包 dhcpcd-base）",
    "the device has no DHCP client: install the package dhcpcd-base",
  ],
  "finding.noRouting": ["设备没有路由守护进程", "the device has no routing daemon"],
  "finding.ownAddress": [
    "未生效：{address} 是设备自身的地址",
    "not in effect: {address} is an address of the device itself",
  ],
  "finding.noNextHop": [
    "下一跳 {nextHop} 不在设备的任何网段内",
    "next hop {nextHop} is on no network of the device",
  ],
  "finding.unresolvedNextHop": [
    "下一跳 {nextHop} 只能经静态路由 {route} 到达，而该路由同样未生效：其下一跳不可达，或又指回本路由",
    "next hop {nextHop} is behind static route {route} only, which is not in effect either: its own next hop leads nowhere, or back to this route",
  ],
  "finding.inSpace": [
    "未使用：{network} 属于网络空间，经 WAN 链路（下一跳 {nextHop}）会以明文离开",
    "not used: {network} belongs to the space, and over next hop {nextHop} its traffic would leave a WAN link unencrypted",
  ],
  "finding.metricUnreachable": [
    "度量值 {metric} 表示从不使用",
    "metric {metric} means that the route is never used",
  ],
  "finding.noExit": [
    "网络空间内没有站点通告默认路由，该网段的主机不能上网",
    "no site of the space announces a default route: its hosts have no internet",
  ],
  "finding.noRoute": [
    "设备没有完全相同前缀的路由，不会通告",
    "not announced: the device has no route of exactly this prefix",
  ],
  "finding.foreignSource": [
    "最近丢弃了 {count} 个以上源地址不属于此处的数据包：主机配置有误，或有人伪造源地址",
    "{count} or more packets with a foreign source address were dropped recently: a host is misconfigured, or sources are spoofed",
  ],
  "finding.smallPackets": [
    "最近丢弃了 {count} 个以上小包：网络空间经此 POP 发送的小包（不超过 140 字节）超出 POP 速率允许的数量",
    "{count} or more small packets were dropped recently: the space sends more of them (140 bytes or less) through this POP than its rate allows",
  ],
  "finding.pathMtu": [
    "路径丢弃大包且不回报：隧道 MTU 已由 {wanted} 字节降为 {mtu} 字节",
    "its path drops large packets silently: tunnel MTU is {mtu} bytes instead of {wanted}",
  ],
  "finding.lineSilent": [
    "WAN 链路无响应：接口物理连接正常，但网关、隧道对端和控制器均无应答；如有其他可用 WAN 链路，主机改走其他 WAN 链路",
    "nothing answers: the cable is in, but its gateway, other ends of tunnels and controllers are silent; hosts use another WAN link that leads on",
  ],
  "finding.lineCut": [
    "WAN 链路网关之后中断：网关有应答，隧道对端和控制器均无应答；主机改走其他 WAN 链路",
    "interrupted behind its gateway: the gateway answers, other ends of tunnels and controllers do not; hosts use another WAN link",
  ],
  "finding.lineLossy": [
    "WAN 链路丢包严重（十秒内三成以上）：主机改走其他 WAN 链路，丢包低于一成并持续十秒后恢复",
    "loses too much (30 % or more within ten seconds): hosts use another WAN link, until it loses less than 10 % for ten seconds",
  ],
  "finding.noIpv6": [
    "IPv6 中断：对端 {peer} 无响应，IPv4 正常",
    "IPv6 down: its other end {peer} does not answer, IPv4 does",
  ],
  "finding.noResolver": [
    "设备上无法运行 DNS/DHCP 服务：{why}",
    "the service does not run on the device: {why}",
  ],
  "finding.noNames": [
    "设备上无法运行 DNS/DHCP 服务，站点无法解析域名：DNS 控制或 URL 规则生效，主机向外部服务器的查询也无应答。原因：{why}",
    "the service does not run on the device, and the site has no names: DNS controls or URL rules act, so queries to servers outside get no answer either: {why}",
  ],
  "finding.noFilter": [
    "设备上无法运行 URL 规则的 DNS 服务，受规则限制的主机无法解析域名：{why}",
    "the DNS service of URL rules does not run on the device: hosts under these rules get no names: {why}",
  ],
  "finding.dhcpExhausted": [
    "DHCP 地址池 {first}–{last} 已用尽，新接入的主机无法获得地址",
    "its DHCP range {first} to {last} has no address left: further hosts get none",
  ],
  "finding.noStandby": [
    "设备上无法运行 VRRP，网关只由组内另一台设备承担：{why}",
    "VRRP does not run on the device: only the other device of the group has the gateways: {why}",
  ],
  "finding.noSession": [
    "未建立路由会话：对端不可达，或 AS 号、密码、区域、间隔不一致",
    "no routing session: it is away, or its AS number, password, area or intervals differ",
  ],
  "finding.noTimeZone": [
    "设备不支持此时区：时间组按 UTC 生效",
    "not known to the device: its time groups act by UTC",
  ],
  "finding.flowTableFull": [
    "将满或已满（上限 {max} 条）：新连接被丢弃，已建立的连接不受影响",
    "full or nearly (limit {max}): new flows are dropped, established ones go on",
  ],
  "finding.kind.alarmStrategy": ["告警策略", "Alarm policy"],
  "finding.kind.alarmWindow": ["维护窗口", "Maintenance window"],
  "finding.kind.blacklist": ["黑名单条目", "Blacklist entry"],
  "finding.kind.branch": ["分支", "Branch"],
  "finding.kind.clientService": ["移动终端配置", "Configuration of mobile terminals"],
  "finding.kind.cug": ["封闭用户组", "Closed user group"],
  "finding.kind.dialTask": ["拨测任务", "Dial task"],
  "finding.kind.firmwareTask": ["固件任务", "Firmware task"],
  "finding.kind.mobileAccount": ["移动账号", "Mobile account"],
  "finding.kind.netSpace": ["网络空间", "Space"],
  "finding.kind.popGroup": ["POP 分组", "POP group"],
  "finding.kind.popStrategy": ["POP 策略", "POP strategy"],
  "finding.kind.role": ["角色的数据范围", "Data scope of role"],
  "finding.kind.routerTemplate": ["路由模板", "Router template"],
  "finding.kind.saasGroup": ["加速组", "Acceleration group"],
  "finding.kind.segmentRoute": ["网段路由", "Segment route"],
  "finding.kind.vbrNode": ["跨云节点", "Cross-cloud node"],
  "finding.kind.nextHop": ["策略路由下一跳", "Next hop of policy routes"],
  "finding.ownInterface": [
    "未生效：该接口由设备程序自己使用",
    "left out: the interface is one of the device program's own",
  ],
  "finding.lineInterface": [
    "未生效：该接口属于 WAN 链路 {slot}",
    "left out: the interface is that of WAN link {slot}",
  ],
  "finding.reservedAddress": [
    "未生效：保留地址不能用作站点网段",
    "left out: a reserved network, which no site can have",
  ],
  "finding.endpointAddress": [
    "未生效：{address} 是隧道对端或控制器的地址",
    "left out: {address} is the address of the other end of a tunnel, or of the controller",
  ],
  "finding.refused": [
    "未生效，其余配置已生效。设备拒绝：{why}",
    "not in effect, unlike the rest of the configuration. The device refuses it: {why}",
  ],
  "finding.refusedBroader": [
    "设备拒绝此禁止规则，改为禁止更大范围（{denies}，* 表示任意），其余配置已生效：{why}",
    "the device refuses it as it is saved, and denies more in its place ({denies}; * is any); the rest of the configuration acts: {why}",
  ],
  "finding.refusedKept": [
    "未生效，沿用之前的设置，其余配置已生效。设备拒绝：{why}",
    "stays as it was before, and the rest of the configuration acts. The device refuses it: {why}",
  ],
  "finding.refusedIpv6": [
    "IPv6 未生效，其余配置已生效。设备拒绝：{why}",
    "has no IPv6, unlike the rest of the configuration, which acts. The device refuses it: {why}",
  ],
  "finding.notClosed": [
    "设备拒绝写入不可达路由，仅由防火墙阻止其流量离开网络空间：{why}",
    "only the firewall keeps its traffic inside the space: the device refuses the unreachable route: {why}",
  ],
  "finding.closedBroader": [
    "防火墙拒绝此网段，改为阻止更大网段的流量离开网络空间（{denies}，* 表示全部），其余配置已生效：{why}",
    "the firewall refuses it, and keeps a wider network inside the space in its place ({denies}; * is everything); the rest of the configuration acts: {why}",
  ],
  "finding.noIndex": [
    "未建立：组网的链路数已达上限（此设备共缺 {count} 条）",
    "not created: the space has its maximum number of links ({count} missing on this device)",
  ],
  "finding.noPort": [
    "未建立：{full} 没有空闲的隧道端口（此设备共缺 {count} 条）",
    "not created: {full} has no free tunnel port ({count} missing on this device)",
  ],
  "finding.noLine": [
    "无法建立：设备没有 WAN 链路",
    "none can be created: the device has no WAN link",
  ],
  "finding.noCallable": [
    "站点无法与此 POP 建立链路：没有公网可达的 WAN 链路（需要公网地址）",
    "no site can connect to this POP: none of its WAN links is publicly reachable (a public address is needed)",
  ],
  "finding.noPeer": [
    "无法建立：组网内其他成员没有公网可达的 WAN 链路",
    "none can be created: no other member of the space has a publicly reachable WAN link",
  ],
  "finding.noPop": [
    "POP 策略“{strategy}”中没有 POP 可用：组网内没有其 POP，或其 POP 没有公网可达的 WAN 链路；原有链路保留",
    "POP strategy {strategy} leaves it no POP: none of its POPs in the space is publicly reachable; existing links are kept",
  ],
  "finding.popExpired": [
    "未建立：此 POP 已到期，不接受新链路",
    "not created: this POP has expired and takes no new links",
  ],
  "finding.collides": [
    "与 {site} 的 {network} 冲突，一方会截取另一方的流量",
    "collides with {network} of {site}: one takes traffic of the other",
  ],
  "finding.ofFormerAgent": [
    "属于企业“{enterprise}”，仍作用于此节点：企业已转移到其他代理商，请由可管理双方的管理员将其移除",
    "is of enterprise {enterprise} and still about this node, although an enterprise moved to another agent since: someone above both should end that",
  ],
  "finding.reportsFlap": [
    "上报的隧道密钥、WAN 链路地址或能力反复变化，据此生成的配置已延后下发",
    "reports other tunnel keys, addresses or capabilities again and again: configurations made of them are put off",
  ],
});

/** A device of another version may leave out what a text names. */
const blank = {
  vlan: "",
  nextHop: "",
  route: "",
  metric: "",
  mtu: "",
  wanted: "",
  count: "",
  peer: "",
  full: "",
  site: "",
  network: "",
  strategy: "",
  enterprise: "",
  denies: "",
};

const reasons = [...findingReasons, ...spaceFindingReasons] as const;
const isReason = (reason: string): reason is (typeof reasons)[number] =>
  reasons.some((known) => known === reason);

/** A newer device may have reasons and kinds for which there is no text: they are shown as they come. */
export function findingText(
  { kind, object, reason, params }: Omit<Finding, "section">,
  language: Language,
): string {
  const texts: Readonly<Record<string, Message>> = findingMessages;
  const of = (key: string, given = {}): string | undefined => {
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
    return text && formatMessage(text, language, given);
  };
  const because = isReason(reason) ? of(`finding.${reason}`, { ...blank, ...params }) : undefined;
  return formatMessage(findingMessages["finding.one"], language, {
    kind: of(`finding.kind.${kind}`) ?? kind,
    object,
    reason: because ?? [reason, ...Object.values(params)].join(" "),
  });
}
