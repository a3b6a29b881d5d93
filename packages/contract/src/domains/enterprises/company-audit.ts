import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as company from "#rules/company.ts";
import * as text from "#rules/text.ts";
import { auditStatuses } from "./enums.ts";

/** A company's papers, handed in by the enterprise and judged by the one above it. */
export const companyAudit = defineResource({
  name: "comAudit",
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
    /** As it stands in the papers: with blanks and brackets. */
    name: codec.text(128, 1),
    /** Unified social credit code. */
    license: codec.orNull(company.companyCode),
    /** National ID of the contact. */
    idCard: codec.orNull(company.nationalId),
    contact: codec.text(64),
    phone: codec.orNull(text.phone),
    /** Only who stands above the enterprise writes another than 0; others put it back to 0. */
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
  may: { list: null, add: null, edit: null, remove: null, combo: null },
});
