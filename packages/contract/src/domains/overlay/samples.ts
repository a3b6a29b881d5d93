import type { SamplesOf } from "#contract/samples/sample.ts";
import type { resources } from "./domain.ts";

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
  netSpace: {
    valid: ({ groupid, popId, cpeId }) => ({
      name: "生产网",
      groupid,
      topology: 0,
      popIds: [popId],
      cpeIds: [cpeId],
      remark: "",
    }),
    edited: (ids) => ({ ...samples.netSpace.valid(ids), name: "生产网-2", topology: 1 }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "topology", value: 3, rule: "oneOf" },
      { field: "cpeIds", value: [0], rule: "integer" },
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
      ...samples.segmentRoute.valid(ids),
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
    edited: (ids) => ({ ...samples.routeNotice.valid(ids), network: "fd00:99::/48" }),
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
      ...samples.vbrNode.valid(ids),
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
    edited: (ids) => ({ ...samples.vbrTable.valid(ids), network: "172.17.0.0/16" }),
    invalid: [
      { field: "network", value: "172.16.0.0", rule: "cidr" },
      { field: "nextHop", value: "fd00::1", rule: "ip" },
    ],
  },
  xwanCircuit: {
    valid: ({ groupid, cpeId, popId }) => ({
      name: "杭州-上海-10M",
      groupid,
      sourceId: cpeId,
      targetId: popId,
      bandwidth: 10_000,
      guaranteed: 5_000,
      lineQuality: 1,
      enable: true,
      expireTime: new Date("2099-12-31T00:00:00Z"),
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.xwanCircuit.valid(ids),
      name: "杭州-上海-8M",
      bandwidth: 8_000,
      guaranteed: null,
      enable: false,
      expireTime: null,
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "bandwidth", value: 63, rule: "bandwidth" },
      { field: "guaranteed", value: 10_001, rule: "aboveMaximum" },
      { field: "lineQuality", value: 9, rule: "oneOf" },
      { field: "expireTime", value: "soon", rule: "instant" },
    ],
  },
  cug: {
    valid: ({ groupid, cpeId }) => ({
      name: "财务专网",
      groupid,
      bandwidth: 8_200_000,
      cpeIds: [cpeId],
      enable: true,
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.cug.valid(ids),
      name: "财务专网-2",
      bandwidth: 10_000_000,
      cpeIds: [],
      enable: false,
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "bandwidth", value: 63_999, rule: "bandwidth" },
      { field: "cpeIds", value: [0], rule: "integer" },
    ],
  },
  popStrategy: {
    valid: ({ groupid, popId }) => ({
      name: "华东优先",
      groupid,
      popIds: popId === 0 ? [] : [popId],
      remark: "",
    }),
    edited: (ids) => ({ ...samples.popStrategy.valid(ids), name: "华东", popIds: [] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "name", value: "a b", rule: "name" },
      { field: "popIds", value: [0], rule: "integer" },
    ],
  },
  popGroup: {
    valid: ({ strategyId = 1, popId }) => ({ name: "上海", strategyId, popIds: [popId] }),
    edited: (ids) => ({ ...samples.popGroup.valid(ids), name: "上海-02", popIds: [] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "strategyId", value: 0, rule: "outOfRange" },
      { field: "popIds", value: [0], rule: "integer" },
    ],
  },
};
