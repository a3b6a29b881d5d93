import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of what is set on a CPE beside lines, LANs and routes. */
export const siteMessages = defineMessages({
  "site.lan": ["LAN", "LAN"],
  "site.dns": ["DNS", "DNS"],
  "site.acl": ["ACL", "ACL"],
  "site.wifi": ["Wi-Fi", "Wi-Fi"],
  "site.system": ["系统设置", "System"],
  "site.standby": ["热备", "Hot standby"],
  "site.groups": ["用户组与合作运营商", "User groups and partner"],
  "groups.kept": ["平台记录；设备暂不据此限速或隔离", "Saved; devices do not enforce it yet"],
  "groups.cug": ["封闭用户组（CUG）", "Closed user groups (CUG)"],
  "groups.cugHelp": [
    "停用后该 CPE 不参与所在的用户组，成员关系保留。",
    "Disabled, the CPE takes no part in its groups; it stays their member.",
  ],
  "groups.toCug": ["查看用户组", "Show the groups"],
  "groups.cugOffTitle": ["停用 {name} 的用户组？", "Disable the user groups of {name}?"],
  "groups.cugOffBody": [
    "成员关系和带宽保留，可随时启用。",
    "Membership and bandwidth stay; it can be enabled again.",
  ],
  "groups.bandwidthHelp": [
    "该 CPE 在用户组中的带宽，不低于 64 kbit/s",
    "Of this CPE within its groups; at least 64 kbit/s",
  ],
  "groups.noLimit": ["未设置", "not set"],
  "groups.ctg": ["合作运营商（CTG）", "Partner carrier (CTG)"],
  // DNS
  "dns.add": ["新增条目", "Add entry"],
  "dns.addTo": ["为 {name} 新增 DNS 条目", "Add a DNS entry to {name}"],
  "dns.editOf": ["编辑 DNS 条目 {domain}", "Edit DNS entry {domain}"],
  "dns.empty": [
    "没有 DNS 条目。需要内部域名时新增，或导入 hosts 文件",
    "No DNS entries. Add names of your own, or import a hosts file",
  ],
  "dns.domainHelp": ["该域名及其下级", "The name and all below it"],
  "dns.addressHelp": [
    "解析到的地址，或要询问的 DNS 服务器",
    "Its address, or the DNS server to query",
  ],
  "dns.removeTitle": ["移除 {node} 的 DNS 条目 {domain}？", "Remove DNS entry {domain} of {node}?"],
  "dns.removeBody": [
    "站点主机改用上级 DNS 的答案。",
    "Hosts of the site get the answer of the DNS above.",
  ],
  "dns.import": ["导入文件", "Import file"],
  "dns.imported": ["新增 {added} 条，已有 {known} 条", "{added} added, {known} were there already"],
  "dns.notYet": [
    "条目已保存；边缘程序暂不应用 DNS 条目",
    "Entries are kept; the edge does not apply them yet",
  ],
  // ACL
  "acl.add": ["新增规则", "Add rule"],
  "acl.addTo": ["为 {name} 新增 ACL 规则", "Add an ACL rule to {name}"],
  "acl.editOf": ["编辑 ACL 规则 {rule}", "Edit ACL rule {rule}"],
  "acl.empty": [
    "没有 ACL 规则，网段之间按 LAN 与空间设置放行",
    "No ACL rules; LANs and spaces decide what passes",
  ],
  "acl.any": ["任意", "Any"],
  "acl.sectionHelp": ["小者先匹配", "The smaller is looked at first"],
  "acl.clear": ["清空规则", "Clear rules"],
  "acl.clearTitle": [
    "清空 {name} 的全部 {count} 条 ACL 规则？",
    "Clear all {count} ACL rules of {name}?",
  ],
  "acl.clearBody": [
    "被拒绝的流量立即放行，不能恢复。",
    "What was denied passes immediately; this cannot be undone.",
  ],
  "acl.removeTitle": ["移除 {node} 的 ACL 规则 {rule}？", "Remove ACL rule {rule} of {node}?"],
  "acl.removeBody": ["其余规则不变。", "The other rules stay."],
  "acl.off": [
    "ACL 已在“系统设置”中停用，以下规则均不生效",
    "The ACL is off under System: none of these rules counts",
  ],
  // System
  "standby.kept": [
    "平台记录；设备暂不据此自动切换",
    "Stored; devices do not switch over by it yet",
  ],
  "standby.help": [
    "同组的两台设备互为热备：一主一备。",
    "Two devices of a group back each other up: one active, one standby.",
  ],
  "standby.groupHelp": ["1 到 255，留空为不参加热备", "1 to 255; empty: not in a group"],
  "standby.priorityHelp": ["1 到 255，大者优先", "1 to 255; the higher one goes first"],
  "standby.taken": [
    "热备组 {group} 已有{role}设备“{name}”，每组只能有一主一备",
    "Standby group {group} already has the {role} device “{name}”: a group has one active and one standby device",
  ],
  "standby.groups": ["本企业的热备组", "Standby groups of the enterprise"],
  "standby.none": ["还没有热备组", "No standby groups yet"],
  "system.save": ["保存并下发", "Save and deliver"],
  "system.schedule": ["每天重启", "Restart every day"],
  "system.scheduleHelp": [
    "按设备本地时间；业务中断约 90 秒",
    "In the device's own time; traffic stops for about 90 s",
  ],
  "system.encryptHelp": [
    "隧道始终加密，不能关闭",
    "Tunnels are always encrypted; it cannot be turned off",
  ],
  "system.cloudHelp": [
    "关闭后不再下发重启、诊断和转发命令",
    "Off: no restart, test or relay command is sent",
  ],
  "system.mtuHelp": ["0：按各线路", "0: as each line says"],
  "system.bandwidthHelp": ["kbit/s，0 为不限", "kbit/s; 0: no limit"],
  "system.lifetimeHelp": ["0–65535", "0–65535"],
  "system.cannot": ["设备不支持：{what}", "The device cannot: {what}"],
  "system.ports": ["端口", "Ports"],
  "system.portsEmpty": [
    "没有端口。新增线路或 LAN 网段后出现",
    "No ports. They appear with WAN links and LAN segments",
  ],
  "system.wan": ["WAN", "WAN"],
  "system.lanRole": ["LAN", "LAN"],
  "system.init": ["恢复初始配置", "Reset settings"],
  "system.initTitle": ["将 {name} 恢复为初始配置？", "Reset the settings of {name}?"],
  "system.initBody": [
    "系统设置、DNS 条目、ACL 规则和静态路由全部移除；线路和 LAN 网段保留。",
    "System settings, DNS entries, ACL rules and static routes are removed; lines and LAN segments stay.",
  ],
  // Batch
  "batch.disableTitle": ["禁用 {count} 台 CPE？", "Disable {count} CPEs?"],
  "batch.disableBody": [
    "{names} 立即断开，配置保留。",
    "{names} lose access immediately; their settings stay.",
  ],
  "batch.removeTitle": ["移除 {count} 台 CPE？", "Remove {count} CPEs?"],
  "batch.removeBody": [
    "{names} 立即断开，配置一并移除，不能恢复。",
    "{names} lose access immediately and their settings are removed permanently.",
  ],
  "batch.settings": ["批量设置", "Settings"],
  "batch.settingsOf": ["设置 {count} 台 CPE", "Settings of {count} CPEs"],
  "batch.settingsHelp": [
    "填写的项目写到每台所选 CPE 并下发；留空的保持各自的值。失败的 CPE 列在报告中，不影响其他 CPE。",
    "What is filled in is applied to each selected CPE; what is empty stays as each has it. A CPE that fails is listed in the report and delays no other.",
  ],
  "batch.keep": ["保持不变", "As each has it"],
  "area.manage": ["区域", "Areas"],
  "area.title": ["CPE 区域", "CPE areas"],
  "area.add": ["新增区域", "Add area"],
  "area.editOf": ["编辑区域 {name}", "Edit area {name}"],
  "area.none": ["无", "none"],
  "area.cpes": ["CPE", "CPEs"],
  "area.show": ["查看 CPE", "Show CPEs"],
  "area.removeTitle": ["移除区域 {name}？", "Remove area {name}?"],
  "area.removeBody": ["其中的 CPE 不再属于任何区域。", "CPEs in it are then in no area."],
  "area.empty": [
    "还没有区域。区域用来归类企业的 CPE",
    "No areas yet. Areas sort the CPEs of an enterprise",
  ],
  "batch.join": ["加入空间", "Join space"],
  "batch.joinOf": ["{count} 台 CPE 加入网络空间", "Take {count} CPEs into a network space"],
  "batch.joinHelp": [
    "已在其他空间、企业不符或 LAN 网段重叠的 CPE 不会加入，列在报告中。",
    "A CPE that is in another space, of another enterprise, or whose LAN overlaps is skipped and listed in the report.",
  ],
  "batch.move": ["移动区域", "Move"],
  "batch.moveOf": ["移动 {count} 台 CPE", "Move {count} CPEs"],
  "batch.moveHelp": [
    "区域须属于 CPE 的企业；留空则不再属于任何区域。",
    "The area must be of the CPE's enterprise; empty: in no area.",
  ],
  "batch.reboot": ["重启", "Restart"],
  "batch.rebootOf": ["重启 {count} 台 CPE", "Restart {count} CPEs"],
  "batch.rebootHelp": [
    "重启命令立即发给每台在线设备，站点中断约一分钟；离线设备不会重启，列在报告中。",
    "Every connected device restarts immediately; its site is offline for about a minute. Devices that are not connected are not restarted and are listed in the report.",
  ],
});
