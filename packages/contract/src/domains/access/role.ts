import { z } from "zod";
import { screens } from "#contract/access.ts";
import { isGrant } from "#contract/grants.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import type { FieldSetter, FieldSetters } from "#kernel/field-setters.ts";
import {
  comboItem,
  type DraftOf,
  defineResource,
  type RowOf,
  withCalls,
} from "#kernel/resource.ts";
import { expectedVersion } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import * as text from "#rules/text.ts";
import { type DataScope, dataScope, dataScopes, roleTypes } from "./enums.ts";

/** Permission codes, and entries of the menu by their path, comma-joined on the wire. */
const authorities = codec.keyList.refine(
  (codes) => codes.every((code) => isGrant(code)),
  failsWith("unknown"),
);

/** Who sees how far: the scope, and the enterprises of scope 4 (ignored with any other). */
const reach = { dataScope: codec.code(dataScopes), groupids: codec.idList };
const namesSome = (scope: { dataScope: DataScope; groupids: readonly number[] | null }): boolean =>
  scope.dataScope !== dataScope.custom || (scope.groupids?.length ?? 0) > 0;

/** What users of one enterprise may do and see (section 6). */
const draft = z
  .object({
    roleCode: codec.text(32, 1).refine(text.isName, failsWith("name")),
    name: text.name,
    groupid: codec.id,
    roleType: codec.code(roleTypes),
    ...reach,
    authorities,
    /** Users with the role log in with MFA. Null: as it is, at first no. */
    demandFactor: codec.orNull(codec.flag),
    remark: text.remark,
  })
  .refine(namesSome, failsWith("atLeastOne", {}, ["groupids"]));

const row = z.object({
  roleId: z.number(),
  roleCode: z.string(),
  name: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  roleType: z.number(),
  dataScope: z.number(),
  /** Selected enterprises, as far as the caller sees them. */
  groupids: codec.idList,
  authorities: codec.keyList,
  demandFactor: codec.flag,
  /** Users who have it. */
  users: z.number(),
  remark: z.string(),
  createTime: codec.instant,
  createBy: z.string().nullable(),
  /** False: it gives more than the caller holds, who can only read. */
  manageable: codec.flag,
});

// Who may make users decides what they may do: roles are written with the codes of the user family.
const declared = defineResource({
  name: "role",
  title: ["角色", "Role"],
  path: "/customer/role",
  id: "roleId",
  row,
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    roleType: codec.orNull(codec.code(roleTypes)),
    groupid: codec.orNull(codec.id),
  }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["roleId", "name", "createTime"],
  sheet: { key: ["groupid", "roleCode"] },
  may: {
    list: screens("/system/rolemanage"),
    add: "sysUserAdd",
    edit: "sysUserEdit",
    remove: "sysUserRemove",
    combo: screens("/system/rolemanage", "sysUserList"),
  },
});

/** What an edit sends of the row. `oldPsw`: the caller's own password, needed when what the role gives or demands changes. */
export const roleEditDraft = draft.safeExtend({ oldPsw: text.ownPassword });

const edit = endpoint({
  id: "role.edit",
  method: "POST",
  path: "/customer/role/edit",
  input: roleEditDraft.safeExtend({ roleId: codec.id, rowVersion: expectedVersion }),
  output: nothing,
  may: "sysUserEdit",
});

/** Roles that the caller may give to a user, of one enterprise or of all in scope. */
export const roleCombo = endpoint({
  id: "role.combo",
  method: "GET",
  path: "/customer/role/combo",
  input: z.object({ groupid: codec.orNull(codec.id) }),
  output: z.array(comboItem),
  may: screens("/system/rolemanage", "sysUserList"),
});

export const role = withCalls(declared, { edit, combo: roleCombo });

/** What a program grants the users of a role would outlive its key. */
const granted: FieldSetter = { person: true };

/** Who may set what of a role, within what the caller holds (a role never gives more). */
export const roleSetters: FieldSetters<keyof RowOf<typeof role> | keyof DraftOf<typeof role>> = {
  roleId: "computed",
  roleCode: "anyone",
  name: "anyone",
  groupid: granted,
  enterpriseName: "computed",
  roleType: granted,
  dataScope: granted,
  groupids: granted,
  authorities: granted,
  demandFactor: { person: true, demandsMfa: (value) => value === true },
  users: "computed",
  remark: "anyone",
  createTime: "computed",
  createBy: "computed",
  manageable: "computed",
};

/** What a role gives, and the menu nodes that follow from it. */
export const roleMenus = endpoint({
  id: "role.menus",
  method: "GET",
  path: "/customer/role/menus",
  input: z.object({ roleId: codec.id }),
  output: z.object({ menuIds: z.array(z.number()), authorities: z.array(z.string()) }),
  may: screens("/system/rolemanage"),
});

/** Replaces what a role gives. `oldPsw`: the caller's own password. */
export const roleSaveMenus = endpoint({
  id: "role.saveMenus",
  method: "POST",
  path: "/customer/role/saveMenus",
  input: z.object({ roleId: codec.id, authorities, oldPsw: text.ownPassword }),
  output: nothing,
  may: "sysUserEdit",
});

/** Replaces a role's data scope. `oldPsw`: the caller's own password. */
export const roleSaveDataScope = endpoint({
  id: "role.saveDataScope",
  method: "POST",
  path: "/customer/role/saveDataScope",
  input: z
    .object({
      roleId: codec.id,
      ...reach,
      groupids: codec.orNull(codec.idList),
      oldPsw: text.ownPassword,
    })
    .refine(namesSome, failsWith("atLeastOne", {}, ["groupids"])),
  output: nothing,
  may: "sysUserEdit",
});

export const roleSamples: Samples<typeof role> = {
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
  edited: (ids) => ({ ...roleSamples.valid(ids), dataScope: 3, authorities: ["cpeEdit"] }),
  distinct: ({ name, latin }) => ({ roleCode: latin, name }),
  invalid: [
    { field: "roleCode", value: "", rule: "required" },
    { field: "name", value: "<b>", rule: "name" },
    { field: "roleType", value: 3, rule: "oneOf" },
    { field: "dataScope", value: 5, rule: "oneOf" },
    { field: "authorities", value: ["cpeEdit", "everything"], rule: "unknown" },
    { field: "groupids", value: [0], rule: "integer" },
  ],
};
