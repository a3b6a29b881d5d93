/** Templates and policy objects: what operators roll out to many sites, and what single sites have beside it. */
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { ipgroup } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { policySamples } from "@weft/contract/domains/policies/policy-samples.ts";
import { routerTemplateRolloutStart } from "@weft/contract/domains/templates/rollout.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { defaultWaves } from "@weft/contract/domains/templates/wave-plan.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { IdOf } from "./business.ts";

type Fields = Readonly<Record<string, unknown>>;
/** Family, and its fields; those left out are as in the contract's samples. `$name` is the row of that name. */
type DemoObject = readonly [family: string, fields: Fields];

const group = (family: string, entry: string, field: string) => {
  const value = { routerIpgroup: "ip", routerUrlgroup: "url", routerDnsgroup: "domain" }[family];
  return (name: string, values: readonly string[], remark = ""): DemoObject[] => [
    [family, { name, remark }],
    ...values.map((one, at): DemoObject => {
      const fields = { name: `${name}-${at + 1}`, [field]: `$${name}`, [value ?? ""]: one };
      return [entry, fields];
    }),
  ];
};
const ipGroup = group("routerIpgroup", "routerIpgroupdefine", "ipgroupId");
const urlGroup = group("routerUrlgroup", "routerUrl", "urlgroupId");
const dnsGroup = group("routerDnsgroup", "routerDomains", "dnsgroupId");
/** Without entries of its own: at each site it has the members of the group that the site's enterprise has under this name. */
const ofEnterprise = (
  family: "routerIpgroup" | "routerUrlgroup",
  name: string,
  remark = "",
): DemoObject => [family, { name, remark }];
const time = (name: string, startTime: string, endTime: string, weekdays: number[]): DemoObject => [
  "routerTimenode",
  { name, startTime, endTime, weekdays },
];
const workdays = [1, 2, 3, 4, 5];

/** Shops: no games and films while the shop is open, the till before everything else. */
const shops: readonly DemoObject[] = [
  time("午休-12点至13点半", "12:00", "13:30", []),
  time("营业时间", "09:00", "22:00", []),
  ...ipGroup("收银终端", ["10.101.1.32-10.101.1.63", "10.102.1.32-10.102.1.63"]),
  ...ipGroup("访客无线", ["10.240.0.0/16"]),
  ...ipGroup("总部系统", ["10.101.1.0/24", "172.16.0.0/21"]),
  ...urlGroup("游戏与视频", ["*.games.example.com", "video.example.net", "live.example.org"]),
  ...urlGroup("办公", ["https://office.example.com/", "mail.example.com"]),
  ofEnterprise("routerIpgroup", "办公网段", "各企业自行维护"),
  ofEnterprise("routerIpgroup", "威胁情报地址", "运营中心维护"),
  ofEnterprise("routerUrlgroup", "购物网站", "各企业自行维护"),
  ["routerAppgroup", { name: "视频会议", l7ids: [500, 502, 503] }],
  [
    "routerUrlrule",
    {
      name: "午休放行",
      urlgroupId: "$游戏与视频",
      timeId: "$午休-12点至13点半",
      action: 1,
      sort: 1,
    },
  ],
  ["routerUrlrule", { name: "禁止游戏与视频", urlgroupId: "$游戏与视频", action: 0, sort: 2 }],
  ...urlGroup(
    "Microsoft-365",
    ["*.office.com", "*.sharepoint.com", "login.microsoftonline.com"],
    "Office applications of the back office",
  ),
  ...urlGroup(
    "Ads-Trackers",
    ["*.adserver.example.net", "tracker.example.com", "beacon.example.org"],
    "Advertising and tracking hosts",
  ),
  [
    "routerUrlrule",
    {
      name: "Allow-Microsoft-365",
      urlgroupId: "$Microsoft-365",
      action: 1,
      sort: 4,
      remark: "Whatever later rules deny",
    },
  ],
  [
    "routerUrlrule",
    {
      name: "Block-Ads-for-guests",
      urlgroupId: "$Ads-Trackers",
      ipgroupId: "$访客无线",
      action: 0,
      sort: 5,
      remark: "Guest Wi-Fi only",
    },
  ],
  ["routerUrlrule", { name: "禁止购物网站", urlgroupId: "$购物网站", action: 0, sort: 6 }],
  [
    "routerPolicyroute",
    {
      name: "阻断威胁情报地址",
      dstIpgroupId: "$威胁情报地址",
      deny: true,
      lineGroup: 0,
      natType: 0,
      sort: 1,
    },
  ],
  [
    "routerConnlimit",
    { name: "办公终端限连接", ipgroupId: "$办公网段", maxConnections: 3_000, maxNewPerSecond: 200 },
  ],
  [
    "routerConnlimit",
    { name: "访客限连接", ipgroupId: "$访客无线", maxConnections: 200, maxNewPerSecond: 20 },
  ],
  ["routerBandwidthpipe", { name: "收银保障", gbw: 2_000, maxbw: 10_000, direction: 2 }],
  ["routerBandwidthpipe", { name: "访客上限", gbw: 512, maxbw: 5_000, direction: 2 }],
  ["routerBwpolicy", { name: "收银优先", pipeId: "$收银保障", ipgroupId: "$收银终端", sort: 1 }],
  [
    "routerBwpolicy",
    {
      name: "访客限速",
      pipeId: "$访客上限",
      ipgroupId: "$访客无线",
      timeId: "$营业时间",
      sort: 2,
    },
  ],
];

