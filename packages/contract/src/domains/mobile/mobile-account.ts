import { z } from "zod";
import { screens } from "#contract/access.ts";
import { loginNameOf, type Samples } from "#contract/samples/sample.ts";
import { batchOf } from "#kernel/batch.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import { exportOf, importOf } from "#kernel/sheet.ts";
import { bandwidthBps } from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** Section 4: what a mobile account is used with. */
export const terminalTypes = [1, 2, 3, 4, 5, 6, 7, 1000] as const;

const noEnd = 1;
const latest = Date.UTC(9999, 11, 31);

/**
 * End of an account: a moment, or none (null). On the wire a number: 1 for no end, otherwise
 * milliseconds since 1970; -1 is read as 1 (section 5).
 */
export const accountExpire = z.codec(
  z.union([z.string(), z.number()]),
  z.custom<Date | null>(
    (value) =>
      value === null ||
      (value instanceof Date && value.getTime() > noEnd && value.getTime() <= latest),
    failsWith("instant"),
  ),
  {
    decode: (value) => {
      const number = codec.plainInteger(value);
      return number === -1 || number === noEnd ? null : new Date(number);
    },
    encode: (value) => (value === null ? noEnd : value.getTime()),
  },
);

/** bit/s; from 64 kbit/s on, as everywhere (section 5). */
export const bitsPerSecond = bandwidthBps;

/** Devices and clients: letters and digits. */
const clientPassword = z
  .string()
  .refine(
    (value) => text.isPasswordFormat(value) && value.length >= 5 && value.length <= 32,
    failsWith("password", { min: 5, max: 32 }),
  );

const accountFields = {
  loginName: text.loginName,
  alias: text.name,
  terminalType: codec.code(terminalTypes),
  enable: codec.flag,
  /** To the client and from it; null: as the enterprise's configuration has it. */
  txbps: codec.orNull(bitsPerSecond),
  rxbps: codec.orNull(bitsPerSecond),
  phone: codec.orNull(text.phone),
  email: codec.orNull(text.email),
  expire: accountExpire,
  remark: text.remark,
};

const draft = z.object({ groupid: codec.id, popId: codec.orNull(codec.id), ...accountFields });

const row = z.object({
  id: z.number(),
  groupid: z.number(),
  enterpriseName: z.string(),
  loginName: z.string(),
  alias: z.string(),
  terminalType: codec.code(terminalTypes),
  enable: codec.flag,
  txbps: z.number().nullable(),
  rxbps: z.number().nullable(),
  popId: z.number().nullable(),
  popName: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  expire: accountExpire,
  /** 3 normal, 4 due soon (within 30 days), 5 expired. */
  tokenState: z.number(),
  /** True: the client can log in with a password. */
  hasPassword: codec.flag,
  /** Of the client's key pair, base64 as wg(8) prints it; null: it has none yet. */
  publicKey: z.string().nullable(),
  /** Address in the space, out of the pool; null: none. */
  address: z.string().nullable(),
  remark: z.string(),
  createTime: codec.instant,
});

