import { z } from "zod";
import { namesForForms, screens } from "#contract/access.ts";
import type { Permission } from "#contract/permissions.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { enterpriseTypes, passwordPolicies } from "#domains/access/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import type { FieldSetter, FieldSetters } from "#kernel/field-setters.ts";
import { type DraftOf, defineResource, type RowOf, withCalls } from "#kernel/resource.ts";
import { expectedVersion, rowVersion, versionedSettings } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import { textList } from "#rules/members.ts";
import * as money from "#rules/money.ts";
import * as text from "#rules/text.ts";
import { businessTypes, strategyTypes } from "./enums.ts";

/** How many parts of a place there are: province, city, region. */
const placeParts = 3;

interface Place {
  readonly regions: readonly string[] | null;
  readonly provice: string;
  readonly city: string;
  readonly region: string;
}

const isOnePlace = ({ regions, provice, city, region }: Place): boolean =>
  regions === null ||
  regions.join(",") === [provice, city, region].filter((part) => part !== "").join(",");

/** The three parts as they are sent beside `regions`. `provice` is the wire's name. */
export const placeOf = (regions: readonly string[]) => {
  const [provice = "", city = "", region = ""] = regions;
  return { provice, city, region };
};

/** What an enterprise itself may change of its row. */
const ownFields = {
  /** Province, city, region, comma-joined (section 3); they come one by one as well. */
  regions: codec.orNull(textList(placeParts, 32)),
  provice: codec.text(32),
  city: codec.text(32),
  region: codec.text(32),
  contact: codec.text(64),
  phone: codec.orNull(text.phone),
  email: codec.orNull(text.email),
};

/** A customer group (section 3): the tree that all tenancy hangs on. */
const draft = z
  .object({
    name: text.name,
    enterpriseType: codec.code(enterpriseTypes),
    parentId: codec.orNull(codec.id),
    isAgent: codec.flag,
    ...ownFields,
    /** Holds for all below it too, unless theirs is stricter. Null: as it is, at first spec. */
    passwordPolicy: codec.orNull(codec.oneOf(passwordPolicies)),
    businessType: codec.orNull(codec.oneOf(businessTypes)),
    /** Null: without an end. Needs enterpriseEndTime to change. */
    endTime: codec.orNull(codec.expiry),
    /**
     * How many CPEs and accounts it may have, with all enterprises below it; null: no limit of its own. Not above that of an
     * enterprise over it, nor below what it has. Need enterpriseBillingPerm.
     */
    cpeLimit: codec.orNull(codec.int(0, 1_000_000)),
    accountLimit: codec.orNull(codec.int(0, 1_000_000)),
    /** How far below zero its credit may go; null: as it is, at first 0. Needs enterpriseBillingPerm. */
    creditLimit: codec.orNull(money.creditLimit),
    remark: text.remark,
  })
  .refine(isOnePlace, failsWith("notAllowed", {}, ["regions"]));

const row = z.object({
  groupid: z.number(),
  name: z.string(),
  enterpriseType: z.number(),
  parentId: z.number().nullable(),
  parentName: z.string().nullable(),
  isAgent: codec.flag,
  regions: codec.keyList,
  provice: z.string(),
  city: z.string(),
  region: z.string(),
  contact: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  passwordPolicy: z.enum(passwordPolicies),
  businessType: z.enum(businessTypes).nullable(),
  endTime: codec.instant.nullable(),
  cpeLimit: z.number().nullable(),
  accountLimit: z.number().nullable(),
  creditLimit: money.sum,
  /** Sum of all that was posted to its credit, in the book of its present seller. */
  balance: money.sum,
  /** Handed to a partner carrier's system (CTG). */
  isPush: codec.flag,
  nodeConfig: z.string(),
  strategyType: z.number(),
  popStrategyId: z.number().nullable(),
  popStrategyName: z.string().nullable(),
  /** Of the strategy's POPs only these; empty: all. */
  checkServerData: codec.idList,
  enable: codec.flag,
  /** The caller is above it: what no enterprise sets for itself may be set. */
  fromAbove: codec.flag,
  /** CPEs of this enterprise itself, without subordinates. */
  cpeCount: z.number(),
  /** CPEs and accounts that count against its limits, with subordinates; null: it has no such limit. */
  cpeUse: z.number().nullable(),
  accountUse: z.number().nullable(),
  remark: z.string(),
  createTime: codec.instant,
  updateTime: codec.instant,
  createBy: z.string().nullable(),
});