/** Warehouses: two carriers by weight, a third where there is one, names by the carrier's resolver. */
const warehouses: readonly DemoObject[] = [
  time("夜间同步", "01:00", "05:00", []),
  ...ipGroup("分拣设备", ["10.126.1.128/25", "10.127.1.128/25"]),
  ...ipGroup("海外仓", ["203.0.113.0/24"]),
  ...dnsGroup("报关平台", ["*.singlewindow.example.cn", "customs.example.cn"]),
  ...urlGroup(
    "Parcel-Tracking",
    ["*.dhl.com", "*.sf-express.com", "track.example.net"],
    "Carriers that hand parcels over",
  ),
  ...urlGroup("Webmail", ["mail.example.org", "*.webmail.example.net"], "Private mail"),
  [
    "routerUrlrule",
    { name: "Allow-Parcel-Tracking", urlgroupId: "$Parcel-Tracking", action: 1, sort: 1 },
  ],
  [
    "routerUrlrule",
    {
      name: "Block-Webmail-on-scanners",
      urlgroupId: "$Webmail",
      ipgroupId: "$分拣设备",
      action: 0,
      sort: 2,
      remark: "Handheld scanners need no mail",
    },
  ],
  [
    "routerInterfaceline",
    {
      name: "电信专线",
      kind: "wan",
      accessposition: 1,
      accessType: 0,
      ip: null,
      mask: null,
      dhcpStart: null,
      dhcpEnd: null,
      upBandwidth: 50_000,
      downBandwidth: 200_000,
    },
  ],
  [
    "routerInterfaceline",
    {
      name: "5G备份",
      kind: "wan",
      accessposition: 3,
      accessType: 0,
      ip: null,
      mask: null,
      dhcpStart: null,
      dhcpEnd: null,
      upBandwidth: 20_000,
      downBandwidth: 100_000,
    },
  ],
  [
    "routerPolicyroute",
    {
      name: "海外仓走双线",
      dstIpgroupId: "$海外仓",
      lineGroup: 1 + 2,
      natType: 1,
      sort: 1,
    },
  ],
  [
    "routerPolicyroute",
    {
      name: "夜间同步走5G",
      srcIpgroupId: "$分拣设备",
      timeId: "$夜间同步",
      lineGroup: 4,
      natType: 1,
      sort: 2,
    },
  ],
  [
    "routerDnscontrol",
    { name: "报关域名", serverip: "223.5.5.5", dnsgroup: "$报关平台", outlineid: "$电信专线" },
  ],
  [
    "routerProtocolex",
    {
      name: "分拣协议",
      l7pro: [],
      nPid: 0,
      protocol: "tcp",
      dstPort: "9100-9110",
      dstIp: null,
      remark: "现场控制器",
    },
  ],
  ["routerRuleCustom", { name: "控制器", kind: "node", refId: "$分拣协议", value: "10.126.1.10" }],
];

