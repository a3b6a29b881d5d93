/** Records of flows of the day before the demonstration started, as an exporter would send them. */
import type { FlowRow } from "#metrics-store/flow-schema.ts";
import type { DemoAccount } from "./accounts.ts";
import { fraction } from "./noise.ts";

const dayMs = 86_400_000;

/** Where flows come from: a site with its own network. */
export interface FlowSite {
  readonly id: number;
  readonly groupid: number;
  /** Second octet of its LAN. */
  readonly lan: number;
}

interface Service {
  readonly application: string;
  readonly port: number;
  readonly protocol: 6 | 17;
  /** Documentation ranges (RFC 5737), or a server of the enterprise. */
  readonly destination: string;
  /** Hosts of web requests; reserved names (RFC 2606). */
  readonly urls: readonly string[];
  /** How much of the traffic, and bytes of a typical flow towards who asked. */
  readonly share: number;
  readonly bytes: number;
  readonly denied?: true;
}

const web = { application: "HTTPS", port: 443, protocol: 6 } as const;
const services: readonly Service[] = [
  {
    ...web,
    destination: "198.51.100.200",
    share: 0.3,
    bytes: 900_000,
    urls: ["erp.example.com/orders", "erp.example.com/stock", "crm.example.com/customers"],
  },
  {
    ...web,
    destination: "203.0.113.80",
    share: 0.18,
    bytes: 2_400_000,
    urls: ["mail.example.net/inbox", "docs.example.net/shared", "meet.example.net/room"],
  },
  {
    application: "HTTP/3",
    port: 443,
    protocol: 17,
    share: 0.1,
    bytes: 9_000_000,
    destination: "203.0.113.90",
    urls: [],
  },
  {
    application: "DNS",
    port: 53,
    protocol: 17,
    share: 0.16,
    bytes: 420,
    destination: "198.51.100.53",
    urls: [],
  },
  {
    application: "SMB",
    port: 445,
    protocol: 6,
    share: 0.09,
    bytes: 14_000_000,
    destination: "10.101.1.20",
    urls: [],
  },
  {
    application: "RDP",
    port: 3389,
    protocol: 6,
    share: 0.05,
    bytes: 6_000_000,
    destination: "10.101.1.30",
    urls: [],
  },
  {
    application: "SIP",
    port: 5060,
    protocol: 17,
    share: 0.06,
    bytes: 300_000,
    destination: "10.101.1.40",
    urls: [],
  },
  {
    application: "HTTP",
    port: 80,
    protocol: 6,
    share: 0.04,
    bytes: 0,
    denied: true,
    destination: "203.0.113.66",
    urls: ["ads.example.org/pixel", "games.example.org/play"],
  },
  {
    application: "SSH",
    port: 22,
    protocol: 6,
    share: 0.02,
    bytes: 0,
    denied: true,
    destination: "203.0.113.22",
    urls: [],
  },
];

const users = ["wangfang", "chenjie", "zhaolei", "sunli", "zhoumin", ""] as const;

/** Flows of a site in a day, and of a mobile account. */
const perDay = { site: 260, account: 60 } as const;

const pick = <One>(from: readonly One[], part: number): One | undefined =>
  from[Math.floor(part * from.length)];

function serviceAt(part: number): Service | undefined {
  let sum = 0;
  return services.find(({ share }) => {
    sum += share;
    return part < sum;
  });
}

/** When, by the hours of the day: most at work, some in the evening, hardly any at night (UTC+8). */
function momentAt(part: number, now: number): number {
  for (let tries = 0; ; tries += 1) {
    const at = now - dayMs * fraction(`${part} ${tries}`);
    const hour = (at / 3_600_000 + 8) % 24;
    const busy = hour >= 9 && hour < 19 ? 1 : hour >= 7 && hour < 23 ? 0.35 : 0.05;
    if (fraction(`${part} ${tries} busy`) < busy) return Math.floor(at);
  }
}

interface Origin {
  readonly node_id: number;
  readonly enterprise_id: number;
  readonly account_id: number;
  readonly source: (part: number) => string;
  readonly user: (part: number) => string;
}

function* flowsOf(origin: Origin, count: number, now: number): Generator<FlowRow> {
  const { node_id, enterprise_id, account_id, source, user } = origin;
  for (let index = 0; index < count; index += 1) {
    const of = (what: string) => fraction(`${what} ${node_id} ${account_id} ${index}`);
    const service = serviceAt(of("service"));
    if (!service) continue;
    const { application, destination, protocol, denied = false, bytes } = service;
    const who = of("who");
    const scale = of("bytes") ** 3 * 4;
    yield {
      node_id,
      enterprise_id,
      account_id,
      application,
      destination,
      protocol,
      denied,
      at: momentAt(of("at"), now),
      duration_ms: denied ? 0 : Math.round(200 + of("long") * 90_000),
      source: source(who),
      source_port: 49_152 + Math.floor(of("port") * 16_000),
      destination_port: service.port,
      user: user(who),
      url: pick(service.urls, of("url")) ?? "",
      in_bytes: Math.round(bytes * scale),
      out_bytes: denied ? 60 : Math.round(200 + bytes * scale * 0.08),
      rtt_ms: denied ? null : Math.round(80 + of("rtt") * 240) / 10,
      jitter_ms: denied ? null : Math.round(of("jitter") * 40) / 10,
      loss_percent: denied ? null : of("loss") > 0.94 ? Math.round(of("lost") * 20) / 10 : 0,
    };
  }
}

/** The flows of sites at their devices, and of mobile accounts at their POPs, in no order. */
export function pastFlows(
  sites: readonly FlowSite[],
  accounts: readonly DemoAccount[],
  now: number,
): FlowRow[] {
  const ofSites = sites.map(
    ({ id, groupid, lan }): Origin => ({
      node_id: id,
      enterprise_id: groupid,
      account_id: 0,
      source: (part) => `10.${lan}.1.${20 + Math.floor(part * 24)}`,
      user: (part) => pick(users, part) ?? "",
    }),
  );
  const ofAccounts = accounts.map(
    ({ id, groupid, popId, address, alias }): Origin => ({
      node_id: popId,
      enterprise_id: groupid,
      account_id: id,
      source: () => address,
      user: () => alias,
    }),
  );
  return [
    ...ofSites.flatMap((origin) => [...flowsOf(origin, perDay.site, now)]),
    ...ofAccounts.flatMap((origin) => [...flowsOf(origin, perDay.account, now)]),
  ];
}