/** Accounts of people on the road and of soft terminals (section 7.3). */
export const mobileAccount = defineResource({
  name: "account",
  title: ["移动账号", "Mobile account"],
  path: "/customer/account",
  id: "id",
  row,
  draft,
  query: z.object({
    /** Part of the alias, or 4 for due soon and 5 for expired (section 2.6). */
    key: codec.orNull(codec.text(text.limits.name)),
    alias: codec.orNull(codec.text(text.limits.name)),
    groupid: codec.orNull(codec.id),
    enable: codec.orNull(codec.flag),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "alias", "loginName", "expire", "createTime"],
  sheet: {
    key: ["groupid", "loginName"],
    may: { export: "clientExport", import: "clientImport" },
  },
  may: {
    list: screens("/sdwan-system/mobileTerminal/account"),
    add: "clientAdd",
    edit: "accountEdit",
    remove: "accountRemove",
    combo: null,
  },
});

export const accountGetById = endpoint({
  id: "account.getById",
  method: "GET",
  path: "/customer/account/getById",
  input: z.object({ id: codec.id }),
  output: mobileAccount.row,
  may: "clientInfo",
});

/** One end for many accounts. */
export const accountBatchExpire = endpoint({
  id: "account.batchExpire",
  method: "POST",
  path: "/customer/account/batchExpire",
  input: z.object({ ids: codec.someIds, expire: accountExpire }),
  output: nothing,
  may: "accountBatchExpire",
});

export const accountEditEnable = endpoint({
  id: "account.editEnable",
  method: "POST",
  path: "/customer/account/editEnable",
  input: z.object({ ids: codec.someIds, enable: codec.flag }),
  output: nothing,
  may: "clientEdit",
});

/** Enables or disables each of many accounts. */
export const accountBatchEnable = batchOf(mobileAccount.ops.list, {
  id: "account.batchEnable",
  path: "/customer/account/batchEnable",
  may: "clientEdit",
  fields: { setEnable: codec.flag },
});

/** Gives each of many accounts the same end. */
export const accountBatchEnd = batchOf(mobileAccount.ops.list, {
  id: "account.batchEnd",
  path: "/customer/account/batchEnd",
  may: "accountBatchExpire",
  fields: { expire: accountExpire },
});

export const accountBatchRemove = batchOf(mobileAccount.ops.list, {
  id: "account.batchRemove",
  path: "/customer/account/batchRemove",
  may: "accountRemove",
  fields: {},
});

/** Sets the password of a client; it is kept as a hash and never answered. */
export const accountEditPass = endpoint({
  id: "account.editPass",
  method: "POST",
  path: "/customer/account/editPass",
  input: z.object({ id: codec.id, password: clientPassword }),
  output: nothing,
  may: "clientEditPass",
});

/** Raw 32 bytes of an X25519 public key, base64. The last digit carries two spare bits, both 0. */
const keyText = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const publicKey = z.string().refine((value) => keyText.test(value), failsWith("tunnelKey"));

/**
 * Gives a client its key, and with the first one its address; null takes both away. Only the public
 * half is ever sent: the pair is made where the client is.
 */
export const accountEditKey = endpoint({
  id: "account.editKey",
  method: "POST",
  path: "/customer/account/editKey",
  input: z.object({ id: codec.id, publicKey: codec.orNull(publicKey) }),
  output: nothing,
  may: "clientEdit",
});

/** Why an account cannot connect now. */
export const clientObstacles = [
  "noService",
  "noKey",
  "noAddress",
  "disabled",
  "expired",
  "otherPop",
  "terminalType",
  "popUnready",
] as const;

/** What the configuration of a client is made of, besides the private key that only it has. */
export const accountClient = endpoint({
  id: "account.client",
  method: "GET",
  path: "/customer/account/client",
  input: z.object({ id: codec.id }),
  output: z.object({
    /** Null: it can connect. */
    obstacle: z.enum(clientObstacles).nullable(),
    /** Its own, with length. */
    address: z.string().nullable(),
    dns: z.string().nullable(),
    /** Public key of the POP. */
    serverKey: z.string().nullable(),
    /** host:port that it calls ([v6]:port for IPv6). */
    endpoint: z.string().nullable(),
    /** Networks that it sends into the tunnel. */
    routes: z.array(z.string()),
    /** Bytes. */
    mtu: z.number(),
  }),
  may: "clientInfo",
});

export const accountExport = exportOf(mobileAccount.ops.list, {
  id: "account.export",
  path: "/customer/account/export",
  may: "clientExport",
});

export const accountImport = importOf({
  id: "account.import",
  path: "/customer/account/import",
  may: "clientImport",
  owner: { groupid: codec.id },
  row: z.object({
    loginName: accountFields.loginName,
    alias: accountFields.alias,
    terminalType: accountFields.terminalType,
    phone: accountFields.phone,
    email: accountFields.email,
    remark: codec.orNull(text.remark),
  }),
});

export const mobileAccountSamples: Samples<typeof mobileAccount> = {
  valid: ({ groupid, popId }) => ({
    groupid,
    popId,
    loginName: "zhangwei@",
    alias: "张伟-手机",
    terminalType: 6,
    enable: true,
    txbps: 10_000_000,
    rxbps: 8_200_000,
    phone: "13800000002",
    email: null,
    expire: new Date("2099-12-31T00:00:00Z"),
    remark: "",
  }),
  edited: (ids) => ({
    ...mobileAccountSamples.valid(ids),
    alias: "张伟-电脑",
    terminalType: 5,
    txbps: null,
    expire: null,
  }),
  distinct: ({ name, latin }) => ({ loginName: loginNameOf(latin), alias: name }),
  invalid: [
    { field: "loginName", value: "", rule: "required" },
    { field: "loginName", value: "a b", rule: "loginName" },
    { field: "alias", value: "<b>", rule: "name" },
    { field: "terminalType", value: 9, rule: "oneOf" },
    { field: "txbps", value: 63_999, rule: "bandwidth" },
    { field: "expire", value: "soon", rule: "instant" },
  ],
};
