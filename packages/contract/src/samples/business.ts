import type { ResourceName } from "#contract/all-endpoints.ts";
import type { DestinationKind } from "#domains/policies/acceleration-enums.ts";
import type { RuleCode } from "#kernel/rule.ts";
import type { SampleIds, Samples } from "./sample.ts";

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
      { field: "popId", value: 0, rule: "outOfRange" },
    ],
  };
};

/** Samples of acceleration, segment routes, route notices and clouds. */
export const businessSamples: {
  readonly [Name in Extract<
    ResourceName,
    | GroupName
    | "xwanSpeed"
    | "xwanSpeedDefine"
    | "segmentRoute"
    | "routeNotice"
    | "vbrNode"
    | "vbrTable"
  >]: Samples<Name>;
} = {
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
    edited: (ids) => ({ ...businessSamples.xwanSpeed.valid(ids), type: 2, enable: false }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "type", value: 3, rule: "oneOf" },
    ],
  },
  xwanSpeedDefine: {
    valid: ({ speedId = 1 }) => ({ speedId, kind: "domain", value: "zoom.us", remark: "" }),
    edited: (ids) => ({
      ...businessSamples.xwanSpeedDefine.valid(ids),
      kind: "ip",
      value: "203.0.113.0/24",
    }),
    invalid: [
      { field: "kind", value: "port", rule: "oneOf" },
      { field: "value", value: "203.0.113.0/24", rule: "hostName" },
      { field: "value", value: "", rule: "required" },
    ],
  },
  segmentRoute: {
    valid: ({ groupid, cpeId, popId }) => ({
      name: "经上海去新加坡",
      groupid,
      cpeId,
      popIds: [popId],
      destination: "10.200.0.0/16",
      metric: 10,
      enable: true,
      remark: "",
    }),
    edited: (ids) => ({
      ...businessSamples.segmentRoute.valid(ids),
      cpeId: null,
      destination: "fd00:200::/48",
      metric: 20,
    }),
    invalid: [
      { field: "popIds", value: [], rule: "atLeastOne" },
      { field: "popIds", value: [7, 7], rule: "notAllowed" },
      { field: "destination", value: "10.200.0.0", rule: "cidr" },
      { field: "metric", value: 256, rule: "metric" },
    ],
  },
  routeNotice: {
    valid: ({ cpeId }) => ({ cpeId, network: "10.99.0.0/16", enable: true, remark: "" }),
    edited: (ids) => ({ ...businessSamples.routeNotice.valid(ids), network: "fd00:99::/48" }),
    invalid: [
      { field: "cpeId", value: 0, rule: "outOfRange" },
      { field: "network", value: "10.99.0.0/40", rule: "cidr" },
    ],
  },
  vbrNode: {
    valid: ({ groupid, popId }) => ({
      name: "阿里云华东",
      groupid,
      cloud: "aliyun",
      popId,
      vlan: 1201,
      localIp: "169.254.10.1",
      peerIp: "169.254.10.2",
      bandwidth: 100_000,
      remark: "",
    }),
    edited: (ids) => ({
      ...businessSamples.vbrNode.valid(ids),
      cloud: "aws",
      vlan: null,
      localIp: null,
      peerIp: null,
      bandwidth: null,
    }),
    invalid: [
      { field: "name", value: "<b>", rule: "name" },
      { field: "cloud", value: "moon", rule: "oneOf" },
      { field: "vlan", value: 4095, rule: "vlan" },
      { field: "peerIp", value: "fd00::2", rule: "ip" },
      { field: "peerIp", value: "169.254.10.1", rule: "notAllowed" },
      { field: "peerIp", value: null, rule: "required" },
      { field: "bandwidth", value: 63, rule: "bandwidth" },
    ],
  },
  vbrTable: {
    valid: ({ vbrNodeId = 1 }) => ({
      vbrNodeId,
      network: "172.16.0.0/16",
      nextHop: "169.254.10.2",
      remark: "",
    }),
    edited: (ids) => ({ ...businessSamples.vbrTable.valid(ids), network: "172.17.0.0/16" }),
    invalid: [
      { field: "network", value: "172.16.0.0", rule: "cidr" },
      { field: "nextHop", value: "fd00::1", rule: "ip" },
    ],
  },
};
