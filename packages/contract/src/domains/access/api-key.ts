import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import type { FieldSetter, FieldSetters } from "#kernel/field-setters.ts";
import { type DraftOf, defineResource, type RowOf, withCalls } from "#kernel/resource.ts";
import { expectedVersion } from "#kernel/row-version.ts";
import * as text from "#rules/text.ts";

/**
 * A key for programs (design section 4): it takes the same path as a session, with the permissions
 * and the data scope of one role, and never more than its maker holds at that moment.
 */
const draft = z.object({
  name: text.name,
  groupid: codec.id,
  roleId: codec.id,
  /** From then on it is refused. */
  expireTime: codec.expiry,
  remark: text.remark,
});

const row = z.object({
  id: z.number(),
  name: z.string(),
  /** How it begins: all that is kept of it besides a hash. */
  prefix: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  roleId: z.number(),
  roleName: z.string(),
  expireTime: codec.instant,
  /** To the minute. */
  lastUsed: codec.instant.nullable(),
  lastIp: z.string().nullable(),
  remark: z.string(),
  createTime: codec.instant,
  createBy: z.string().nullable(),
  /** False: its role gives more than the caller holds, who can only read. */
  manageable: codec.flag,
});

const declared = defineResource({
  name: "apiKey",
  title: ["API 密钥", "API key"],
  path: "/customer/apiKey",
  id: "id",
  row,
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "expireTime", "createTime"],
  sheet: {
    none: ["密钥只在创建时显示一次", "a key is shown once, when it is made"],
  },
  // The permission to manage users covers API keys, which log in without a person.
  may: {
    list: "sysUserList",
    add: "sysUserAdd",
    edit: "sysUserEdit",
    remove: "sysUserRemove",
    combo: null,
  },
});

/** Makes a key. `key` is shown this once. `oldPsw`: the caller's own password. */
const add = endpoint({
  id: "apiKey.add",
  method: "POST",
  path: "/customer/apiKey/add",
  input: draft.extend({ oldPsw: text.ownPassword }),
  output: z.object({ id: z.number(), key: z.string() }),
  may: "sysUserAdd",
  ownPassword: true,
});

/** As the draft. `oldPsw`: the caller's own password, needed when the role or the end changes. */
const edit = endpoint({
  id: "apiKey.edit",
  method: "POST",
  path: "/customer/apiKey/edit",
  input: draft.extend({
    id: codec.id,
    rowVersion: expectedVersion,
    oldPsw: text.ownPassword,
  }),
  output: nothing,
  may: "sysUserEdit",
});

export const apiKey = withCalls(declared, { add, edit });

/** It opens more, or for longer. */
const widens: FieldSetter = { person: true };

/** Who may set what of a key; that no key writes keys is the routes' rule. */
export const apiKeySetters: FieldSetters<
  keyof RowOf<typeof apiKey> | keyof DraftOf<typeof apiKey>
> = {
  id: "computed",
  name: "anyone",
  prefix: "computed",
  groupid: widens,
  enterpriseName: "computed",
  roleId: widens,
  roleName: "computed",
  expireTime: widens,
  lastUsed: "computed",
  lastIp: "computed",
  remark: "anyone",
  createTime: "computed",
  createBy: "computed",
  manageable: "computed",
};

export const apiKeySamples: Samples<typeof apiKey> = {
  valid: ({ groupid, roleId = 1 }) => ({
    name: "月报脚本",
    groupid,
    roleId,
    expireTime: new Date("2099-12-31T00:00:00Z"),
    remark: "",
  }),
  edited: (ids) => ({ ...apiKeySamples.valid(ids), name: "周报脚本" }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "name", value: "a b", rule: "name" },
    { field: "roleId", value: 0, rule: "outOfRange" },
    { field: "expireTime", value: "31.12.2099", rule: "instant" },
  ],
};