const declared = defineResource({
  name: "enterprise",
  title: ["企业", "Enterprise"],
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
  sort: ["groupid", "name", "createTime", "endTime"],
  sheet: { key: ["parentId", "name"] },
  may: {
    list: screens("/sdwan-system/enterprisemanage"),
    add: "enterpriseAdd",
    edit: "enterpriseEdit",
    remove: "enterpriseRemove",
    combo: namesForForms,
  },
});

/** What an edit sends of the row. `oldPsw`: the caller's own password, needed when the parent or the password policy changes. */
export const enterpriseEditDraft = draft.safeExtend({ oldPsw: text.ownPassword });

const edit = endpoint({
  id: "enterprise.edit",
  method: "POST",
  path: "/customer/enterprise/edit",
  input: enterpriseEditDraft.safeExtend({ groupid: codec.id, rowVersion: expectedVersion }),
  output: nothing,
  may: "enterpriseEdit",
});

/** The spec's combo item of enterprises has `groupid`, not `id` (section 3). */
export const enterpriseCombo = endpoint({
  id: "enterprise.combo",
  method: "GET",
  path: "/customer/enterprise/combo",
  input: z.object({}),
  output: z.array(z.object({ groupid: z.number(), name: z.string() })),
  may: namesForForms,
});

export const enterprise = withCalls(declared, {
  edit,
  combo: enterpriseCombo,
});

const contract = (may: Permission): FieldSetter => ({ may, above: true });
/** What it is, not what it says of itself. */
const kind: FieldSetter = { above: true };

/** Who may set what of an enterprise. What others sell it, or demand of it, it does not set for itself. */
export const enterpriseSetters: FieldSetters<
  keyof RowOf<typeof enterprise> | keyof DraftOf<typeof enterprise>
> = {
  groupid: "computed",
  name: "anyone",
  enterpriseType: kind,
  // Whoever acts on the new parent's people acts on these from then on.
  parentId: { may: "enterpriseEditParent", above: true, person: true },
  parentName: "computed",
  isAgent: kind,
  regions: "anyone",
  provice: "anyone",
  city: "anyone",
  region: "anyone",
  contact: "anyone",
  phone: "anyone",
  email: "anyone",
  passwordPolicy: { person: true, above: true, demandsMfa: (value) => value === "8+MFA" },
  businessType: kind,
  endTime: contract("enterpriseEndTime"),
  cpeLimit: contract("enterpriseBillingPerm"),
  accountLimit: contract("enterpriseBillingPerm"),
  creditLimit: contract("enterpriseBillingPerm"),
  balance: "computed",
  isPush: "anyone",
  nodeConfig: "anyone",
  strategyType: "anyone",
  popStrategyId: "anyone",
  popStrategyName: "computed",
  checkServerData: "anyone",
  // All its people may log in again.
  enable: { above: true, person: (value) => value === true },
  fromAbove: "computed",
  cpeCount: "computed",
  cpeUse: "computed",
  accountUse: "computed",
  remark: "anyone",
  createTime: "computed",
  updateTime: "computed",
  createBy: "computed",
};

export const enterpriseByGroupId = endpoint({
  id: "enterprise.getByGroupId",
  method: "GET",
  path: "/customer/enterprise/getByGroupId",
  input: z.object({ groupid: codec.id }),
  output: enterprise.row,
  may: screens("/sdwan-system/enterprisemanage"),
});

