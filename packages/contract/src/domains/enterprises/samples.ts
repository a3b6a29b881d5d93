import type { SamplesOf } from "#contract/samples/sample.ts";
import type { resources } from "./domain.ts";

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
  enterprise: {
    valid: ({ groupid }) => ({
      name: "华东零售-01",
      enterpriseType: 0,
      parentId: groupid,
      isAgent: false,
      regions: ["浙江省", "杭州市", "西湖区"],
      provice: "浙江省",
      city: "杭州市",
      region: "西湖区",
      contact: "王芳",
      phone: "13800000001",
      email: "it@example.com",
      passwordPolicy: "spec",
      businessType: "all",
      endTime: null,
      cpeLimit: null,
      accountLimit: null,
      creditLimit: 0,
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.enterprise.valid(ids),
      name: "华东零售-02",
      phone: null,
      passwordPolicy: "15+",
      endTime: new Date("2099-12-31T00:00:00Z"),
      cpeLimit: 20,
      creditLimit: 10_050,
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "name", value: "a b", rule: "name" },
      { field: "enterpriseType", value: 9, rule: "oneOf" },
      { field: "passwordPolicy", value: "9+", rule: "oneOf" },
      { field: "regions", value: ["浙江省", "宁波市"], rule: "notAllowed" },
      { field: "businessType", value: "games", rule: "oneOf" },
      { field: "creditLimit", value: 0.505, rule: "money" },
      { field: "phone", value: "23800000001", rule: "phone" },
      { field: "email", value: "nobody", rule: "email" },
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
    edited: (ids) => ({ ...samples.branch.valid(ids), name: "杭州分部-02", cpeIds: [] }),
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
    edited: (ids) => ({ ...samples.comAudit.valid(ids), contact: "李强", phone: null }),
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
    edited: (ids) => ({ ...samples.configItem.valid(ids), configValue: "示例-2" }),
    invalid: [
      { field: "configKey", value: "", rule: "required" },
      { field: "configKey", value: "k".repeat(129), rule: "tooLong" },
    ],
  },
};
