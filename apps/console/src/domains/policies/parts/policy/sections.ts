import type { lineKinds, ruleKinds } from "@weft/contract/domains/policies/enums.ts";
import * as groups from "@weft/contract/domains/policies/policy-groups.ts";
import * as lines from "@weft/contract/domains/policies/policy-lines.ts";
import * as rules from "@weft/contract/domains/policies/policy-rules.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";

export type PolicyKind = (typeof lineKinds)[number] | (typeof ruleKinds)[number];

/** One table of a section. */
export interface PolicyPart {
  readonly family: PolicyFamily;
  /** Rows of one kind only. */
  readonly kind?: PolicyKind;
  /** Fields that the table shows beside the label. */
  readonly columns: readonly string[];
}

const part = (family: PolicyFamily, columns: readonly string[], kind?: PolicyKind): PolicyPart => ({
  family,
  columns,
  ...(kind !== undefined && { kind }),
});

const lineColumns = ["interfaceId", "accessType", "ip", "mask", "vlan", "mtu"];

/** Section -> its tables, by the last part of the template's path (specification section 2.4). */
export const policySections = {
  interface: [part(lines.routerInterface, ["netcard", "enable", "vlan", "mtu", "lines"])],
  wan: [part(lines.interfaceLine, ["accessposition", ...lineColumns, "lineQuality"], "wan")],
  lan: [part(lines.interfaceLine, [...lineColumns, "dhcpStart", "dhcpEnd"], "lan")],
  dns: [
    part(rules.dnsControl, ["enable", "sort", "serverip", "serverip2", "dnsgroup", "outlineid"]),
    part(groups.dnsGroup, ["members", "remark"]),
    part(groups.dnsEntry, ["dnsgroupId", "domain", "remark"]),
  ],
  bgp: [part(lines.bgp, ["enable", "neighborAsn", "asn", "networks", "holdTime"])],
  ospf: [part(lines.ospf, ["enable", "area", "cost", "flags", "helloInterval", "deadInterval"])],
  ipGroup: [
    part(groups.ipGroup, ["members", "remark"]),
    part(groups.ipEntry, ["ipgroupId", "ip", "remark"]),
  ],
  urlGroup: [
    part(rules.urlRule, ["enable", "sort", "urlgroupId", "action", "ipgroupId", "timeId"]),
    part(groups.urlGroup, ["members", "remark"]),
    part(groups.urlEntry, ["urlgroupId", "url", "allowOnlyHost"]),
  ],
  timeGroup: [part(groups.timeGroup, ["weekdays", "startTime", "endTime", "nextSwitch", "remark"])],
  policyRoute: [
    part(rules.policyRoute, [
      "enable",
      "sort",
      "srcIpgroupId",
      "dstIpgroupId",
      "appgroupId",
      "timeId",
      "deny",
      "lineGroup",
      "nextHop",
    ]),
  ],
  portMapping: [
    part(lines.portMapping, ["enable", "protocol", "internalIp", "internalPort", "lineId"]),
  ],
  bandwidthTunnel: [part(rules.bandwidthPipe, ["gbw", "maxbw", "direction", "lineId"])],
  bandwidthPolicy: [
    part(rules.bandwidthPolicy, ["enable", "sort", "pipeId", "appgroupId", "ipgroupId", "timeId"]),
  ],
  connectionControl: [
    part(rules.connectionControl, ["enable", "ipgroupId", "maxConnections", "maxNewPerSecond"]),
  ],
  customPolicy: [
    part(rules.customProtocol, ["enable", "sort", "nPid", "protocol", "dstPort", "dstIp"]),
    part(rules.customRule, ["refId", "value"], "node"),
    part(rules.customRule, ["refId", "value"], "domain"),
    part(groups.appGroup, ["l7ids", "remark"]),
  ],
} as const satisfies Record<string, readonly PolicyPart[]>;
export type PolicySectionKey = keyof typeof policySections;