/** Hotels: what guests may not reach. Not published yet, and at no site. */
const hotels: readonly DemoObject[] = [
  ...ipGroup("Guest-Rooms", ["10.132.64.0/18"], "Rooms and lobby Wi-Fi"),
  ...urlGroup(
    "Gambling-Malware",
    ["*.casino.example.com", "malware.example.net", "phishing.example.org"],
    "Legal and security block list",
  ),
  ...urlGroup("Booking-Sites", ["*.booking.com", "*.ctrip.com", "*.trip.com"], "Reservation desk"),
  ["routerUrlrule", { name: "Allow-Booking", urlgroupId: "$Booking-Sites", action: 1, sort: 1 }],
  [
    "routerUrlrule",
    {
      name: "Block-Gambling-Malware",
      urlgroupId: "$Gambling-Malware",
      ipgroupId: "$Guest-Rooms",
      action: 0,
      sort: 2,
    },
  ],
];

/** Hospitals: routing with the machine rooms. Not published yet. */
const hospitals: readonly DemoObject[] = [
  [
    "routerBgp",
    { asn: 65_010, neighborIp: "10.132.1.2", neighborAsn: 65_020, networks: "10.132.0.0/16" },
  ],
  ["routerOspf", { area: "0", interfaceName: "lan1", cost: 10 }],
  ...ipGroup("影像设备", ["10.132.1.64/26"]),
  [
    "routerPortmapping",
    {
      protocol: "tcp",
      externalPort: "8443",
      internalIp: "10.132.1.20",
      internalPort: "443",
      remark: "影像云接口",
    },
  ],
  ["routerBandwidthpipe", { name: "影像传输", gbw: 20_000, maxbw: 100_000, direction: 0 }],
  ["routerBwpolicy", { name: "影像优先", pipeId: "$影像传输", ipgroupId: "$影像设备" }],
];

interface DemoTemplate {
  readonly name: string;
  readonly remark: string;
  readonly sites: readonly string[];
  readonly objects: readonly DemoObject[];
  /** Objects of the next version, which went out in waves of these sizes. */
  readonly inWaves?: {
    readonly waves: readonly string[];
    /** An operator starts each wave but the first. */
    readonly askEach?: boolean;
    readonly objects: readonly DemoObject[];
  };
  /** Objects that came after the issue: the draft differs from what sites follow. */
  readonly later?: readonly DemoObject[];
  readonly isIssued: boolean;
}

