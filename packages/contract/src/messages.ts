import { errorTexts } from "#contract/errors.ts";
import { loginFields } from "#domains/access/login-messages.ts";
import { messages as access } from "#domains/access/messages.ts";
import { messages as delivery } from "#domains/delivery/messages.ts";
import { messages as devices } from "#domains/devices/messages.ts";
import { messages as enterprises } from "#domains/enterprises/messages.ts";
import { messages as mobile } from "#domains/mobile/messages.ts";
import { messages as notifications } from "#domains/notifications/messages.ts";
import { messages as overlay } from "#domains/overlay/messages.ts";
import { messages as policies, policyRuleTexts } from "#domains/policies/messages.ts";
import { messages as templates } from "#domains/templates/messages.ts";
import { defineMessages, joinMessages, type Message } from "#kernel/message.ts";
import type { RuleCode } from "#kernel/rule.ts";

/** Texts that both ends say: rules, codes, fields. Features of the console hold their own. */
const rules = defineMessages({
  required: ["必填项不能为空", "Required"],
  text: ["应为文本", "Must be text"],
  integer: ["应为整数", "Must be a whole number"],
  number: ["应为数字", "Must be a number"],
  tooLong: ["最多 {max} 个字符", "At most {max} characters"],
  tooShort: ["至少 {min} 个字符", "At least {min} characters"],
  outOfRange: ["应为 {min}–{max}", "Must be {min}–{max}"],
  oneOf: ["应为其中之一：{values}", "Must be one of {values}"],
  name: ["仅限中文、字母、数字、_ 和 -", "Only Chinese characters, letters, digits, _ and -"],
  loginName: ["仅限字母、数字和 @", "Only letters, digits and @"],
  password: ["{min}–{max} 个字符，不含空白", "{min} to {max} characters without white space"],
  weakPassword: ["太容易被猜到，换一个", "Too easy to guess; choose another"],
  same: ["两次输入不一致", "The two entries differ"],
  email: ["邮箱格式不正确", "Not an e-mail address"],
  phone: ["应为 1 开头的 11 位手机号", "Must be 11 digits starting with 1"],
  ipv4: ["应为 IPv4 地址，例如 10.1.1.1", "Must be an IPv4 address such as 10.1.1.1"],
  ipv4Cidr: [
    "应为 IPv4 地址/前缀，例如 10.1.1.1/24",
    "Must be IPv4 address/prefix such as 10.1.1.1/24",
  ],
  ip: ["应为同一协议族的 IP 地址", "Must be an IP address of the same family"],
  cidr: ["应为地址/前缀，例如 10.9.0.0/16", "Must be address/prefix such as 10.9.0.0/16"],
  ulaCidr: [
    "应为 fc00::/7 内的前缀，例如 fd00:1::1/64",
    "Must be inside fc00::/7, such as fd00:1::1/64",
  ],
  hostAddress: [
    "应为设备可用的地址：不能是网络地址、广播地址、0/8、127/8、224/3、::1、fe80::/10 或 ff00::/8",
    "Must be an address that a device can have: not that of the network or its broadcast, and not in 0/8, 127/8, 224/3, ::1, fe80::/10 or ff00::/8",
  ],
  gateway: [
    "网关应为对端设备的地址：不能是本线路的地址、所在网段的网络地址或广播地址，也不能在 0/8、127/8 或 224/3 内",
    "The gateway must be the address of another device: not this line's own, not that of its network or its broadcast, and not in 0/8, 127/8 or 224/3",
  ],
  reservedNetwork: [
    "保留地址（0/8、127/8、169.254/16、198.18/15、224/3、fe80::/10、ff00::/8、fd57:6566::/32）不能用作站点网段",
    "Reserved addresses (0/8, 127/8, 169.254/16, 198.18/15, 224/3, fe80::/10, ff00::/8, fd57:6566::/32) cannot be a network of a site",
  ],
  endpointAddress: [
    "{value} 是 {other} 的线路地址，隧道发往该地址，不能再设在本设备上",
    "{value} is the WAN address of {other}, which tunnels are sent to: this device cannot have it",
  ],
  controllerAddress: [
    "{value} 是控制器的地址，设在本设备上会使其与控制器失联",
    "{value} is the address of a controller: with it this device would lose contact",
  ],
  mac: [
    "MAC 地址应为六组十六进制数，例如 02:00:5e:10:00:01",
    "A MAC address has six pairs of hexadecimal digits, for example 02:00:5e:10:00:01",
  ],
  sameFamily: ["两个地址应同为 IPv4 或 IPv6", "Both addresses must be IPv4, or both IPv6"],
  port: ["端口应为 {min}–{max}", "Port must be {min}–{max}"],
  vlan: [
    "VLAN 应为 {min}–{max}，0 或空为不打标签",
    "VLAN must be {min}–{max}; 0 or empty means untagged",
  ],
  mtu: ["MTU 应为 {min}–{max}", "MTU must be {min}–{max}"],
  metric: ["度量值应为 {min}–{max}", "Metric must be {min}–{max}"],
  bandwidth: [
    "带宽不低于 {least}，不高于 {most}",
    "Bandwidth must be at least {least} and at most {most}",
  ],
  alarmThreshold: [
    "告警阈值不能大于 {max}，且不小于 {min}",
    "The alarm threshold must not exceed {max} nor fall below {min}",
  ],
  coordinate: [
    "应为 {min} 至 {max}，带 1 至 6 位小数",
    "Must be {min} to {max} with 1 to 6 decimals",
  ],
  interfaceName: [
    "应为接口名，例如 wan1，最长 15 个字符",
    "Must be an interface name such as wan1, up to 15 characters",
  ],
  ownInterface: [
    "lo、wup、wdn、weft 以及 wl、wm、wt 加数字是设备程序自己的接口名，不能使用",
    "lo, wup, wdn, weft and wl, wm or wt with a number are names of the device program's own interfaces",
  ],
  interfaceOwner: [
    "接口 {value} 已用于 {other}：一个接口只能属于一条线路或 LAN",
    "Interface {value} is that of {other}: an interface belongs to one WAN link or to LANs",
  ],
  serialNumber: [
    "仅限字母、数字和 . _ : -，4–64 个字符",
    "Letters, digits and . _ : -, 4 to 64 characters",
  ],
  instant: [
    "应为日期时间，例如 2026-12-01 08:00:00",
    "Must be a date and time such as 2026-12-01 08:00:00",
  ],
  atLeastOne: ["请至少选择一条数据", "Select at least one"],
  taken: ["“{value}”已被使用", '"{value}" is already used'],
  overlap: ["与 {other} 的 {value} 重叠", "Overlaps {value} of {other}"],
  announcedElsewhere: [
    "{other} 已通告 {value}；如需两处出口，请在两处的路由通告中都填写站点优先级",
    "{other} announces {value} already; to have both, set a site preference in the route notices of both",
  ],
  hostOf: [
    "应为该网段内网关以外的可用主机地址",
    "Must be the address of a host in the section's network, other than the gateway",
  ],
  standbyOrder: [
    "主设备的优先级不能低于备设备（另一台为 {value}）",
    "The active device's priority cannot be below that of the standby (the other one has {value})",
  ],
  collision: [
    "{site} 的 {value} 与 {other} 的 {network} 冲突：流量会被引向错误的站点",
    "{value} of {site} collides with {network} of {other}: traffic would go to the wrong site",
  ],
  unknown: ["所选项不存在或无权访问", "The option does not exist, or you do not have access to it"],
  inUse: ["“{value}”已在 {other} 中，先移出", '"{value}" is in {other}; take it out first'],
  tooMany: ["最多 {max} 项，先移除一项", "At most {max}; remove one first"],
  cycle: [
    "上级企业不能是自己或自己的下级",
    "The parent cannot be itself or one of its subordinates",
  ],
  money: ["应为金额，最多两位小数", "Must be an amount with up to two decimals"],
  companyCode: [
    "应为 18 位统一社会信用代码",
    "Must be a unified social credit code of 18 characters",
  ],
  idFormat: ["身份证号格式错误", "Not the form of a national ID"],
  idBirth: ["身份证号的出生日期无效", "The birth date of the national ID is none"],
  idRange: ["身份证号的出生日期超出范围", "The birth date of the national ID is out of range"],
  idRegion: ["身份证号的地区码错误", "The region code of the national ID is none"],
  idLast: ["身份证号的末位错误", "The last character of the national ID is wrong"],
  timezone: ["应为时区，例如 Asia/Shanghai", "Must be a time zone such as Asia/Shanghai"],
  ipSet: [
    "应为地址、地址/前缀或地址范围，例如 10.1.0.0/16 或 10.1.1.1-10.1.1.9",
    "Must be an address, a prefix or a range such as 10.1.0.0/16 or 10.1.1.1-10.1.1.9",
  ],
  hostName: [
    "应为域名，例如 example.com 或 *.example.com",
    "Must be a host name such as example.com or *.example.com",
  ],
  host: ["应为域名或 IP 地址", "Must be a domain name or an IP address"],
  waves: [
    "应为台数或百分比，以逗号分隔，例如 1, 10%",
    "Must be numbers of CPEs or percentages, separated by commas, such as 1, 10%",
  ],
  portRange: [
    "应为端口或范围，例如 80 或 8000-8100",
    "Must be a port or range such as 80 or 8000-8100",
  ],
  schedule: [
    "应为每天的时刻，例如 30 2 * * *，或 close",
    "Must be a time of day such as 30 2 * * *, or close",
  ],
  dnsLine: ["第 {line} 行无法识别：{value}", "Line {line} cannot be read: {value}"],
  portsWithProtocol: [
    "仅协议为 TCP 或 UDP 时可填端口；其他协议请清空端口",
    "Ports only with TCP or UDP; leave them empty for other protocols",
  ],
  twoEnds: ["两端不能相同", "Both ends must be different ones"],
  ofType: ["与所选类型不符", "Does not fit the chosen type"],
  eachOnce: ["每项只能选择一次", "Each may be chosen once only"],
  alwaysOn: ["隧道始终加密，不能关闭", "Tunnels are always encrypted: this cannot be turned off"],
  notAllowed: ["不允许的值", "Value not allowed"],
  fromAbove: ["只能由上级企业设置", "Set by the enterprise above only"],
  mfaNeeded: ["先为自己的账号设置两步验证", "Set up MFA for your own account first"],
  personOnly: ["API 密钥不能设置此项", "An API key may not set this"],
  unreadable: ["不是可读取的 xlsx 或 CSV 文件", "Not an xlsx or CSV file that can be read"],
  unknownColumn: [
    "没有“{value}”这一列，或重复出现",
    'There is no column "{value}", or it is there twice',
  ],
  ambiguous: ["有多个“{value}”，请写明：{values}", 'Several are called "{value}": write {values}'],
  noRow: [
    "没有编号为 {value} 的数据；清空编号则新增一行",
    "There is no row with id {value}; leave the id empty to add one",
  ],
  rowTwice: ["与第 {first} 行是同一条数据", "Means the same object as row {first}"],
  loginElsewhere: [
    "登录名“{value}”属于企业“{other}”。要新增到其他企业，请在文件中写明所属企业",
    'The login name "{value}" belongs to enterprise "{other}". To add it to another one, name the enterprise in the file',
  ],
  notAdded: ["此类数据不能新增", "Rows of this kind cannot be added"],
  notChanged: ["此类数据不能修改", "Rows of this kind cannot be changed"],
  picture: [
    "应为可以读取的 PNG、JPEG 或 WebP 图片",
    "Must be a PNG, JPEG or WebP picture that can be read",
  ],
  pictureTooLarge: [
    "图片边长不能超过 {max} 像素",
    "No side of the picture may be longer than {max} pixels",
  ],
  fileTooLarge: ["文件不能超过 {max}", "The file may be {max} at most"],
  ...policyRuleTexts,
}) satisfies Record<RuleCode, Message>;

