import { defineMessages } from "@weft/contract/kernel/message.ts";

export const cpeMessages = defineMessages({
  "neighbor.title": ["邻居", "Neighbours"],
  "neighbor.state": ["在线状态", "Connection"],
  "neighbor.node": ["节点", "Node"],
  "neighbor.kind": ["类型", "Kind"],
  "neighbor.links": ["正常链路 / 全部", "Links up / all"],
  "neighbor.delay": ["最小时延 ms", "Best delay ms"],
  "neighbor.none": ["还没有邻居", "No neighbours yet"],
  "cpe.add": ["新增 CPE", "Add CPE"],
  "cpe.editOf": ["编辑 CPE {name}", "Edit CPE {name}"],
  "cpe.search": ["别名、SN、IP 或 MAC", "Alias, SN, IP or MAC"],
  "cpe.space": ["网络空间", "Network space"],
  "cpe.noSpace": ["未加入网络空间", "In no network space"],
  "cpe.noLan": ["没有 LAN 网段", "No LAN section"],
  "cpe.place": ["位置", "Place"],
  "cpe.snHelp": [
    "开局码与该序列号绑定，仅该设备可用",
    "The activation code is bound to this serial number: only this device can use it",
  ],
  "cpe.enableHelp": [
    "停用后立即断开，配置保留",
    "Disabling revokes its access immediately; its settings stay",
  ],
  "cpe.zoneOfEnterprise": ["按企业时区", "As the enterprise"],
  "cpe.zoneHelp": [
    "时间组按此时区的时钟生效；为空时使用企业参数中的时区",
    "Time groups follow the clock of this zone; if empty, that of the enterprise's parameters",
  ],
  "cpe.xMode.0.help": ["设备是站点的网关", "The device is the site's gateway"],
  "cpe.xMode.1.help": [
    "设备旁挂，只转发组网流量",
    "The device is beside the gateway and carries overlay traffic only",
  ],
  "cpe.xMode.2.help": [
    "设备旁挂，并对站点流量做 NAT",
    "The device is beside the gateway and translates the site's addresses",
  ],
  "cpe.removeTitle": ["删除 CPE {name}？", "Delete CPE {name}?"],
  "cpe.removeBody": [
    "{name} 立即断开；它的 WAN 链路、LAN 网段和静态路由一并删除，不能恢复。",
    "{name} loses access immediately; its WAN links, LAN sections and static routes are deleted permanently.",
  ],
  "cpe.empty": [
    "还没有 CPE。新增后生成开局码，设备联网即上线",
    "No CPEs yet. Add one, create its activation code; the device enrols itself once online",
  ],
  "cpe.title": ["CPE 管理", "CPE management"],
  "cpe.toPop": ["新增 POP", "Add a POP"],
  "cpe.emptyNoPop": [
    "还没有 CPE，也没有供它接入的 POP。先新增 POP",
    "No CPEs yet, and no POP for them to connect to. Add a POP first",
  ],
  "cpe.emptyNoEnterprise": [
    "还没有 CPE。CPE 属于企业：先新增企业，也可直接新增在自己的企业下",
    "No CPEs yet. A CPE belongs to an enterprise: add one first, or add the CPE to your own",
  ],
  "cpe.toEnterprise": ["新增企业", "Add an enterprise"],
  // Sections of the set page
  "cpe.lines": ["WAN 链路", "WAN links"],
  "cpe.lans": ["LAN 网段", "LAN sections"],
  "cpe.routes": ["静态路由", "Static routes"],
  // LAN sections
  "lan.add": ["新增网段", "Add LAN section"],
  "lan.addTo": ["为 {name} 新增 LAN 网段", "Add a LAN section to {name}"],
  "lan.editOf": ["编辑 LAN 网段 {network}", "Edit LAN section {network}"],
  "lan.forward": ["组网转发", "In space"],
  "lan.forwardHelp": ["空间内其他站点可以访问", "Other sites of the space can reach it"],
  "lan.direct": ["本地分流", "To internet"],
  "lan.directHelp": [
    "经本站 WAN 链路直接访问互联网（源地址转换）",
    "May leave directly over this site's WAN links (source NAT)",
  ],
  "lan.central": ["集中出口", "Through the space"],
  "lan.centralHelp": [
    "互联网流量经组网由通告默认路由的站点出口，不再经本站 WAN 链路；隧道中断时不能上网",
    "Internet traffic leaves at the site that announces a default route, never over this site's WAN links; without a tunnel there is no internet access",
  ],
  "lan.networkHelp": [
    "主机的网关，例如 10.1.1.1/24；未填写本机地址时，即设备自身的地址",
    "Gateway of the hosts, such as 10.1.1.1/24: the device's own address, unless it has another one below",
  ],
  "lan.ipv6Help": [
    "主机从该 WAN 链路的委派前缀取得公网 IPv6 地址（路由器通告）；该链路的 IPv6 需设为获取前缀。外部发起的连接被拒绝。子网编号：前缀中的第几个 /64（0 起），留空自动分配",
    "Hosts get IPv6 addresses of the internet from the prefix of this WAN link, by router advertisements; its IPv6 must ask for a prefix. Connections from outside are refused. Subnet: which /64 of the prefix, from 0; empty: a free one",
  ],
  "lan.subnetFree": ["自动", "automatic"],
  "lan.ownHelp": [
    "仅用于热备组的两台设备共用的网段：同一网关，各自不同的本机地址；网关由主用设备承担",
    "Only for a section that the two devices of a standby group share: one gateway, an address of its own for each. The active one has the gateway",
  ],
  "lan.range": ["DHCP 地址池", "DHCP range"],
  "lan.rangeHelp": [
    "启用“LAN DHCP 服务”后分配给主机的地址；留空则按模板的接口线路，否则为网段的后半部分。保留地址可以在地址池之外",
    "Addresses that hosts get while “DHCP for the LANs” is on. Empty: those of an interface line of the template, else the upper half of the network. Reserved addresses may lie outside",
  ],
  "lan.untagged": ["不打标签", "Untagged"],
  "lan.empty": [
    "还没有 LAN 网段。新增后空间内其他站点即可访问",
    "No LAN sections yet. Once added, other sites of the space can reach it",
  ],
  "lan.removeTitle": [
    "删除 {node} 的 LAN 网段 {network}？",
    "Delete LAN section {network} of {node}?",
  ],
  "lan.removeBody": [
    "该网段的主机立即失去网关，其他站点不能再访问。",
    "Hosts in it lose their gateway immediately; other sites no longer reach it.",
  ],
  "lan.forwardOffTitle": [
    "停止在空间内转发 {network}？",
    "Stop forwarding {network} in the space?",
  ],
  "lan.forwardOffBody": [
    "其他站点立即不能访问该网段；本站上网不受影响。",
    "Other sites lose access to it immediately; its own internet access stays.",
  ],
  "lan.directOffTitle": ["停止 {network} 的本地分流？", "Stop direct internet for {network}?"],
  "lan.directOffBody": [
    "该网段的主机立即不能经本站 WAN 链路访问互联网；组网业务不受影响。",
    "Its hosts can no longer reach the internet over this site's WAN links; overlay traffic is not affected.",
  ],
  "lan.off": ["停止", "Stop"],
  // Static routes
  "route.add": ["新增路由", "Add route"],
  "route.addTo": ["为 {name} 新增静态路由", "Add a static route to {name}"],
  "route.editOf": ["编辑静态路由 {destination}", "Edit static route {destination}"],
  "route.nextHopHelp": [
    "站点内的路由器，须在某个 LAN 网段中",
    "A router of the site, inside one of its LAN sections",
  ],
  "route.announceYes": ["通告", "Announced"],
  "route.announceNo": ["仅本站", "This site only"],
  "route.announceHelp": ["空间内其他站点可以访问该网段", "Other sites of the space can reach it"],
  "route.metricHelp": ["0–255，小者优先", "0–255, the lower one is preferred"],
  "route.empty": [
    "没有静态路由。站点内还有其他路由器时新增",
    "No static routes. Add one if another router of the site leads to further networks",
  ],
  "route.removeTitle": [
    "删除 {node} 的静态路由 {destination}？",
    "Delete static route {destination} of {node}?",
  ],
  "route.removeBody": [
    "到 {destination} 的流量立即改走其他路由，没有则丢弃。",
    "Traffic to {destination} takes another route immediately, or is dropped when there is none.",
  ],
});
