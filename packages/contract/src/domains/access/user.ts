import { z } from "zod";
import { ownAccount } from "#contract/access.ts";
import { loginNameOf, type Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, nothing } from "#kernel/endpoint.ts";
import type { FieldSetter, FieldSetters } from "#kernel/field-setters.ts";
import { type DraftOf, defineResource, type RowOf, withCalls } from "#kernel/resource.ts";
import { expectedVersion } from "#kernel/row-version.ts";
import * as text from "#rules/text.ts";

/** Who logs in (section 3). A user has roles of the user's own enterprise, and sees by them. */
const draft = z.object({
  /** Unique in the whole installation: a login names nothing else. */
  loginName: text.loginName,
  name: codec.text(text.limits.name),
  groupid: codec.id,
  /** None: the user may log in and sees nothing. */
  roleIds: codec.idList,
  phone: codec.orNull(text.phone),
  email: codec.orNull(text.email),
  remark: text.remark,
});

const row = z.object({
  userId: z.number(),
  loginName: z.string(),
  name: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  roleIds: codec.idList,
  roleNames: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  /** The user has proven by a code that messages arrive there: only then a password is recovered by it. */
  phoneConfirmed: codec.flag,
  emailConfirmed: codec.flag,
  enable: codec.flag,
  lastLogin: codec.instant.nullable(),
  remark: z.string(),
  createTime: codec.instant,
  createBy: z.string().nullable(),
  /** False: the user holds more than the caller, who can only read. */
  manageable: codec.flag,
});

const declared = defineResource({
  name: "user",
  title: ["用户", "User"],
  path: "/customer/user",
  id: "userId",
  row,
  draft,
  query: z.object({
    loginName: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
    enable: codec.orNull(codec.flag),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["userId", "loginName", "createTime"],
  sheet: { key: ["loginName"] },
  may: {
    list: "sysUserList",
    add: "sysUserAdd",
    edit: "sysUserEdit",
    remove: "sysUserRemove",
    combo: null,
  },
});

/**
 * As the draft, with a first password; without one the user cannot log in until it is set by resetPwd. `oldPsw`: the
 * caller's own password.
 */
const add = endpoint({
  id: "user.add",
  method: "POST",
  path: "/customer/user/add",
  input: draft.extend({
    password: codec.orNull(text.newPassword),
    oldPsw: text.ownPassword,
  }),
  output: newId,
  may: "sysUserAdd",
  ownPassword: true,
});

/**
 * As the draft. `oldPsw`: the caller's own password, needed when the enterprise, the roles, the login name, the
 * phone number or the e-mail address changes.
 */
const edit = endpoint({
  id: "user.edit",
  method: "POST",
  path: "/customer/user/edit",
  input: draft.extend({
    userId: codec.id,
    rowVersion: expectedVersion,
    oldPsw: text.ownPassword,
  }),
  output: nothing,
  may: "sysUserEdit",
});

export const user = withCalls(declared, { add, edit });

const contact: FieldSetter = {
  person: true,
  may: "sysUserResetPwd",
  own: true,
};

/** What a program grants a person would outlive its key. */
const granted: FieldSetter = { person: true };

/** A key disables, and does not enable. */
const enables: FieldSetter = { person: (value) => value === true };

/** Who may set what of a user. A way to be reached, or a name to log in by, opens the account as a password does. */
export const userSetters: FieldSetters<
  keyof RowOf<typeof user> | keyof DraftOf<typeof user> | "password"
> = {
  userId: "computed",
  loginName: contact,
  name: "anyone",
  groupid: granted,
  enterpriseName: "computed",
  roleIds: granted,
  roleNames: "computed",
  phone: contact,
  email: contact,
  phoneConfirmed: "computed",
  emailConfirmed: "computed",
  enable: enables,
  lastLogin: "computed",
  remark: "anyone",
  createTime: "computed",
  createBy: "computed",
  manageable: "computed",
  password: granted,
};

/** Ways by which a user is reached. */
export const contactWays = ["phone", "email"] as const;
export type ContactWay = (typeof contactWays)[number];

/** Sends a code to the caller's own phone number or e-mail address. In seconds: until another can be asked for, and its life. */
export const userConfirmBegin = endpoint({
  id: "user.confirmBegin",
  addition: "passwords are recovered only by addresses that the user has confirmed",
  method: "POST",
  path: "/customer/user/confirmBegin",
  input: z.object({ way: codec.oneOf(contactWays) }),
  output: z.object({ again: z.number(), valid: z.number(), ticket: z.string() }),
  may: ownAccount,
});

/** Confirms the phone number or address by the code that arrived there. */
export const userConfirm = endpoint({
  id: "user.confirm",
  addition: "passwords are recovered only by addresses that the user has confirmed",
  method: "POST",
  path: "/customer/user/confirm",
  input: z.object({ ticket: codec.text(64, 1), sms: codec.text(12, 1) }),
  output: nothing,
  may: ownAccount,
});

/** The caller's own row, whatever the data scope. */
export const userInfo = endpoint({
  id: "user.info",
  method: "GET",
  path: "/customer/user/info",
  input: z.object({}),
  output: row,
  may: ownAccount,
});

/** Sets another user's password and ends all sessions of that user. `oldPsw`: the caller's own password. */
export const userResetPwd = endpoint({
  id: "user.resetPwd",
  method: "POST",
  path: "/customer/user/resetPwd",
  input: z.object({ userId: codec.id, newPsw: text.newPassword, oldPsw: text.ownPassword }),
  output: nothing,
  may: "sysUserResetPwd",
  ownPassword: true,
});

/** Enables (1) or disables (0) a user; disabling ends the user's sessions. Enabling needs the caller's own password. */
export const userEditEnable = endpoint({
  id: "user.editEnable",
  method: "POST",
  path: "/customer/user/editEnable",
  input: z.object({ userId: codec.id, enable: codec.flag, oldPsw: text.ownPassword }),
  output: nothing,
  may: "sysUserEdit",
});

export const userSamples: Samples<typeof user> = {
  valid: ({ groupid }) => ({
    loginName: `ops${groupid}@demo`,
    name: "李强",
    groupid,
    roleIds: [],
    phone: "13800000002",
    email: "ops@example.com",
    remark: "",
  }),
  edited: (ids) => ({ ...userSamples.valid(ids), name: "李强 (夜班)", phone: null }),
  distinct: ({ name, latin }) => ({ loginName: loginNameOf(latin), name }),
  invalid: [
    { field: "loginName", value: "", rule: "required" },
    { field: "loginName", value: "a b", rule: "loginName" },
    { field: "phone", value: "0571", rule: "phone" },
    { field: "email", value: "nobody", rule: "email" },
    { field: "roleIds", value: [0], rule: "integer" },
  ],
};
