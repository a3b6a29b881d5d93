/** Identity providers: login by OpenID Connect in place of a password (docs/adr/0034-single-sign-on.md). */
import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, nothing } from "#kernel/endpoint.ts";
import type { FieldSetter, FieldSetters } from "#kernel/field-setters.ts";
import { type DraftOf, defineResource, type RowOf, withCalls } from "#kernel/resource.ts";
import { expectedVersion } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import { isDomain } from "#rules/host.ts";
import { isUrl, name, ownPassword, remark } from "#rules/text.ts";
import { roleMap } from "./role-map.ts";
import { loggedIn } from "./session.ts";

/** An http or https URL without query and fragment (OpenID Connect Discovery 1.0, section 2). */
const issuer = codec
  .text(512, 1)
  .refine((value) => isUrl(value) && !/[?#]/.test(value), failsWith("url"));

const maxDomains = 50;

const draft = z.object({
  name,
  /** Whose users log in by it: those of the enterprise and of all below; null: the caller's own. */
  groupid: codec.orNull(codec.id),
  issuer,
  clientId: codec.text(255, 1),
  /** Empty in an edit: it stays. Empty in an add: a public client, which PKCE alone protects. */
  clientSecret: codec.text(512).default(""),
  /** Separated by blanks; `openid` is asked for in any case. */
  scopes: codec.text(255),
  /** Claim that lists the groups of a person. */
  claimOfGroups: codec.text(64, 1),
  /** Only people with a verified e-mail address of these domains; empty: all. */
  emailDomains: codec.keyList
    .refine((list) => list.length <= maxDomains, failsWith("tooMany", { max: maxDomains }))
    .refine((list) => list.every(isDomain), failsWith("hostName")),
  roleMap,
  /** Role of people without a mapped group; null: they are refused. */
  defaultRoleId: codec.orNull(codec.id),
  /** Accounts are made at the first login; otherwise an administrator links each. */
  createUsers: codec.flag,
  /** It asks for MFA itself. Otherwise accounts with MFA cannot log in by it. */
  providerMfa: codec.flag,
  enable: codec.flag,
  remark,
});

const declared = defineResource({
  name: "identityProvider",
  title: ["身份提供方", "Identity provider"],
  addition: "single sign-on; the specification knows passwords only",
  path: "/customer/identityProvider",
  id: "id",
  row: draft.omit({ clientSecret: true }).extend({
    id: z.number(),
    groupid: z.number(),
    enterpriseName: z.string(),
    /** Whether a client secret is kept; it is never sent. */
    hasSecret: codec.flag,
    /** Accounts that are linked to people at the provider. */
    users: z.number(),
    createTime: codec.instant,
    /** False: one of its roles gives more than the caller holds, who can only read. */
    manageable: codec.flag,
  }),
  draft,
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: {
    none: [
      "身份提供方须有客户端密钥才能使用，而密钥不会导出到文件",
      "a provider needs its client secret, and secrets are not exported",
    ],
  },
  // It decides who may log in with which role: the permission to manage users covers it.
  may: {
    list: "sysUserList",
    add: "sysUserAdd",
    edit: "sysUserEdit",
    remove: "sysUserRemove",
    combo: null,
  },
});

/** As the draft. `oldPsw`: the caller's own password. */
const add = endpoint({
  id: "identityProvider.add",
  addition: "single sign-on; the specification knows passwords only",
  method: "POST",
  path: "/customer/identityProvider/add",
  input: draft.extend({ oldPsw: ownPassword }),
  output: newId,
  may: "sysUserAdd",
  ownPassword: true,
});

/** As the draft. `oldPsw`: the caller's own password, needed when more than the name and the remark changes. */
const edit = endpoint({
  id: "identityProvider.edit",
  addition: "single sign-on; the specification knows passwords only",
  method: "POST",
  path: "/customer/identityProvider/edit",
  input: draft.extend({ id: codec.id, rowVersion: expectedVersion, oldPsw: ownPassword }),
  output: nothing,
  may: "sysUserEdit",
});

export const identityProvider = withCalls(declared, {
  add,
  edit,
});

/** It decides who logs in, and as whom. */
const opens: FieldSetter = { person: true };

/** Who may set what of a provider. */
export const identityProviderSetters: FieldSetters<
  keyof RowOf<typeof identityProvider> | keyof DraftOf<typeof identityProvider>
> = {
  id: "computed",
  name: "anyone",
  groupid: opens,
  enterpriseName: "computed",
  issuer: opens,
  clientId: opens,
  clientSecret: opens,
  hasSecret: "computed",
  scopes: opens,
  claimOfGroups: opens,
  emailDomains: opens,
  roleMap: opens,
  defaultRoleId: opens,
  createUsers: opens,
  providerMfa: opens,
  enable: opens,
  users: "computed",
  remark: "anyone",
  createTime: "computed",
  manageable: "computed",
};

/** What a test of a provider asks for, in this order. */
export const providerSteps = ["discovery", "issuer", "endpoints", "pkce", "keys"] as const;
export type ProviderStep = (typeof providerSteps)[number];

/** Reads the metadata and keys of a provider. @returns the step that failed and why; null: none did */
export const identityProviderCheck = endpoint({
  id: "identityProvider.check",
  addition: "whether a provider can be reached is known before someone logs in by it",
  method: "POST",
  path: "/customer/identityProvider/check",
  input: z.object({ id: codec.id }),
  output: z.object({
    failed: codec.oneOf(providerSteps).nullable(),
    /** What was answered, as the library or the provider says it (English). */
    detail: z.string(),
    /** To be registered at the provider for the host that was asked. */
    redirectUri: z.string(),
  }),
  may: "sysUserEdit",
});

/** Who the people of a provider are here. */
export const identityProviderLinks = endpoint({
  id: "identityProvider.links",
  addition: "an administrator sees who logs in by a provider",
  method: "GET",
  path: "/customer/identityProvider/links",
  input: z.object({ id: codec.id }),
  output: z.array(
    z.object({
      userId: z.number(),
      loginName: z.string(),
      enterpriseName: z.string(),
      subject: z.string(),
      lastLogin: codec.instant.nullable(),
    }),
  ),
  may: "sysUserList",
});

/** Links an account to a person at the provider; it takes the place of an earlier link of the account. */
export const identityProviderLink = endpoint({
  id: "identityProvider.link",
  addition: "accounts that exist are linked by an administrator, never by an e-mail address",
  method: "POST",
  path: "/customer/identityProvider/link",
  input: z.object({
    id: codec.id,
    userId: codec.id,
    /** `sub` of the person at the provider. Empty: the link is removed. */
    subject: codec.text(255),
    /** The caller's own password. */
    oldPsw: ownPassword,
  }),
  output: z.null(),
  may: "sysUserEdit",
  ownPassword: true,
});

/** Begins a login: where the browser goes, and the ticket with which it comes back. */
export const oidcStart = endpoint({
  id: "auth.oidcStart",
  addition: "login by an identity provider",
  method: "POST",
  path: "/api/v1/customer/oidc/start",
  auth: "none",
  input: z.object({
    providerId: codec.id,
    /** Of the page: `https://host`. The provider sends the browser back there. */
    origin: codec.text(300, 1),
    /** The person authenticates again, whatever session the provider has: a login that may stand for the password. */
    again: codec.flag.default(false),
  }),
  output: z.object({ url: z.string(), ticket: z.string() }),
  may: null,
});

/** Ends a login with what the provider sent the browser back with. */
export const oidcFinish = endpoint({
  id: "auth.oidcFinish",
  addition: "login by an identity provider",
  method: "POST",
  path: "/api/v1/customer/oidc/finish",
  auth: "none",
  input: z.object({
    ticket: codec.text(64, 1),
    /** Query of the address: `code=…&state=…&iss=…`. */
    answer: codec.text(8192, 1),
  }),
  /** `logoutUrl`: where the session at the provider ends; empty: it offers none. */
  output: loggedIn.extend({ logoutUrl: z.string() }),
  may: null,
});

export const identityProviderSamples: Samples<typeof identityProvider> = {
  valid: ({ groupid }) => ({
    name: "企业身份平台",
    groupid,
    issuer: "https://192.0.2.40/realms/weft",
    clientId: "weft",
    clientSecret: "Zk1bX0n3bq3S6w2dYw9c",
    scopes: "openid profile email",
    claimOfGroups: "groups",
    emailDomains: ["example.com"],
    roleMap: [],
    defaultRoleId: null,
    createUsers: true,
    providerMfa: false,
    enable: true,
    remark: "",
  }),
  edited: (ids) => ({
    ...identityProviderSamples.valid(ids),
    clientSecret: "",
    scopes: "openid profile email groups",
    claimOfGroups: "roles",
    emailDomains: [],
    createUsers: false,
    // Setting it takes a caller with MFA, whom not every test has.
    providerMfa: false,
    enable: false,
  }),
  distinct: (mark) => ({ name: mark.name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "issuer", value: "login.example.com", rule: "url" },
    { field: "issuer", value: "https://login.example.com/?a=b", rule: "url" },
    { field: "clientId", value: "", rule: "required" },
    { field: "claimOfGroups", value: "", rule: "required" },
    { field: "emailDomains", value: ["a b"], rule: "hostName" },
  ],
};
