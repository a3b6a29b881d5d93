import type { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { line } from "@weft/contract/domains/devices/line.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { fraction } from "./noise.ts";

/**
 * What the demonstration shows: an operator with three POPs, two agents, six enterprises and their
 * sites in different states. Names and networks are invented; addresses are documentation ranges
 * (RFC 5737); coordinates are those of the cities.
 */
export interface DemoEnterprise {
  readonly name: string;
  readonly parent: string | null;
  readonly isAgent: boolean;
  readonly provice: string;
  readonly city: string;
  /** What it was recharged with, minor units. */
  readonly credit: number;
  /** Whose customer it was before: it came over with its credit. */
  readonly from?: string;
}

/** What is particular about a simulated device (edge: simulate/character.ts). */
export interface DemoCharacter {
  readonly ports?: readonly string[];
  readonly deadLines?: readonly string[];
  readonly lossPercent?: number;
  readonly extraRttMs?: number;
  /** Longitude and latitude. */
  readonly place?: readonly [number, number];
  readonly drifts?: boolean;
  readonly leaves?: boolean;
}

export interface DemoNode {
  readonly name: string;
  readonly enterprise: string | null;
  readonly sn: string;
  /** Last octet of its line addresses. */
  readonly host: number;
  /** Second octet of its LAN, CPEs only. */
  readonly lan?: number;
  /** connected: runs; waiting: used its claim, not approved; absent: never seen. */
  readonly state: "connected" | "waiting" | "absent";
  readonly character?: DemoCharacter;
  readonly longitude: number;
  readonly latitude: number;
  readonly regions?: string;
}

export interface DemoSpace {
  readonly name: string;
  readonly enterprise: string;
  readonly topology: 0 | 1;
  readonly pops: readonly string[];
}

const east = "华东渠道";
const south = "华南渠道";

export const enterprises: readonly DemoEnterprise[] = [
  { name: east, parent: null, isAgent: true, provice: "上海市", city: "上海市", credit: 5_000_000 },
  {
    name: "蓝海零售",
    parent: east,
    isAgent: false,
    provice: "浙江省",
    city: "杭州市",
    credit: 800_000,
  },
  {
    name: "远山制造",
    parent: east,
    isAgent: false,
    provice: "江苏省",
    city: "苏州市",
    credit: 1_250_000,
  },
  {
    name: "明德教育",
    parent: east,
    isAgent: false,
    provice: "江苏省",
    city: "南京市",
    credit: 96_050,
  },
  {
    name: south,
    parent: null,
    isAgent: true,
    provice: "广东省",
    city: "广州市",
    credit: 3_000_000,
  },
  {
    name: "海通物流",
    parent: south,
    isAgent: false,
    provice: "广东省",
    city: "广州市",
    credit: 420_000,
  },
  {
    name: "椰林酒店",
    parent: south,
    isAgent: false,
    provice: "海南省",
    city: "三亚市",
    credit: 68_880,
  },
  {
    name: "北辰医疗",
    parent: null,
    from: south,
    isAgent: false,
    provice: "北京市",
    city: "北京市",
    credit: 2_000_000,
  },
];

const pop = (
  name: string,
  regions: string,
  host: number,
  [longitude, latitude]: readonly [number, number],
): DemoNode => ({
  name,
  enterprise: null,
  host,
  longitude,
  latitude,
  regions,
  state: "connected",
  sn: `DEMO-POP-${String(host).padStart(4, "0")}`,
});

export const pops: readonly DemoNode[] = [
  pop("上海-01", "上海市", 10, [121.4737, 31.2304]),
  pop("北京-01", "北京市", 20, [116.4075, 39.9042]),
  pop("广州-01", "广东省", 30, [113.2644, 23.1291]),
];

type Site = readonly [
  name: string,
  longitude: number,
  latitude: number,
  particular?: "waiting" | "absent" | DemoCharacter,
];

/** Sites by enterprise; their numbers follow from their place in this list. */
const sites: Readonly<Record<string, readonly Site[]>> = {
  蓝海零售: [
    ["杭州总部", 120.1551, 30.2741],
    ["杭州门店-01", 120.2, 30.25],
    ["杭州门店-02", 120.12, 30.32],
    ["宁波门店-01", 121.5498, 29.8684],
    ["温州门店-01", 120.6721, 28.0006],
    ["绍兴门店-01", 120.5821, 29.9971, "waiting"],
    ["金华门店-01", 119.6474, 29.0789],
    ["嘉兴门店-01", 120.7509, 30.7627, { deadLines: ["wan2"] }],
    ["台州门店-01", 121.4287, 28.6613],
    ["义乌仓库", 120.0749, 29.3068],
  ],
  远山制造: [
    ["苏州工厂", 120.6196, 31.2994],
    ["无锡仓库", 120.3017, 31.5747],
    ["天津办事处", 117.1902, 39.1256],
    ["徐州仓库", 117.1848, 34.2618, "absent"],
    ["常州工厂", 119.974, 31.8112],
    ["南通码头", 120.8646, 32.0162, { lossPercent: 4 }],
    ["昆山研发", 120.9807, 31.3856, { drifts: true }],
  ],
  明德教育: [
    ["南京总校", 118.7969, 32.0603],
    ["扬州校区", 119.4129, 32.3942],
    ["镇江校区", 119.4528, 32.2044],
    ["合肥校区", 117.2272, 31.8206],
    ["芜湖校区", 118.4331, 31.3525, "waiting"],
    ["盐城校区", 120.1636, 33.3477, { leaves: true }],
  ],
  海通物流: [
    ["广州总部", 113.2644, 23.1291],
    ["深圳口岸", 114.0579, 22.5431, { extraRttMs: 140 }],
    ["东莞仓库", 113.7518, 23.0207],
    ["佛山仓库", 113.1214, 23.0215],
    ["珠海口岸", 113.5767, 22.2707],
    ["厦门口岸", 118.0894, 24.4798],
    ["湛江港", 110.3594, 21.2707, { leaves: true }],
  ],
  椰林酒店: [
    ["三亚湾酒店", 109.5082, 18.2479],
    ["海口酒店", 110.1983, 20.044],
    ["琼海酒店", 110.4746, 19.2584, { lossPercent: 2, extraRttMs: 60 }],
    ["北海酒店", 109.1202, 21.4813, "absent"],
    ["桂林酒店", 110.2902, 25.2736],
  ],
  北辰医疗: [
    ["北京总院", 116.4075, 39.9042],
    ["石家庄分院", 114.5149, 38.0428],
    ["太原分院", 112.5489, 37.8706, { ports: ["wan1", "wan2", "lan1"] }],
    ["济南分院", 117.1205, 36.6512],
    ["沈阳分院", 123.4315, 41.8057, { deadLines: ["wan1"] }],
  ],
};

const firstHost = 101;

export const cpes: readonly DemoNode[] = Object.entries(sites)
  .flatMap(([enterprise, list]) => list.map((site) => ({ enterprise, site })))
  .map(({ enterprise, site: [name, longitude, latitude, particular] }, index): DemoNode => {
    const host = firstHost + index;
    const own = typeof particular === "object" ? { character: particular } : {};
    const state = typeof particular === "string" ? particular : "connected";
    const sn = `DEMO-CPE-${String(host).padStart(4, "0")}`;
    return { name, enterprise, sn, host, lan: host, state, longitude, latitude, ...own };
  });

/** A WAN link of a site that has IPv6 beside IPv4. */
export interface DemoIpv6 {
  readonly slot: 1 | 2;
  readonly fields: Pick<DraftOf<typeof line>, "ipv6Mode" | "ip6" | "gateway6" | "prefixLength">;
  /** What the site's LAN has of the prefix; absent: nothing. */
  readonly lan?: Pick<DraftOf<typeof lanSection>, "ipv6Slot" | "ipv6Subnet">;
}

/** By site; prefixes of documentation (RFC 3849). */
export const ipv6: Readonly<Record<string, DemoIpv6>> = {
  杭州总部: {
    slot: 2,
    fields: { ipv6Mode: "delegated", ip6: null, gateway6: null, prefixLength: 56 },
    lan: { ipv6Slot: 2, ipv6Subnet: 1 },
  },
  苏州工厂: {
    slot: 1,
    fields: {
      ipv6Mode: "static",
      ip6: "2001:db8:5a01::2/64",
      gateway6: "2001:db8:5a01::1",
      prefixLength: null,
    },
  },
  北京总院: {
    slot: 2,
    fields: { ipv6Mode: "delegated", ip6: null, gateway6: null, prefixLength: null },
    lan: { ipv6Slot: 2, ipv6Subnet: null },
  },
  三亚湾酒店: {
    slot: 1,
    fields: { ipv6Mode: "auto", ip6: null, gateway6: null, prefixLength: null },
  },
};

/** One space an enterprise, with all its sites. */
export const spaces: readonly DemoSpace[] = [
  { name: "零售生产网", enterprise: "蓝海零售", topology: 0, pops: ["上海-01"] },
  { name: "制造骨干网", enterprise: "远山制造", topology: 1, pops: ["上海-01", "北京-01"] },
  { name: "校园专网", enterprise: "明德教育", topology: 0, pops: ["上海-01"] },
  { name: "物流网", enterprise: "海通物流", topology: 0, pops: ["广州-01", "上海-01"] },
  { name: "酒店网", enterprise: "椰林酒店", topology: 0, pops: ["广州-01"] },
  { name: "医疗影像网", enterprise: "北辰医疗", topology: 1, pops: ["北京-01"] },
];

export interface DemoCircuit {
  readonly name: string;
  readonly enterprise: string;
  readonly ends: readonly [string, string];
  /** Mbit/s. */
  readonly maximum: number;
  readonly guaranteed: number | null;
  /** From the day that the demonstration starts; null: no end. */
  readonly days: number | null;
}

/** What enterprises have bought between a site and a POP. */
export const circuits: readonly DemoCircuit[] = [
  {
    name: "杭州总部-上海",
    enterprise: "蓝海零售",
    ends: ["杭州总部", "上海-01"],
    maximum: 30,
    guaranteed: 10,
    days: 300,
  },
  {
    name: "苏州工厂-北京",
    enterprise: "远山制造",
    ends: ["苏州工厂", "北京-01"],
    maximum: 20,
    guaranteed: 20,
    days: 12,
  },
  {
    name: "北京总院-沈阳分院",
    enterprise: "北辰医疗",
    ends: ["北京总院", "沈阳分院"],
    maximum: 10,
    guaranteed: null,
    days: null,
  },
];

export interface DemoCug {
  readonly name: string;
  readonly enterprise: string;
  readonly sites: readonly string[];
  /** Mbit/s. */
  readonly bandwidth: number;
}

export const cugs: readonly DemoCug[] = [
  {
    name: "门店收银",
    enterprise: "蓝海零售",
    sites: ["杭州门店-01", "宁波门店-01"],
    bandwidth: 8.2,
  },
  { name: "影像归档", enterprise: "北辰医疗", sites: ["北京总院", "太原分院"], bandwidth: 20 },
];

/**
 * What went wrong this morning and is there to be investigated: since a change of its lines all paths of a site lose
 * packets, whatever the carrier and the POP.
 */
export const incident = {
  site: "南通码头",
  /** Before the demonstration starts. */
  minutes: 286,
  /** kbit/s that its lines were set to, and had before. */
  upBandwidth: 2_000,
  upBandwidthBefore: 20_000,
} as const;

/**
 * How long what else is wrong has lasted when the demonstration starts, minutes; at sites that are not named it follows from
 * their name (`minutesOf`).
 */
const troubleMinutes: Readonly<Record<string, number>> = {
  [incident.site]: incident.minutes,
  深圳口岸: 52,
  琼海酒店: 207,
  昆山研发: 134,
  太原分院: 755,
  盐城校区: 492,
  湛江港: 38,
  "绍兴门店-01": 26,
  芜湖校区: 1_190,
};

/** Minutes before the start since when something is wrong with a node. */
export const minutesOf = (name: string): number =>
  troubleMinutes[name] ?? 25 + Math.floor(fraction(`began ${name}`) * 700);

/** It has traffic classes: what is a special line there is preferred by its real-time traffic. */
export const classedEnterprise = "蓝海零售";
/** A site of it whose second WAN link is one. */
export const specialLine = "杭州总部";

/**
 * Changes that an operator makes once the sites run, so that nodes have a history. The last one
 * names an interface that the device does not have, and is refused by it.
 */
export type LaterChange =
  | { readonly site: string; readonly route: string; readonly via: string }
  | { readonly site: string; readonly lan: string; readonly network: string };

export const laterChanges: readonly LaterChange[] = [
  { site: "杭州总部", route: "172.16.8.0/24", via: "10.101.1.250" },
  { site: "杭州总部", route: "172.16.9.0/24", via: "10.101.1.250" },
  { site: "杭州总部", lan: "lan2", network: "10.201.1.1/24" },
  { site: "苏州工厂", lan: "lan2", network: "10.202.1.1/24" },
  { site: "苏州工厂", route: "172.20.0.0/16", via: "10.111.1.254" },
  { site: "昆山研发", route: "172.21.0.0/16", via: "10.117.1.254" },
  { site: "广州总部", route: "172.22.0.0/16", via: "10.124.1.254" },
  { site: "北京总院", lan: "lan2", network: "10.203.1.1/24" },
  { site: "太原分院", lan: "lan2", network: "10.204.1.1/24" },
];
