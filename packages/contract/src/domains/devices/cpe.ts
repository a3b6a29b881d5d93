import { z } from "zod";
import { namesForForms, screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { timeZone } from "#rules/time-zone.ts";
import { standbyRoles, standbyStates, xModes } from "./enums.ts";
import { toneFilter } from "./health.ts";
import { nodeRowFields } from "./node-row.ts";
import { expiryStates } from "./settings-enums.ts";

/** A device at a customer's site (section 3). */
const draft = z.object({
  alias: text.name,
  groupid: codec.id,
  sn: text.serialNumber,
  enable: codec.flag,
  xMode: codec.code(xModes),
  longitude: codec.orNull(number.longitude),
  latitude: codec.orNull(number.latitude),
  expireTime: codec.orNull(codec.expiry),
  /** Area of its enterprise to which it belongs. */
  areaId: codec.orNull(codec.id),
  /** Clock of its time groups, an IANA name; null: that of its enterprise's parameters. */
  timezone: codec.orNull(timeZone).default(null),
  remark: text.remark,
});

const row = z.object({
  id: z.number(),
  alias: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  enable: codec.flag,
  xMode: z.number(),
  longitude: z.number().nullable(),
  latitude: z.number().nullable(),
  expireTime: codec.instant.nullable(),
  /** spec/enums.json tokenExpiryState: 3 normal, 4 due soon, 5 expired. */
  tokenState: codec.code(expiryStates),
  areaId: z.number().nullable(),
  areaName: z.string().nullable(),
  timezone: z.string().nullable(),
  /** The CPE that it is behind. */
  parentCpeId: z.number().nullable(),
  /** Names the device that serves it: first 16 digits of its key's SHA-256; null: none. */
  hostid: z.string().nullable(),
  nDynamicdhcp: codec.flag,
  /** Address of the first line that has one, as the device reported it. */
  wanIp: z.string().nullable(),
  /** First LAN section. */
  lanIp: z.string().nullable(),
  /** Section 5: group of devices that stand for each other; null: none. */
  hotStandbyGroup: z.number().nullable(),
  hotStandbyRole: z.enum(standbyRoles).nullable(),
  hotStandbyPriority: z.number().nullable(),
  /**
   * What the device reports that it is in its group: `alone` is active without one that stands by. Null: not known,
   * as of a device that is out of contact.
   */
  standbyState: z.enum(standbyStates).nullable(),
  standbySince: codec.instant.nullable(),
  /** Handed to a partner carrier's system (CTG). */
  isPush: codec.flag,
  /** Takes part in its closed user groups. */
  cugEnable: codec.flag,
  /** bit/s in its closed user groups; null: no limit of its own. */
  cugBandwidth: z.number().nullable(),
  netSpaceId: z.number().nullable(),
  netSpaceName: z.string().nullable(),
  ...nodeRowFields,
});

export const cpe = defineResource({
  name: "cpe",
  title: ["CPE", "CPE"],
  path: "/customer/cpe",
  id: "id",
  row,
  draft,
  query: z.object({
    alias: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
    linkStatus: codec.orNull(codec.int(0, 1)),
    /** 4 due soon, 5 expired; any other text is looked for in alias and sn (section 2.6). */
    key: codec.orNull(codec.text(64)),
    areaId: codec.orNull(codec.id),
    tone: toneFilter,
  }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  rename: { list: "findAll", add: "insertNew" },
  sort: ["id", "alias", "createTime", "lastOnline", "expireTime", "health"],
  sheet: { key: ["groupid", "alias"] },
  may: {
    list: screens("/sdwan-system/cpe"),
    add: "cpeAdd",
    edit: "cpeEdit",
    remove: "cpeRemove",
    combo: namesForForms,
  },
});

export const cpeFindById = endpoint({
  id: "cpe.findById",
  method: "GET",
  path: "/customer/cpe/findById",
  input: z.object({ id: codec.id }),
  output: cpe.row,
  may: screens("/sdwan-system/cpe", "cpeConfig"),
});

export const cpeSamples: Samples<typeof cpe> = {
  valid: ({ groupid }) => ({
    alias: "杭州门店-03",
    groupid,
    sn: "8F3A-0003",
    enable: true,
    xMode: 0,
    longitude: null,
    latitude: null,
    expireTime: null,
    areaId: null,
    timezone: null,
    remark: "",
  }),
  edited: (ids) => ({
    ...cpeSamples.valid(ids),
    alias: "杭州门店-04",
    timezone: "Asia/Kathmandu",
  }),
  distinct: ({ name, latin }) => ({ alias: name, sn: `SN-${latin}` }),
  invalid: [
    { field: "alias", value: "", rule: "required" },
    { field: "alias", value: "<b>", rule: "name" },
    { field: "sn", value: "x", rule: "tooShort" },
    { field: "longitude", value: 181, rule: "coordinate" },
    { field: "xMode", value: 7, rule: "oneOf" },
    { field: "timezone", value: "Moon/Base", rule: "timezone" },
  ],
};
