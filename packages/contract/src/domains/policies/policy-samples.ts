/** One valid draft, an edited one and broken values for every family of policy objects. */
import type { RuleCode } from "#kernel/rule.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface PolicySample {
  /** Memory form, without the owner; `mark` makes names and keys differ. */
  valid(refs: PolicyRefs, mark: string): Fields;
  /** What an edit changes. */
  readonly edited: Fields;
  readonly invalid: readonly {
    readonly field: string;
    readonly value: unknown;
    readonly rule: RuleCode;
  }[];
}

/** Rows of the same owner: family -> id. */
export type PolicyRefs = Readonly<Record<string, number>>;

const named = (mark: string) => ({ name: mark, remark: "" });
const badName = [
  { field: "name", value: "", rule: "required" },
  { field: "name", value: "a😀", rule: "name" },
] as const;
const rule = { enable: true, sort: null } as const;
const badRule = [...badName, { field: "sort", value: 10_000, rule: "outOfRange" }] as const;
const group: PolicySample = {
  valid: (_, mark) => named(mark),
  edited: { remark: "总部" },
  invalid: badName,
};
/** The number that a mark ends with, for keys that must differ. */
const numberOf = (mark: string): number => Number(/\d+$/.exec(mark)?.[0] ?? 0);

const line: PolicySample = {
  valid: (refs, mark) => ({
    ...named(mark),
    kind: "lan",
    accessposition: null,
    interfaceId: refs.routerInterface ?? null,
    accessType: 1,
    ip: "10.20.1.1",
    mask: "255.255.255.0",
    gateway: null,
    vlan: null,
    mtu: 1_400,
    pppoeUser: "",
    pppoePassword: "",
    upBandwidth: null,
    downBandwidth: 64,
    lineQuality: 0,
    dhcpStart: "10.20.1.10",
    dhcpEnd: "10.20.1.99",
    hotStandbyGroup: null,
    hotStandbyPriority: null,
  }),
  edited: { mtu: 1_450, vlan: 4_094, dhcpEnd: "10.20.1.10" },
  invalid: [
    ...badName,
    { field: "mtu", value: 999, rule: "mtu" },
    { field: "mtu", value: 1_451, rule: "mtu" },
    { field: "vlan", value: 4_095, rule: "vlan" },
    { field: "ip", value: "10.20.1.300", rule: "ipv4" },
    { field: "ip", value: null, rule: "required" },
    { field: "ip", value: "255.255.255.255", rule: "hostAddress" },
    { field: "gateway", value: "0.0.0.0", rule: "hostAddress" },
    { field: "mask", value: "255.0.255.0", rule: "mask" },
    { field: "dhcpEnd", value: "10.20.1.9", rule: "order" },
    { field: "upBandwidth", value: 63, rule: "bandwidth" },
    { field: "kind", value: "dmz", rule: "oneOf" },
    { field: "hotStandbyPriority", value: 256, rule: "outOfRange" },
  ],
};

