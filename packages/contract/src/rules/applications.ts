/**
 * Application protocols that policies can name: well-known ones under a heading each, by the ports
 * that IANA has registered for them, and an owner's own protocols behind them (routerProtocolex).
 */
import type { Message } from "#kernel/message.ts";

export interface Application {
  readonly id: number;
  /** Heading; 0: it is one itself. */
  readonly pId: number;
  readonly name: Message;
  /** Destination ports as `tcp/443`; a heading has none. */
  readonly ports: readonly string[];
}

const heading = (id: number, zh: string, en: string): Application => ({
  id,
  pId: 0,
  name: [zh, en],
  ports: [],
});

const under = (pId: number, names: readonly (readonly [string, ...string[]])[]): Application[] =>
  names.map(([name, ...ports], place) => ({
    id: pId * 100 + place,
    pId,
    name: [name, name],
    ports,
  }));

/** Headings are 1 to 99, their protocols follow as heading * 100 + place. Ids never change. */
export const applications: readonly Application[] = [
  heading(1, "网页", "Web"),
  ...under(1, [
    ["HTTP", "tcp/80", "tcp/8080"],
    ["HTTPS", "tcp/443"],
    ["HTTP/3", "udp/443"],
  ]),
  heading(2, "邮件", "Mail"),
  ...under(2, [
    ["SMTP", "tcp/25"],
    ["Submission", "tcp/587", "tcp/465"],
    ["POP3", "tcp/110", "tcp/995"],
    ["IMAP", "tcp/143", "tcp/993"],
  ]),
  heading(3, "文件传输", "File transfer"),
  ...under(3, [
    ["FTP", "tcp/20-21"],
    ["TFTP", "udp/69"],
    ["SMB", "tcp/445", "tcp/139"],
    ["NFS", "tcp/2049", "udp/2049"],
    ["rsync", "tcp/873"],
  ]),
  heading(4, "远程管理", "Remote administration"),
  ...under(4, [
    ["SSH", "tcp/22"],
    ["Telnet", "tcp/23"],
    ["RDP", "tcp/3389", "udp/3389"],
    ["VNC", "tcp/5900-5903"],
    ["SNMP", "udp/161-162"],
  ]),
  heading(5, "语音与会议", "Voice and meetings"),
  ...under(5, [
    ["SIP", "udp/5060", "tcp/5060-5061"],
    ["H.323", "tcp/1720"],
    ["RTP", "udp/16384-32767"],
    ["STUN/TURN", "udp/3478", "tcp/3478"],
  ]),
  heading(6, "流媒体", "Streaming"),
  ...under(6, [
    ["RTSP", "tcp/554", "udp/554"],
    ["RTMP", "tcp/1935"],
  ]),
  heading(7, "数据库", "Databases"),
  ...under(7, [
    ["MySQL", "tcp/3306"],
    ["PostgreSQL", "tcp/5432"],
    ["Microsoft SQL Server", "tcp/1433"],
    ["Oracle", "tcp/1521"],
    ["Redis", "tcp/6379"],
    ["MongoDB", "tcp/27017"],
  ]),
  heading(8, "网络服务", "Network services"),
  ...under(8, [
    ["DNS", "udp/53", "tcp/53"],
    ["NTP", "udp/123"],
    ["DHCP", "udp/67-68"],
    ["LDAP", "tcp/389", "tcp/636"],
    ["Kerberos", "tcp/88", "udp/88"],
    ["RADIUS", "udp/1812-1813"],
    ["Syslog", "udp/514"],
  ]),
  heading(9, "消息", "Messaging"),
  ...under(9, [
    ["XMPP", "tcp/5222"],
    ["MQTT", "tcp/1883", "tcp/8883"],
    ["AMQP", "tcp/5672"],
  ]),
  heading(10, "隧道", "Tunnels"),
  ...under(10, [
    ["IKE/IPsec", "udp/500", "udp/4500"],
    ["OpenVPN", "udp/1194", "tcp/1194"],
    ["WireGuard", "udp/51820"],
    ["PPTP", "tcp/1723"],
    ["L2TP", "udp/1701"],
  ]),
];

/** Heading of an owner's own protocols that name no other parent. */
export const ownHeading = { id: 99, pId: 0, name: ["自定义", "Custom"] } as const satisfies {
  id: number;
  pId: number;
  name: Message;
};

const builtIn = new Set(applications.map(({ id }) => id));

/** True for an entry of the catalogue. */
export const isBuiltIn = (id: number): boolean => builtIn.has(id);

const ownBase = 1_000_000;

/** Id in the tree of an owner's own protocol. */
export const ownApplicationId = (protocolId: number): number => ownBase + protocolId;

/** The own protocol that an id of the tree stands for; null: it is one of the catalogue. */
export const ownProtocolOf = (id: number): number | null => (id > ownBase ? id - ownBase : null);

/** Ids that the tree can have, each once; whether own ones are there, the rows decide. */
export const areApplications = (ids: readonly number[]): boolean =>
  new Set(ids).size === ids.length &&
  ids.every((id) => isBuiltIn(id) || ownProtocolOf(id) !== null);