const templates: readonly DemoTemplate[] = [
  {
    name: "基础接入",
    remark: "只有接口，全部生效",
    isIssued: true,
    objects: [],
    sites: ["南京总校", "扬州校区", "镇江校区", "合肥校区"],
    inWaves: {
      waves: ["1", "50%"],
      askEach: true,
      objects: [
        ...ipGroup("教务系统", ["10.118.1.0/26"]),
        ["routerConnlimit", { name: "学生终端限连接", ipgroupId: null, maxConnections: 800 }],
      ],
    },
  },
  {
    name: "门店上网管控",
    remark: "午休放行，其余时间禁止",
    isIssued: true,
    objects: shops,
    sites: ["金华门店-01", "嘉兴门店-01", "台州门店-01", "义乌仓库", "绍兴门店-01"],
    inWaves: {
      waves: ["1", "2"],
      objects: [
        ...urlGroup("短视频", ["short.example.com"]),
        ["routerUrlrule", { name: "禁止短视频", urlgroupId: "$短视频", action: 0, sort: 3 }],
      ],
    },
  },
  {
    name: "仓库双线",
    remark: "两家运营商加 5G",
    isIssued: true,
    objects: warehouses,
    sites: ["东莞仓库", "佛山仓库", "珠海口岸", "徐州仓库"],
    inWaves: {
      waves: ["1", "10%"],
      objects: [
        [
          "routerPolicyroute",
          {
            name: "分拣全部走5G",
            srcIpgroupId: "$分拣设备",
            lineGroup: 4,
            natType: 1,
            sort: 3,
          },
        ],
      ],
    },
    later: [
      ...urlGroup("直播", ["live.example.org"]),
      ["routerUrlrule", { name: "禁止直播", urlgroupId: "$直播", action: 0 }],
    ],
  },
  {
    name: "医院接入",
    remark: "待信息科确认后下发",
    isIssued: false,
    objects: hospitals,
    sites: ["石家庄分院", "太原分院", "济南分院"],
  },
  {
    name: "酒店客房",
    remark: "Guest rooms of the hotels",
    sites: [],
    objects: hotels,
    isIssued: false,
  },
];

/** What single sites have of their own. */
export const ofSites: Readonly<Record<string, readonly DemoObject[]>> = {
  东莞仓库: [
    ...ipGroup("海外仓", ["198.51.100.128/25"]),
    ["routerConnlimit", { name: "单机上限", ipgroupId: null, maxConnections: 5_000 }],
  ],
  广州总部: [
    ...ipGroup("服务器", ["10.124.1.16/28"]),
    ...urlGroup("社交", ["social.example.com"]),
    time("工作时间", "09:00", "18:00", workdays),
    [
      "routerUrlrule",
      { name: "上班不刷社交", urlgroupId: "$社交", timeId: "$工作时间", action: 0 },
    ],
    [
      "routerPortmapping",
      {
        protocol: "tcp",
        externalPort: "443",
        internalIp: "10.124.1.17",
        internalPort: "443",
        remark: "客户门户",
      },
    ],
  ],
};

/** What an enterprise keeps once for all of its sites; those of the operator are for the sites of all. */
const enterpriseIpGroups = [
  {
    enterprise: null,
    name: "威胁情报地址",
    share: true,
    members: ["192.0.2.66", "198.51.100.0/26", "203.0.113.200-203.0.113.220", "2001:db8:bad::/48"],
    remark: "每周一更新",
  },
  {
    enterprise: "蓝海零售",
    name: "办公网段",
    share: false,
    members: ["10.101.1.0/24", "10.101.2.0/24", "10.110.1.0/25", "172.16.0.0/21"],
    remark: "总部和门店后台",
  },
  {
    enterprise: "海通物流",
    name: "办公网段",
    share: false,
    members: ["10.124.1.0/24", "10.125.1.128/25"],
    remark: "",
  },
  {
    enterprise: "北辰医疗",
    name: "Imaging-Servers",
    share: false,
    members: ["10.136.1.64-10.136.1.79"],
    remark: "PACS of the machine rooms; no site uses it yet",
  },
] as const;

const enterpriseUrlGroups = [
  {
    enterprise: "蓝海零售",
    name: "购物网站",
    members: ["*.shop.example.com", "mall.example.net", "*.auction.example.org"],
    remark: "营业时间不开放",
  },
  {
    enterprise: "明德教育",
    name: "Homework-Portals",
    members: ["*.classroom.example.com", "library.example.org"],
    remark: "",
  },
] as const;

async function addEnterpriseGroups(call: Caller, root: number, idIn: IdOf): Promise<void> {
  const groupidOf = (enterprise: string | null) => (enterprise === null ? root : idIn(enterprise));
  for (const { enterprise, members, ...group } of enterpriseIpGroups)
    await call(ipgroup.ops.add, {
      ...group,
      groupid: groupidOf(enterprise),
      members: [...members],
    });
  for (const { enterprise, members, ...group } of enterpriseUrlGroups)
    await call(urlgroup.ops.add, {
      ...group,
      groupid: groupidOf(enterprise),
      members: [...members],
    });
}

