import type { z } from "zod";
import type { allResources, ResourceName } from "#contract/all-endpoints.ts";
import type { RuleCode } from "#kernel/rule.ts";

type Draft<Name extends ResourceName> = z.output<(typeof allResources)[Name]["draft"]>;

/** Ids of rows that a sample refers to; whoever runs the samples makes those rows first. */
export interface SampleIds {
  readonly groupid: number;
  readonly cpeId: number;
  readonly popId: number;
  /** A role of the enterprise; only who adds keys needs it. */
  readonly roleId?: number;
}

interface Samples<Name extends ResourceName> {
  valid(ids: SampleIds): Draft<Name>;
  /** A second valid draft that differs: what an edit writes. */
  edited(ids: SampleIds): Draft<Name>;
  /** One broken field each, with the rule that must refuse it at form and API alike. */
  readonly invalid: readonly { field: string; value: unknown; rule: RuleCode }[];
}

/** One valid and some invalid drafts per resource: batteries, seeds and pictures use the same. */
export const samples: { readonly [Name in ResourceName]: Samples<Name> } = {
  enterprise: {
    valid: ({ groupid }) => ({
      name: "华东零售-01",
      enterpriseType: 0,
      parentId: groupid,
      isAgent: false,
      provice: "浙江省",
      city: "杭州市",
      region: "西湖区",
      contact: "王芳",
      phone: "13800000001",
      email: "it@example.com",
      passwordPolicy: "spec",
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.enterprise.valid(ids),
      name: "华东零售-02",
      phone: null,
      passwordPolicy: "15+",
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "name", value: "a b", rule: "name" },
      { field: "enterpriseType", value: 9, rule: "oneOf" },
      { field: "passwordPolicy", value: "9+", rule: "oneOf" },
      { field: "phone", value: "23800000001", rule: "phone" },
      { field: "email", value: "nobody", rule: "email" },
    ],
  },
  pop: {
    valid: ({ groupid }) => ({
      name: "上海-01",
      groupid,
      sn: "POP-SH-0001",
      regions: "上海市",
      longitude: 121.473701,
      latitude: 31.230416,
      bandwidth: 1_000_000,
      expireTime: null,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.pop.valid(ids), name: "上海-02", bandwidth: null }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "sn", value: "a b c d", rule: "serialNumber" },
      { field: "latitude", value: 91, rule: "coordinate" },
      { field: "bandwidth", value: 63, rule: "bandwidth" },
    ],
  },
  cpe: {
    valid: ({ groupid }) => ({
      alias: "杭州门店-03",
      groupid,
      sn: "8F3A-0003",
      enable: true,
      xMode: 0,
      longitude: null,
      latitude: null,
      expireTime: null,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.cpe.valid(ids), alias: "杭州门店-04" }),
    invalid: [
      { field: "alias", value: "", rule: "required" },
      { field: "alias", value: "<b>", rule: "name" },
      { field: "sn", value: "x", rule: "tooShort" },
      { field: "longitude", value: 181, rule: "coordinate" },
      { field: "xMode", value: 7, rule: "oneOf" },
    ],
  },
  line: {
    valid: ({ cpeId }) => ({
      nodeId: cpeId,
      slot: 4,
      name: "电信",
      interfaceName: "wan4",
      addressing: "static",
      ip: "198.51.100.77/24",
      gateway: "198.51.100.1",
      isp: "isp-a",
      lineQuality: 0,
      reachable: false,
      mtu: 1420,
      upBandwidth: 20_000,
      downBandwidth: 100_000,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.line.valid(ids), mtu: 1400 }),
    invalid: [
      { field: "slot", value: 5, rule: "outOfRange" },
      { field: "ip", value: null, rule: "required" },
      { field: "ip", value: "198.51.100.300/24", rule: "ipv4Cidr" },
      { field: "gateway", value: "gw", rule: "ipv4" },
      { field: "mtu", value: 1451, rule: "mtu" },
      { field: "interfaceName", value: "a/b", rule: "interfaceName" },
      { field: "upBandwidth", value: 12, rule: "bandwidth" },
    ],
  },
  lansection: {
    valid: ({ cpeId }) => ({
      nCpeID: cpeId,
      interfaceName: "lan9",
      network: "10.77.1.1/24",
      network6: "fd00:77:1::1/64",
      vlan: null,
      enableForward: true,
      enableDirect: true,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.lansection.valid(ids), network: "10.77.2.1/24" }),
    invalid: [
      { field: "network", value: "10.77.1.1", rule: "ipv4Cidr" },
      { field: "network6", value: "2001:db8::1/64", rule: "ulaCidr" },
      { field: "vlan", value: 4095, rule: "vlan" },
      { field: "interfaceName", value: "", rule: "required" },
    ],
  },
  staticroute: {
    valid: ({ cpeId }) => ({
      nCpeID: cpeId,
      nEnable: true,
      destination: "10.88.0.0/16",
      nextHop: "10.77.1.254",
      metric: 1,
      announce: true,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.staticroute.valid(ids), metric: 20 }),
    invalid: [
      { field: "destination", value: "10.88.0.0", rule: "cidr" },
      { field: "nextHop", value: "fd00::1", rule: "ip" },
      { field: "metric", value: 256, rule: "metric" },
    ],
  },
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
  user: {
    valid: ({ groupid }) => ({
      loginName: `ops${groupid}@demo`,
      name: "李强",
      groupid,
      roleIds: [],
      phone: "13800000002",
      email: "ops@example.com",
      remark: "",
    }),
    edited: (ids) => ({ ...samples.user.valid(ids), name: "李强 (夜班)", phone: null }),
    invalid: [
      { field: "loginName", value: "", rule: "required" },
      { field: "loginName", value: "a b", rule: "loginName" },
      { field: "phone", value: "0571", rule: "phone" },
      { field: "email", value: "nobody", rule: "email" },
      { field: "roleIds", value: [0], rule: "integer" },
    ],
  },
  role: {
    valid: ({ groupid }) => ({
      roleCode: "branch-operator",
      name: "门店运维",
      groupid,
      roleType: 2,
      dataScope: 1,
      groupids: [],
      authorities: ["cpeConfig", "cpeEdit"],
      demandFactor: false,
      remark: "",
    }),
    edited: (ids) => ({ ...samples.role.valid(ids), dataScope: 3, authorities: ["cpeEdit"] }),
    invalid: [
      { field: "roleCode", value: "", rule: "required" },
      { field: "name", value: "<b>", rule: "name" },
      { field: "roleType", value: 3, rule: "oneOf" },
      { field: "dataScope", value: 5, rule: "oneOf" },
      { field: "authorities", value: ["cpeEdit", "everything"], rule: "unknown" },
      { field: "groupids", value: [0], rule: "integer" },
    ],
  },
  apiKey: {
    valid: ({ groupid, roleId = 1 }) => ({
      name: "月报脚本",
      groupid,
      roleId,
      expireTime: new Date("2099-12-31T00:00:00Z"),
      remark: "",
    }),
    edited: (ids) => ({ ...samples.apiKey.valid(ids), name: "周报脚本" }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "name", value: "a b", rule: "name" },
      { field: "roleId", value: 0, rule: "outOfRange" },
      { field: "expireTime", value: "31.12.2099", rule: "instant" },
    ],
  },
};
