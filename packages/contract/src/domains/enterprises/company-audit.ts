import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as company from "#rules/company.ts";
import * as text from "#rules/text.ts";
import { auditStatuses } from "./enums.ts";

/** A company's documents, submitted by the enterprise and reviewed by the one above it. */
export const companyAudit = defineResource({
  name: "comAudit",
  title: ["企业审核", "Company audit"],
  path: "/customer/comAudit",
  id: "id",
  row: z.object({
    id: z.number(),
    groupid: z.number(),
    enterpriseName: z.string(),
    name: z.string(),
    license: z.string().nullable(),
    idCard: z.string().nullable(),
    contact: z.string(),
    phone: z.string().nullable(),
    status: codec.code(auditStatuses),
    auditBy: z.string().nullable(),
    auditTime: codec.instant.nullable(),
    remark: z.string(),
    createTime: codec.instant,
    /** The caller may approve and reject it. */
    judgeable: codec.flag,
  }),
  draft: z.object({
    groupid: codec.id,
    /** As written in the documents: with blanks and brackets. */
    name: codec.text(128, 1),
    /** Unified social credit code. */
    license: codec.orNull(company.companyCode),
    /** National ID of the contact. */
    idCard: codec.orNull(company.nationalId),
    contact: codec.text(64),
    phone: codec.orNull(text.phone),
    /** Only an enterprise above this one writes a value other than 0; others reset it to 0. */
    status: codec.code(auditStatuses),
    remark: text.remark,
  }),
  query: z.object({
    groupid: codec.orNull(codec.id),
    name: codec.orNull(codec.text(64)),
    status: codec.orNull(codec.code(auditStatuses)),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/sdwan-system/enterprisemanage/companyAudit"),
    add: screens("/sdwan-system/enterprisemanage/companyAudit"),
    edit: screens("/sdwan-system/enterprisemanage/companyAudit"),
    remove: screens("/sdwan-system/enterprisemanage/companyAudit"),
    combo: null,
  },
});

export const companyAuditSamples: Samples<typeof companyAudit> = {
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
  edited: (ids) => ({ ...companyAuditSamples.valid(ids), contact: "李强", phone: null }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "license", value: "91330100MA27X00010", rule: "companyCode" },
    { field: "idCard", value: "1101", rule: "idFormat" },
    { field: "idCard", value: "11010119900230001X", rule: "idBirth" },
    { field: "phone", value: "0571", rule: "phone" },
    { field: "status", value: 3, rule: "oneOf" },
  ],
};
