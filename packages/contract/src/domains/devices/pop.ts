import { z } from "zod";
import { namesForForms, screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { toneFilter } from "./health.ts";
import { line } from "./line.ts";
import { nodeRowFields } from "./node-row.ts";
import { expiryStates } from "./settings-enums.ts";

/** A point of presence: a hub in a data centre, shared by the spaces that it is a member of. */
const draft = z.object({
  name: text.name,
  groupid: codec.id,
  sn: text.serialNumber,
  regions: codec.text(96),
  longitude: codec.orNull(number.longitude),
  latitude: codec.orNull(number.latitude),
  /** kbit/s in all. */
  bandwidth: codec.orNull(number.bandwidthKbps),
  expireTime: codec.orNull(codec.expiry),
  remark: text.remark,
});

const row = z.object({
  id: z.number(),
  name: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  regions: z.string(),
  longitude: z.number().nullable(),
  latitude: z.number().nullable(),
  bandwidth: z.number().nullable(),
  expireTime: codec.instant.nullable(),
  /** spec/enums.json tokenExpiryState: 3 normal, 4 due soon, 5 expired. */
  tokenState: codec.code(expiryStates),
  /** 1 online (as linkStatus; the field that spec/entities.json proposes). */
  status: z.number(),
  /** Address of the first line, for the list. */
  ip: z.string().nullable(),
  ...nodeRowFields,
});

export const pop = defineResource({
  name: "pop",
  title: ["POP", "POP"],
  path: "/customer/pop",
  id: "id",
  row,
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
    linkStatus: codec.orNull(codec.int(0, 1)),
    /** 4 due soon, 5 expired; any other text is looked for in name and sn (section 2.6). */
    key: codec.orNull(codec.text(64)),
    tone: toneFilter,
  }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime", "expireTime", "health"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/sdwan-system/pop", "screenView"),
    add: "popAdd",
    edit: "popEdit",
    remove: "popRemove",
    combo: namesForForms,
  },
});

export const popFindById = endpoint({
  id: "pop.findById",
  method: "GET",
  path: "/customer/pop/findById",
  input: z.object({ id: codec.id }),
  output: pop.row,
  may: screens("/sdwan-system/pop", "popConfig"),
});

export const popLines = endpoint({
  id: "pop.getLineInfoById",
  method: "GET",
  path: "/customer/pop/getLineInfoById",
  input: z.object({ id: codec.id }),
  output: z.array(line.row),
  may: screens("/sdwan-system/pop", "popConfig"),
});

export const popSamples: Samples<typeof pop> = {
  valid: ({ groupid }) => ({
    name: "上海-01",
    groupid,
    sn: "POP-SH-0001",
    regions: "上海市",
    longitude: 121.473701,
    latitude: 31.230416,
    bandwidth: 1_000_000,
    expireTime: null,
    remark: "",
  }),
  edited: (ids) => ({ ...popSamples.valid(ids), name: "上海-02", bandwidth: null }),
  distinct: ({ name, latin }) => ({ name, sn: `SN-${latin}` }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "sn", value: "a b c d", rule: "serialNumber" },
    { field: "latitude", value: 91, rule: "coordinate" },
    { field: "bandwidth", value: 63, rule: "bandwidth" },
  ],
};