/** What an enterprise lets through none of its sites. */
const blocked = [
  { type: "ip", value: "192.0.2.0/24", remark: "扫描来源" },
  { type: "mac", value: "02:00:5e:10:00:07", remark: "报失终端" },
  { type: "domain", value: "tracker.example.net", remark: "" },
  { type: "url", value: "https://ads.example.net/", remark: "广告" },
] as const;

/** ACL of a head office: from the counters to the till system alone. */
const acl = [
  { name: "柜台到业务系统", action: 1, protocol: "tcp", dstIp: "10.124.1.0/24", dstPort: "443" },
  { name: "柜台其余拒绝", action: 0, protocol: "any", dstIp: "10.124.1.0/24", dstPort: null },
] as const;

async function addSiteRules(call: Caller, idIn: IdOf): Promise<void> {
  for (const one of blocked) {
    await call(blacklist.ops.add, {
      ...one,
      groupid: idIn("海通物流"),
      cpeIds: [],
      enable: true,
    });
  }
  for (const [sort, one] of acl.entries()) {
    await call(aclRule.ops.add, {
      ...one,
      nCpeID: idIn("广州总部"),
      nEnable: true,
      nSection: 10,
      sort: sort + 1,
      srcIp: "10.240.0.0/16",
      srcPort: null,
      remark: "",
    });
  }
}

/** Adds objects in order; `owner` names the template or the node. */
async function addObjects(
  call: Caller,
  owner: Fields,
  objects: readonly DemoObject[],
  ids: Map<string, number>,
): Promise<void> {
  const scope = "templateId" in owner ? "template" : "manage";
  for (const [name, fields] of objects) {
    const { [scope]: scoped, spec } = policyFamily(name);
    const others = policySamples[name]?.valid({}, "demonstration") ?? {};
    const given = Object.entries(fields).map(([field, value]) => {
      const isName = typeof value === "string" && value.startsWith("$");
      return [field, isName ? idOf(ids, spec.references?.[field] ?? "", value.slice(1)) : value];
    });
    const draft = { ...others, ...Object.fromEntries(given), ...owner };
    const { data } = await call(scoped.resource.ops.add as Endpoint, draft as never);
    ids.set(`${name} ${fields[spec.label]}`, (data as { readonly id: number }).id);
  }
}

function idOf(ids: ReadonlyMap<string, number>, family: string, name: string): number {
  const id = ids.get(`${family} ${name}`);
  if (id === undefined) throw new Error(`the demonstration names an unknown ${family} ${name}`);
  return id;
}

/** Templates in every state that they have, objects of single sites, ACL rules and a blacklist. */
export async function addPolicies(call: Caller, root: number, idIn: IdOf): Promise<void> {
  await addEnterpriseGroups(call, root, idIn);
  for (const template of templates) {
    const { name, remark, sites, objects, inWaves, later = [], isIssued } = template;
    const { data } = await call(routerTemplate.ops.add, { templateName: name, remark });
    const owner = { templateId: data.id };
    const ids = new Map<string, number>();
    await addObjects(call, owner, objects, ids);
    if (sites.length > 0) await call(routerTemplateRelAdd, { ...owner, cpeIds: sites.map(idIn) });
    if (isIssued) await call(routerTemplateIssue, { templateId: [data.id], fromVersion: null });
    if (inWaves) {
      const { waves, askEach = false, objects: next } = inWaves;
      await addObjects(call, owner, next, ids);
      const plan = { ...defaultWaves, fromVersion: null, waves: [...waves], askEach };
      await call(routerTemplateRolloutStart, { templateId: [data.id], ...plan });
    }
    await addObjects(call, owner, later, ids);
  }
  for (const [site, objects] of Object.entries(ofSites)) {
    await addObjects(call, { cpeId: idIn(site), popId: null }, objects, new Map());
  }
  await addSiteRules(call, idIn);
}
