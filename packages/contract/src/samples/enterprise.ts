import type { enterpriseResources } from "#contract/enterprise-area.ts";
import type { Samples } from "./sample.ts";

/** Samples of what enterprises own. */
export const enterpriseSamples: {
  readonly [Name in keyof typeof enterpriseResources]: Samples<Name>;
} = {
  popStrategy: {
    valid: ({ groupid, popId }) => ({
      name: "华东优先",
      groupid,
      popIds: popId === 0 ? [] : [popId],
      remark: "",
    }),
    edited: (ids) => ({ ...enterpriseSamples.popStrategy.valid(ids), name: "华东", popIds: [] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "name", value: "a b", rule: "name" },
      { field: "popIds", value: [0], rule: "integer" },
    ],
  },
  popGroup: {
    valid: ({ strategyId = 1, popId }) => ({ name: "上海", strategyId, popIds: [popId] }),
    edited: (ids) => ({ ...enterpriseSamples.popGroup.valid(ids), name: "上海-02", popIds: [] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "strategyId", value: 0, rule: "outOfRange" },
      { field: "popIds", value: [0], rule: "integer" },
    ],
  },
  branch: {
    valid: ({ groupid, cpeId }) => ({
      groupid,
      name: "杭州分部",
      regions: ["浙江省", "杭州市", "西湖区"],
      address: "文三路 1 号",
      cpeIds: [cpeId],
      remark: "",
    }),
    edited: (ids) => ({ ...enterpriseSamples.branch.valid(ids), name: "杭州分部-02", cpeIds: [] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "regions", value: ["a", "b", "c", "d"], rule: "tooMany" },
      { field: "cpeIds", value: [0], rule: "integer" },
    ],
  },
  comAudit: {
    valid: ({ groupid }) => ({
      groupid,
      name: "杭州示例零售有限公司",
      license: "91330100MA27X0001E",
      idCard: null,
      contact: "王芳",
      phone: "13800000003",
      status: 0,
      remark: "",
    }),
    edited: (ids) => ({ ...enterpriseSamples.comAudit.valid(ids), contact: "李强", phone: null }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "license", value: "91330100MA27X00010", rule: "companyCode" },
      { field: "idCard", value: "1101", rule: "idFormat" },
      { field: "idCard", value: "11010119900230001X", rule: "idBirth" },
      { field: "phone", value: "0571", rule: "phone" },
      { field: "status", value: 3, rule: "oneOf" },
    ],
  },
  configItem: {
    valid: ({ groupid }) => ({
      configKey: "portal.title",
      configValue: "示例",
      groupid,
      remark: "",
    }),
    edited: (ids) => ({ ...enterpriseSamples.configItem.valid(ids), configValue: "示例-2" }),
    invalid: [
      { field: "configKey", value: "", rule: "required" },
      { field: "configKey", value: "k".repeat(129), rule: "tooLong" },
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
    edited: (ids) => ({ ...enterpriseSamples.ipgroup.valid(ids), share: true }),
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
    edited: (ids) => ({ ...enterpriseSamples.urlgroup.valid(ids), members: ["example.net"] }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "members", value: ["not a host"], rule: "hostName" },
      { field: "members", value: ["-a.example.com"], rule: "hostName" },
    ],
  },
};
