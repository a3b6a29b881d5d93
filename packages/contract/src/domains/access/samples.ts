import type { SamplesOf } from "#contract/samples/sample.ts";
import type { resources } from "./domain.ts";

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
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
