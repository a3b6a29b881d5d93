import type { SampleIds, Samples, SamplesOf } from "#contract/samples/sample.ts";
import type { RuleCode } from "#kernel/rule.ts";
import type { DestinationKind } from "./acceleration-enums.ts";
import type { resources } from "./domain.ts";

type GroupName = `saasGroup.${DestinationKind}`;

interface Members {
  readonly valid: readonly string[];
  readonly edited: readonly string[];
  readonly wrong: readonly [string, RuleCode];
}

const group = (name: string, { valid, edited, wrong }: Members): Samples<GroupName> => {
  const draft = ({ groupid, popId }: SampleIds) => ({
    ...{ name, groupid, popId, values: [...valid], enable: true, remark: "" },
  });
  return {
    valid: draft,
    edited: (ids) => ({ ...draft(ids), values: [...edited], popId: null, enable: false }),
    invalid: [
      { field: "name", value: "a b", rule: "name" },
      { field: "values", value: [wrong[0]], rule: wrong[1] },
      { field: "popId", value: -1, rule: "outOfRange" },
    ],
  };
};

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
  "saasGroup.domain": group("办公域名", {
    valid: ["*.office.com", "teams.microsoft.com"],
    edited: ["*.office.com"],
    wrong: ["office", "hostName"],
  }),
  "saasGroup.dpi": group("会议协议", {
    valid: ["500", "503"],
    edited: ["500"],
    wrong: ["99999", "unknown"],
  }),
  "saasGroup.ip": group("海外网段", {
    valid: ["203.0.113.0/24", "198.51.100.10-198.51.100.20"],
    edited: ["203.0.113.0/25"],
    wrong: ["203.0.113.0/33", "ipSet"],
  }),
  "saasGroup.app": group("办公应用", {
    valid: ["1001"],
    edited: ["1001", "1002"],
    wrong: ["office", "unknown"],
  }),
  xwanSpeed: {
    valid: ({ groupid }) => ({ name: "跨境办公", type: 1, groupid, enable: true, remark: "" }),
    edited: (ids) => ({ ...samples.xwanSpeed.valid(ids), type: 2, enable: false }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "type", value: 3, rule: "oneOf" },
    ],
  },
  xwanSpeedDefine: {
    valid: ({ speedId = 1 }) => ({ speedId, kind: "domain", value: "zoom.us", remark: "" }),
    edited: (ids) => ({
      ...samples.xwanSpeedDefine.valid(ids),
      kind: "ip",
      value: "203.0.113.0/24",
    }),
    invalid: [
      { field: "kind", value: "port", rule: "oneOf" },
      { field: "value", value: "203.0.113.0/24", rule: "hostName" },
      { field: "value", value: "", rule: "required" },
    ],
  },
  ipgroup: {
    valid: ({ groupid }) => ({
      name: "总部网段",
      groupid,
      members: ["10.1.0.0/16", "10.2.1.1-10.2.1.9", "fd00::1"],
      share: false,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.ipgroup.valid(ids), share: true }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "members", value: [], rule: "required" },
      { field: "members", value: ["10.1.0.300"], rule: "ipSet" },
      { field: "members", value: ["10.2.1.9-10.2.1.1"], rule: "ipSet" },
    ],
  },
  urlgroup: {
    valid: ({ groupid }) => ({
      name: "办公网站",
      groupid,
      members: ["example.com", "*.example.org"],
      remark: "",
    }),
    edited: (ids) => ({ ...samples.urlgroup.valid(ids), members: ["example.net"] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "members", value: ["not a host"], rule: "hostName" },
      { field: "members", value: ["-a.example.com"], rule: "hostName" },
    ],
  },
  xaclrules: {
    valid: ({ cpeId }) => ({
      nCpeID: cpeId,
      nEnable: true,
      nSection: 10,
      sort: 0,
      name: "禁访客进财务",
      action: 0,
      protocol: "tcp",
      srcIp: "10.1.9.0/24",
      dstIp: "10.1.1.0/24",
      srcPort: null,
      dstPort: "1-1024",
      remark: "",
    }),
    edited: (ids) => ({ ...samples.xaclrules.valid(ids), nSection: 20, action: 1 }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "action", value: 2, rule: "oneOf" },
      { field: "protocol", value: "sctp", rule: "oneOf" },
      { field: "srcIp", value: "10.1.9.0", rule: "cidr" },
      { field: "dstIp", value: "fd00::/64", rule: "ip" },
      { field: "dstPort", value: "9-1", rule: "portRange" },
    ],
  },
  blacklist: {
    valid: ({ groupid, cpeId }) => ({
      groupid,
      type: "ip",
      value: "203.0.113.0/24",
      cpeIds: [cpeId],
      enable: true,
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.blacklist.valid(ids),
      type: "domain",
      value: "ads.example.com",
      cpeIds: [],
    }),
    invalid: [
      { field: "value", value: "", rule: "required" },
      { field: "value", value: "not an address", rule: "notAllowed" },
      { field: "type", value: "asn", rule: "oneOf" },
    ],
  },
};