/** Every enterprise of the data scope with all its fields. */
export const enterpriseFindAll = endpoint({
  id: "enterprise.findAll",
  method: "GET",
  path: "/customer/enterprise/findAll",
  input: z.object({}),
  output: z.array(row),
  may: screens("/sdwan-system/enterprisemanage"),
});

/** Enables (1) or disables (0) an enterprise. Enabling needs the caller's own password (`oldPsw`). */
export const enterpriseEditEn = endpoint({
  id: "enterprise.editEn",
  method: "POST",
  path: "/customer/enterprise/editEn",
  input: z.object({ groupid: codec.id, enable: codec.flag, oldPsw: text.ownPassword }),
  output: nothing,
  may: "enterpriseEdit",
});

/** Text that the devices of an enterprise are given on top of what the console sets. */
export const enterpriseEditConfig = endpoint({
  id: "enterprise.editConfig",
  method: "POST",
  path: "/customer/enterprise/editConfig",
  input: z.object({ groupid: codec.id, nodeConfig: codec.text(8_192) }),
  output: nothing,
  may: "enterpriseEdit",
});

/** Whether the enterprise is handed to a partner carrier's system (CTG). */
export const enterpriseEditCtg = endpoint({
  id: "enterprise.editCTGConfig",
  method: "POST",
  path: "/customer/enterprise/editCTGConfig",
  input: z.object({ groupid: codec.id, isPush: codec.flag }),
  output: nothing,
  may: "enterpriseEditCTG",
});

/** Whether the CPE is handed to a partner carrier's system (CTG). */
export const cpeEditCtg = endpoint({
  id: "cpe.editCTGConfig",
  method: "POST",
  path: "/customer/cpe/editCTGConfig",
  input: z.object({ cpeId: codec.id, isPush: codec.flag }),
  output: nothing,
  may: "cpeEditCTG",
});

const strategyInput = z
  .object({
    groupid: codec.id,
    strategyType: codec.code(strategyTypes),
    popStrategyId: codec.orNull(codec.id),
    checkServerData: codec.idList.default([]),
  })
  .refine(
    ({ strategyType, popStrategyId }) => strategyType !== 1 || popStrategyId !== null,
    failsWith("required", {}, ["popStrategyId"]),
  );

/** Which POPs an enterprise uses: selected by the controller (0), or those of a strategy (1). */
export const enterpriseEditStrategy = endpoint({
  id: "enterprise.editStrategy",
  method: "POST",
  path: "/customer/enterprise/editStrategy",
  input: strategyInput,
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
  may: screens("/sdwan-system/enterprisemanage"),
});

/** The caller's own enterprise. */
export const enterpriseInfoGet = endpoint({
  id: "enterpriseInfo.get",
  method: "GET",
  path: "/customer/enterpriseInfo/get",
  input: z.object({}),
  output: row.extend({ rowVersion }),
  may: screens("/sdwan-system/enterprisemanage/enterpriseInfo"),
});

/** What an enterprise says of itself: where it is and how it is reached. */
export const enterpriseInfoEdit = endpoint({
  id: "enterpriseInfo.edit",
  method: "POST",
  path: "/customer/enterpriseInfo/edit",
  input: z
    .object({ ...ownFields, rowVersion: expectedVersion })
    .refine(isOnePlace, failsWith("notAllowed", {}, ["regions"])),
  output: nothing,
  may: screens("/sdwan-system/enterprisemanage/enterpriseInfo"),
});
export const enterpriseInfoVersions = versionedSettings(
  "enterprise",
  enterpriseInfoGet.output,
  enterpriseInfoEdit.input,
);

export const enterpriseSamples: Samples<typeof enterprise> = {
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
    ...enterpriseSamples.valid(ids),
    name: "华东零售-02",
    phone: null,
    passwordPolicy: "15+",
    endTime: new Date("2099-12-31T00:00:00Z"),
    cpeLimit: 20,
    creditLimit: 10_050,
  }),
  distinct: ({ name }) => ({ name }),
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
};