export const policySamples: Readonly<Record<string, PolicySample>> = {
  routerInterface: {
    valid: (_, mark) => ({ ...named(mark), enable: true, vlan: null, mtu: null }),
    edited: { vlan: 12, mtu: 1_400, enable: false },
    invalid: [
      ...badName,
      { field: "vlan", value: 4_095, rule: "vlan" },
      { field: "mtu", value: 1_451, rule: "mtu" },
    ],
  },
  routerInterfaceline: line,
  routerTimenode: {
    valid: (_, mark) => ({
      ...named(mark),
      weekdays: [1, 2, 3, 4, 5],
      startTime: "22:00",
      endTime: "06:30",
    }),
    edited: { weekdays: [], endTime: "24:00" },
    invalid: [
      ...badName,
      { field: "startTime", value: "9:00", rule: "clock" },
      { field: "endTime", value: "22:00", rule: "noTime" },
      { field: "startTime", value: "06:30", rule: "noTime" },
      { field: "weekdays", value: [8], rule: "oneOf" },
    ],
  },
  routerIpgroup: group,
  routerIpgroupdefine: {
    valid: ({ routerIpgroup }, mark) => ({
      ...named(mark),
      ipgroupId: routerIpgroup,
      ip: "10.0.0.9-10.0.0.10",
    }),
    edited: { ip: "10.1.0.0/16" },
    invalid: [
      ...badName,
      { field: "ip", value: "10.0.0.10-10.0.0.9", rule: "ipSet" },
      { field: "ip", value: "", rule: "required" },
      { field: "ipgroupId", value: 0, rule: "outOfRange" },
    ],
  },
  routerDnsgroup: group,
  routerDomains: {
    valid: ({ routerDnsgroup }, mark) => ({
      ...named(mark),
      dnsgroupId: routerDnsgroup,
      domain: "*.example.com",
    }),
    edited: { domain: "www.example.com" },
    invalid: [
      ...badName,
      { field: "domain", value: "example", rule: "hostName" },
      { field: "domain", value: "10.0.0.1", rule: "hostName" },
    ],
  },
  routerUrlgroup: group,
  routerUrl: {
    valid: ({ routerUrlgroup }, mark) => ({
      ...named(mark),
      urlgroupId: routerUrlgroup,
      url: "news.example.com/today",
      allowOnlyHost: false,
    }),
    edited: { url: "https://example.com/", allowOnlyHost: true },
    invalid: [
      ...badName,
      { field: "url", value: "a b", rule: "hostName" },
      { field: "url", value: "http://", rule: "hostName" },
    ],
  },
  routerProtocolex: {
    valid: (_, mark) => ({
      ...named(mark),
      ...rule,
      l7pro: [100, 101],
      nPid: 1,
      protocol: "tcp",
      srcPort: null,
      dstPort: "8443-8450",
      dstIp: "10.9.0.0/16",
    }),
    edited: { protocol: "udp", nPid: 0, enable: false, sort: 3 },
    invalid: [
      ...badRule,
      { field: "l7pro", value: [7_777], rule: "unknown" },
      { field: "nPid", value: 98, rule: "unknown" },
      { field: "protocol", value: "gre", rule: "oneOf" },
      { field: "dstPort", value: "8450-8443", rule: "portRange" },
      { field: "dstPort", value: "65536", rule: "portRange" },
    ],
  },
  routerRuleCustom: {
    valid: ({ routerProtocolex }, mark) => ({
      ...named(mark),
      kind: "node",
      refId: routerProtocolex,
      value: "10.3.0.0/24",
    }),
    edited: {},
    invalid: [
      ...badName,
      { field: "value", value: "example.com", rule: "ipSet" },
      { field: "kind", value: "url", rule: "oneOf" },
    ],
  },
  routerAppgroup: {
    valid: (_, mark) => ({ ...named(mark), l7ids: [100, 400] }),
    edited: { l7ids: [1] },
    invalid: [
      ...badName,
      { field: "l7ids", value: [], rule: "atLeastOne" },
      { field: "l7ids", value: [7_777], rule: "unknown" },
    ],
  },
  routerDnscontrol: {
    valid: (_, mark) => ({
      ...named(mark),
      ...rule,
      serverip: "223.5.5.5",
      serverip2: null,
      outlineid: null,
      dnsgroup: null,
      domainid: null,
      effectivedate: [1, 7],
      dnsroute: 0,
      returnTrip: 1,
    }),
    edited: { serverip2: "223.6.6.6", dnsroute: 1, effectivedate: [] },
    invalid: [
      ...badRule,
      { field: "serverip", value: "dns", rule: "ipv4" },
      { field: "serverip", value: "127.0.0.1", rule: "hostAddress" },
      { field: "serverip2", value: "0.0.0.0", rule: "hostAddress" },
      { field: "effectivedate", value: [0], rule: "integer" },
      { field: "dnsroute", value: 2, rule: "oneOf" },
    ],
  },
  routerUrlrule: {
    valid: ({ routerUrlgroup }, mark) => ({
      ...named(mark),
      ...rule,
      urlgroupId: routerUrlgroup,
      ipgroupId: null,
      timeId: null,
      action: 0,
      redirectUrl: null,
    }),
    edited: { action: 2, redirectUrl: "https://example.com/stop" },
    invalid: [
      ...badRule,
      { field: "action", value: 2, rule: "required" },
      { field: "action", value: 3, rule: "oneOf" },
      { field: "redirectUrl", value: "stop", rule: "url" },
    ],
  },
  routerPolicyroute: {
    valid: (_, mark) => ({
      ...named(mark),
      ...rule,
      srcIpgroupId: null,
      dstIpgroupId: null,
      appgroupId: null,
      timeId: null,
      deny: false,
      lineGroup: 3,
      natType: 1,
      nextHop: null,
      ttlIncrement: 0,
      natLbextra: 0,
    }),
    edited: { lineGroup: 0, nextHop: "10.0.0.1", ttlIncrement: 1 },
    invalid: [
      ...badRule,
      { field: "lineGroup", value: 0, rule: "required" },
      { field: "lineGroup", value: 16, rule: "outOfRange" },
      { field: "nextHop", value: "127.0.0.1", rule: "hostAddress" },
      { field: "nextHop", value: "ff02::1", rule: "hostAddress" },
      { field: "natType", value: 12, rule: "coneOrSymmetric" },
      { field: "ttlIncrement", value: 256, rule: "outOfRange" },
    ],
  },
  routerBandwidthpipe: {
    valid: (_, mark) => ({ ...named(mark), gbw: 64, maxbw: 128, direction: 0, lineId: null }),
    edited: { gbw: 128, direction: 2 },
    invalid: [
      ...badName,
      { field: "gbw", value: 63, rule: "bandwidth" },
      { field: "maxbw", value: 63, rule: "bandwidth" },
      { field: "gbw", value: 129, rule: "aboveMaximum" },
    ],
  },
  routerBwpolicy: {
    valid: ({ routerBandwidthpipe }, mark) => ({
      ...named(mark),
      ...rule,
      pipeId: routerBandwidthpipe,
      appgroupId: null,
      ipgroupId: null,
      timeId: null,
    }),
    edited: { enable: false, sort: 2 },
    invalid: [...badRule, { field: "pipeId", value: 0, rule: "outOfRange" }],
  },
  routerConnlimit: {
    valid: (_, mark) => ({
      name: mark,
      enable: true,
      ipgroupId: null,
      maxConnections: 2_000,
      maxNewPerSecond: null,
    }),
    edited: { maxConnections: 1, maxNewPerSecond: 50 },
    invalid: [...badName, { field: "maxConnections", value: 0, rule: "outOfRange" }],
  },
  routerBgp: {
    valid: (_, mark) => ({
      asn: 65_001,
      neighborIp: `10.200.${(numberOf(mark) >> 8) & 255}.${numberOf(mark) & 255}`,
      neighborAsn: 4_200_000_000,
      networks: "10.0.0.0/8,172.16.0.0/12",
      holdTime: null,
      password: "",
      enable: true,
    }),
    edited: { holdTime: 90, networks: "" },
    invalid: [
      { field: "asn", value: 0, rule: "outOfRange" },
      { field: "neighborIp", value: "peer", rule: "ipv4" },
      { field: "neighborIp", value: "224.0.0.5", rule: "hostAddress" },
      { field: "networks", value: "127.0.0.0/8", rule: "reservedNetwork" },
      { field: "networks", value: "10.0.0.0", rule: "cidr" },
      { field: "holdTime", value: 2, rule: "outOfRange" },
    ],
  },
  routerOspf: {
    valid: (_, mark) => ({
      area: "0.0.0.0",
      interfaceName: `lan${numberOf(mark)}`,
      cost: null,
      flags: 0,
      helloInterval: 10,
      deadInterval: 40,
      enable: true,
    }),
    edited: { area: "7", flags: 9, cost: 20 },
    invalid: [
      { field: "area", value: "north", rule: "area" },
      { field: "interfaceName", value: "a/b", rule: "interfaceName" },
      { field: "deadInterval", value: 10, rule: "order" },
      { field: "flags", value: 16, rule: "outOfRange" },
    ],
  },
  routerPortmapping: {
    valid: (_, mark) => ({
      protocol: "tcp",
      externalPort: String(10_000 + (numberOf(mark) % 50_000)),
      internalIp: "10.1.1.10",
      internalPort: "443",
      lineId: null,
      enable: true,
      remark: "",
    }),
    edited: { protocol: "both", externalPort: "1-9", internalPort: "11-19" },
    invalid: [
      { field: "externalPort", value: "0", rule: "portRange" },
      { field: "internalPort", value: "1-2", rule: "portRange" },
      { field: "internalIp", value: "host", rule: "ipv4" },
      { field: "internalIp", value: "127.0.0.1", rule: "hostAddress" },
    ],
  },
};
