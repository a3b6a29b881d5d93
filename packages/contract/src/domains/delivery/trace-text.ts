import type { TraceReason, TraceStage } from "#contract/device/v1/trace/packet.ts";
import type { Message } from "#kernel/message.ts";

/** What each stage of a device's rules is called. */
export const traceStageTexts: Readonly<Record<TraceStage, Message>> = {
  source: ["源地址检查", "Source check"],
  mapping: ["端口映射", "Port mapping"],
  route: ["路由", "Route"],
  policyRoute: ["策略路由", "Policy route"],
  device: ["设备自身", "Device itself"],
  space: ["空间隔离", "Isolation of the space"],
  groups: ["封闭用户组", "Closed user groups"],
  names: ["URL 规则", "URL rules"],
  blocks: ["MAC 黑名单", "Blocked MAC addresses"],
  limits: ["连接数控制", "Connection limits"],
  acl: ["ACL 与黑名单", "ACL and blacklist"],
  zone: ["区域转发", "Forwarding between zones"],
  nat: ["NAT", "NAT"],
};

/** Why a stage decided so. */
export const traceReasonTexts: Readonly<Record<TraceReason, Message>> = {
  ownSource: [
    "{source} 属于 {interfaceName} 的 LAN 网段",
    "{source} belongs to a LAN section of {interfaceName}",
  ],
  unchecked: ["WAN 链路上的源地址不检查", "source addresses on a WAN link are not checked"],
  foreignSource: ["{source} 不是此处允许的源地址", "{source} is not a source that is allowed here"],
  knownToSpace: [
    "{source} 属于空间内通告的网段",
    "{source} is in a network that the space announces",
  ],
  noSuchLan: ["{interfaceName} 上没有 LAN 网段", "{interfaceName} has no LAN section"],
  mapped: ["目的地址改为 {host}:{port}", "the destination becomes {host}:{port}"],
  unmapped: ["没有匹配的端口映射", "no port mapping matches"],
  deviceOwn: ["端口由设备自身使用，不映射", "the port is the device's own and is not mapped"],
  ownResolver: [
    "有 DNS 控制、URL 规则或黑名单，明文 DNS 查询改由设备应答（{host}）",
    "the device has DNS controls, URL rules or a blacklist, and answers plain DNS itself, at {host}",
  ],
  namesFiltered: [
    "查询的域名若匹配，则按该规则拒绝或放行（查询内容未知）",
    "denies or allows the name if it is one of the rule's; which name is asked is not known here",
  ],
  toDevice: ["目的地址是设备自身", "the destination is the device itself"],
  toLan: ["经 {interfaceName} 到 {network}", "by {interfaceName} to {network}"],
  // Whether the far site is up decides, and the state of this device does not know it.
  toSpace: [
    "{network} 属于空间：有站点正在通告时经隧道发送，否则在此丢弃（远端站点当前状态未知）",
    "{network} is of the space: it goes through a tunnel while a site announces it, and is dropped here otherwise; whether that site is up is not known here",
  ],
  bySpaceDefault: [
    "空间的默认路由（集中出口）：出口站点在线时经隧道发送，否则在此丢弃（出口当前状态未知）",
    "by the default route of the space (central breakout) while its exit is up, and dropped here otherwise; whether it is up is not known here",
  ],
  byLine: ["经 WAN 链路 {interfaceName}", "by WAN link {interfaceName}"],
  noTunnel: [
    "目的网络属于空间，没有隧道可达，不会走 WAN 链路",
    "the network is of the space and no tunnel leads there; it never leaves by a WAN link",
  ],
  noExit: [
    "主机仅经空间上网，空间内没有默认路由",
    "its host reaches the internet by the space only, and the space has no default route",
  ],
  noRoute: ["没有可用 WAN 链路", "no WAN link has an address of this family"],
  linkLocal: ["链路本地地址不转发", "link-local addresses are not routed"],
  routed: ["改经 WAN 链路 {interfaceName}", "by WAN link {interfaceName} instead"],
  routedToHop: [
    "改经下一跳 {host}（{interfaceName}）",
    "by next hop {host} on {interfaceName} instead, while that interface is up",
  ],
  redirected: ["目的地址改为 {host}", "the destination becomes {host}"],
  refused: ["策略路由阻断，立即拒绝", "a policy route blocks it: it is refused immediately"],
  routeDown: [
    "其 WAN 链路均不可用，由路由决定",
    "none of its WAN links is up: the route above stays",
  ],
  byAnswers: [
    "目的地址若是其域名的解析结果，则经 WAN 链路 {interfaceName}（解析结果未知）",
    "by WAN link {interfaceName} while it is up, if the destination is an answer for its names; the answers are not known here",
  ],
  deviceIcmp: ["ICMP 允许", "ICMP is accepted"],
  deviceTunnel: ["隧道端口", "a tunnel's port"],
  deviceClosed: [
    "设备在此处不提供服务（远程管理除外，由设备自身设置）",
    "the device offers nothing here (but for remote management, which is set on the device)",
  ],
  deviceServes: ["LAN 主机可访问设备", "hosts of a LAN may reach the device"],
  noNeighbor: ["LAN 主机不是路由邻居", "hosts of a LAN are not routing neighbours"],
  spaceByLine: [
    "空间内网段的流量不得从 WAN 链路发出",
    "networks of the space must not leave by a WAN link",
  ],
  sharesGroup: [
    "与 {address} 所在站点同属一个用户组",
    "the site of {address} is in a group that this site is in",
  ],
  outsideGroups: [
    "{address} 所在站点与本站点不在同一用户组",
    "the site of {address} is in no group that this site is in",
  ],
  encryptedNames: [
    "该主机受 URL 规则限制，加密 DNS（DoT、DoQ）立即拒绝",
    "the host is under URL rules, and encrypted DNS (DoT, DoQ) is refused immediately",
  ],
  blocked: ["MAC 地址 {mac} 被禁止", "MAC address {mac} is blocked"],
  limited: [
    "受限：最多 {connections} 条连接（当前数量未知）",
    "limited to {connections} connections; the present number is not known here",
  ],
  aclAccept: ["第 {position} 条规则允许", "rule {position} accepts it"],
  aclDrop: ["第 {position} 条规则拒绝", "rule {position} denies it"],
  aclNone: ["没有匹配的规则，默认允许", "no rule matches: accepted"],
  mappedHost: ["映射的主机", "the host of the mapping"],
  intoSpace: ["LAN 网段允许进入空间", "the LAN section may enter the space"],
  fromSpace: ["LAN 网段接收空间流量", "the LAN section takes traffic of the space"],
  betweenLans: ["两个 LAN 网段之间允许转发", "both LAN sections are forwarded to each other"],
  direct: ["LAN 网段允许本地分流", "the LAN section may leave by a WAN link"],
  exit: ["站点是空间的互联网出口", "the site is an exit of the space to the internet"],
  spaceToLine: [
    "空间流量不从此站点的 WAN 链路离开",
    "traffic of the space does not leave by this site's WAN links",
  ],
  notForwarded: ["LAN 网段未开启转发", "forwarding is off for the LAN section"],
  notDirect: ["LAN 网段不允许本地分流", "the LAN section may not leave by a WAN link"],
  unasked: ["从 WAN 链路主动进入的流量被丢弃", "unsolicited traffic on a WAN link is dropped"],
  lineAddress: [
    "源地址改为 WAN 链路 {interfaceName} 的地址",
    "the source becomes the address of {interfaceName}",
  ],
  lanAddress: [
    "源地址改为设备的 LAN 地址（旁路 NAT）",
    "the source becomes the device's LAN address (bypass NAT)",
  ],
  hopAddress: [
    "源地址改为设备在 {interfaceName} 上的地址",
    "the source becomes the device's address on {interfaceName}",
  ],
  coneAddress: [
    "源地址改为 WAN 链路 {interfaceName} 的地址，任何外部地址都可回应该端口（全锥型）",
    "the source becomes the address of {interfaceName}, and anyone may send to its port (full cone)",
  ],
  symmetricAddress: [
    "源地址改为 WAN 链路 {interfaceName} 的地址，每条流使用随机端口（对称型）",
    "the source becomes the address of {interfaceName}, with a random port for each flow (symmetric)",
  ],
  hairpin: [
    "源地址改为设备的 LAN 地址（NAT 回流）",
    "the source becomes the device's LAN address (hairpin)",
  ],
};
