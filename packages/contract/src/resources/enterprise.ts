import { z } from "zod";
import { enterpriseTypes, passwordPolicies } from "#enums/people.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as text from "#rules/text.ts";

/** A customer group (section 3): the tree that all tenancy hangs on. `provice` is the wire's word. */
const draft = z.object({
  name: text.name,
  enterpriseType: codec.code(enterpriseTypes),
  parentId: codec.orNull(codec.id),
  isAgent: codec.flag,
  provice: codec.text(32),
  city: codec.text(32),
  region: codec.text(32),
  contact: codec.text(64),
  phone: codec.orNull(text.phone),
  email: codec.orNull(text.email),
  /** Holds for all below it too, unless theirs is stricter. Null: as it is, at first spec. */
  passwordPolicy: codec.orNull(codec.word(passwordPolicies)),
  remark: text.remark,
});

const row = z.object({
  groupid: z.number(),
  name: z.string(),
  enterpriseType: z.number(),
  parentId: z.number().nullable(),
  parentName: z.string().nullable(),
  isAgent: codec.flag,
  /** Province, city, region joined by commas, as it is sent. */
  regions: z.string(),
  provice: z.string(),
  city: z.string(),
  region: z.string(),
  contact: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  passwordPolicy: z.enum(passwordPolicies),
  enable: codec.flag,
  /** CPEs of this enterprise itself, without subordinates. */
  cpeCount: z.number(),
  remark: z.string(),
  createTime: codec.instant,
  updateTime: codec.instant,
  createBy: z.string().nullable(),
});

export const enterprise = defineResource({
  name: "enterprise",
  path: "/customer/enterprise",
  id: "groupid",
  row,
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    enterpriseType: codec.orNull(codec.code(enterpriseTypes)),
    parentId: codec.orNull(codec.id),
    isAgent: codec.orNull(codec.flag),
    enable: codec.orNull(codec.flag),
  }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["groupid", "name", "createTime"],
  may: {
    list: null,
    add: "enterpriseAdd",
    edit: "enterpriseEdit",
    remove: "enterpriseRemove",
    combo: null,
  },
});

/** The spec's combo item of enterprises has `groupid`, not `id` (section 3). */
export const enterpriseCombo = endpoint({
  id: "enterprise.combo",
  method: "GET",
  path: "/customer/enterprise/combo",
  input: z.object({}),
  output: z.array(z.object({ groupid: z.number(), name: z.string() })),
  may: null,
});

export const enterpriseByGroupId = endpoint({
  id: "enterprise.getByGroupId",
  method: "GET",
  path: "/customer/enterprise/getByGroupId",
  input: z.object({ groupid: codec.id }),
  output: row,
  may: null,
});

/** Enables (1) or disables (0) an enterprise. */
export const enterpriseEditEn = endpoint({
  id: "enterprise.editEn",
  method: "POST",
  path: "/customer/enterprise/editEn",
  input: z.object({ groupid: codec.id, enable: codec.flag }),
  output: nothing,
  may: "enterpriseEdit",
});

/** Flat nodes of the tree inside the data scope; `parentId` of the topmost visible ones is null. */
export const enterpriseTreeList = endpoint({
  id: "enterprise.treeList",
  method: "GET",
  path: "/customer/enterprise/treeList",
  input: z.object({
    isAgent: codec.orNull(codec.flag),
    enterpriseType: codec.orNull(codec.code(enterpriseTypes)),
  }),
  output: z.array(
    z.object({
      groupid: z.number(),
      parentId: z.number().nullable(),
      name: z.string(),
      isAgent: codec.flag,
      enable: codec.flag,
    }),
  ),
  may: null,
});