/** Labels of codes and fields that several domains have. */
const shared = defineMessages({
  "enum.enable.1": ["启用", "Enabled"],
  "enum.enable.0": ["禁用", "Disabled"],
  "enum.flag.1": ["是", "Yes"],
  "enum.flag.0": ["否", "No"],
  "field.id": ["编号", "Id"],
  "field.nID": ["编号", "Id"],
  "field.name": ["名称", "Name"],
  "field.alias": ["别名", "Alias"],
  "field.groupid": ["所属企业", "Enterprise"],
  "field.enterpriseName": ["所属企业", "Enterprise"],
  "field.parentId": ["上级企业", "Parent enterprise"],
  "field.regions": ["地区", "Region"],
  "field.contact": ["联系人", "Contact"],
  "field.phone": ["手机", "Mobile phone"],
  "field.email": ["邮箱", "E-mail"],
  "field.remark": ["备注", "Remark"],
  "field.rowVersion": ["数据版本", "Row version"],
  "field.enable": ["状态", "State"],
  "field.cpeCount": ["CPE 数", "CPEs"],
  "field.createTime": ["创建时间", "Created"],
  "field.updateTime": ["修改时间", "Changed"],
  "field.createBy": ["创建人", "Created by"],
  "field.longitude": ["经度", "Longitude"],
  "field.latitude": ["纬度", "Latitude"],
  "field.bandwidth": ["带宽", "Bandwidth"],
  "field.expireTime": ["到期时间", "Expires"],
  "field.linkStatus": ["状态", "State"],
  "field.ip": ["地址/前缀", "Address/prefix"],
  "field.slot": ["线路", "Slot"],
  "field.interfaceName": ["接口", "Interface"],
  "field.gateway": ["网关", "Gateway"],
  "field.isp": ["运营商", "Carrier"],
  "field.lineQuality": ["线路质量", "Line quality"],
  "field.mtu": ["隧道 MTU", "Tunnel MTU"],
  "field.upBandwidth": ["上行带宽", "Upstream"],
  "field.downBandwidth": ["下行带宽", "Downstream"],
  "field.network": ["IPv4 地址/前缀", "IPv4 address/prefix"],
  "field.vlan": ["VLAN", "VLAN"],
  "field.nEnable": ["状态", "State"],
  "field.destination": ["目的网段", "Destination"],
  "field.nextHop": ["下一跳", "Next hop"],
  "field.metric": ["度量值", "Metric"],
  "field.popIds": ["POP", "POPs"],
  "field.cpeIds": ["CPE", "CPEs"],
  "field.nCpeID": ["CPE", "CPE"],
  "field.nodeId": ["节点", "Node"],
  "field.netSpaceId": ["网络空间", "Network space"],
  "field.passwordPolicy": ["密码策略", "Password policy"],
  "field.userId": ["用户", "User"],
  "field.prefix": ["密钥前缀", "Begins with"],
  "field.users": ["用户数", "Users"],
  "field.module": ["对象", "Object"],
  "field.action": ["操作", "Action"],
  "field.startTime": ["开始时间", "From"],
  "field.endTime": ["结束时间", "To"],
  "field.ids": ["所选数据", "Selection"],
  "field.creditLimit": ["信用额度", "Credit limit"],
  "field.balance": ["余额", "Balance"],
  "field.strategyId": ["POP 策略", "POP strategy"],
  "field.strategyName": ["POP 策略", "POP strategy"],
  "field.auditBy": ["审核人", "Reviewed by"],
  "field.auditTime": ["审核时间", "Reviewed"],
  "field.share": ["下级可用", "Shared with subordinates"],
  "field.templateId": ["模板", "Template"],
  "field.version": ["版本", "Version"],
  "field.size": ["每页条数", "Page size"],
  "field.address": ["地址", "Address"],
  "field.type": ["类型", "Type"],
  "field.target": ["目标", "Target"],
  "field.file": ["文件", "File"],
  "field.host": ["目标", "Target"],
  "field.cpeId": ["CPE", "CPE"],
  "field.key": ["到期", "Expiry"],
  "field.speed": ["速率", "Speed"],
  "field.pId": ["上级区域", "Parent area"],
  "field.recovery": ["恢复确认时间", "Recovery time"],
  "field.level": ["级别", "Level"],
  "field.active": ["状态", "State"],
  "field.sort": ["顺序", "Position"],
  "field.domain": ["域名", "Domain"],
  "field.url": ["网址", "Address"],
  "field.protocol": ["协议", "Protocol"],
  "field.value": ["内容", "Value"],
  "field.lineId": ["线路", "Line"],
  "field.lines": ["线路数", "Lines"],
  "field.hotStandbyGroup": ["热备组", "Standby group"],
  "field.hotStandbyPriority": ["热备优先级", "Standby priority"],
  "field.area": ["区域", "Area"],
  "field.kind": ["类型", "Kind"],
  "field.popId": ["POP", "POP"],
  "field.expire": ["到期时间", "Expires"],
  "field.tokenState": ["授权状态", "Licence state"],
  "field.dns": ["DNS 服务器", "DNS server"],
  "field.routes": ["进隧道的网段", "Networks in the tunnel"],
  "field.values": ["成员", "Members"],
  "field.popName": ["POP", "POP"],
  "field.cpeName": ["CPE", "CPE"],
  "field.cloud": ["云", "Cloud"],
  "field.rowId": ["数据编号", "Row id"],
  "field.reason": ["原因", "Reason"],
  "field.setEnable": ["状态", "State"],
});

const ruleMessages = Object.fromEntries(
  Object.entries(rules).map(([code, message]) => [`rule.${code}`, message]),
) as { [Code in RuleCode as `rule.${Code}`]: Message };

const errorMessages = Object.fromEntries(
  Object.entries(errorTexts).map(([code, message]) => [`error.${code}`, message]),
) as { [Code in keyof typeof errorTexts as `error.${Code}`]: Message };

export const contractMessages = joinMessages(
  ruleMessages,
  errorMessages,
  shared,
  loginFields,
  access,
  delivery,
  devices,
  enterprises,
  mobile,
  notifications,
  overlay,
  policies,
  templates,
);
export type ContractMessageKey = keyof typeof contractMessages;

/** Text of a key that is only known as a string (a field of an issue); undefined when there is none. */
export const findMessage = (key: string): Message | undefined =>
  (contractMessages as Record<string, Message>)[key];
