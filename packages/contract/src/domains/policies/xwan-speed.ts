import { z } from "zod";
import { namesForForms, screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import { importOf } from "#kernel/sheet.ts";
import { destinationMembers } from "#rules/members.ts";
import * as text from "#rules/text.ts";
import { destinationKinds, speedTypes } from "./destination-enums.ts";

const may = {
  list: screens("/business-system/saasquickly"),
  add: "enterpriseGamespeed",
  edit: "enterpriseGamespeed",
  remove: "enterpriseGamespeed",
  combo: namesForForms,
} as const;

/** Acceleration profiles (specification section 7.2): what is to be quick, by its definitions. */
export const xwanSpeed = defineResource({
  name: "xwanSpeed",
  title: ["加速方案", "Acceleration profile"],
  path: "/customer/xwanSpeed",
  id: "speedId",
  row: z.object({
    speedId: z.number(),
    name: z.string(),
    type: codec.code(speedTypes),
    groupid: z.number(),
    enterpriseName: z.string(),
    enable: codec.flag,
    /** Definitions that it has. */
    defines: z.number(),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    name: text.name,
    type: codec.code(speedTypes),
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    enable: codec.flag,
    remark: text.remark,
  }),
  query: z.object({
    name: codec.orNull(codec.text(64)),
    type: codec.orNull(codec.code(speedTypes)),
    groupid: codec.orNull(codec.id),
  }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["speedId", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may,
});

const definition = {
  kind: codec.oneOf(destinationKinds),
  /** A host name, an address or network, or the number of a protocol or application. */
  value: codec.text(253, 1),
} as const;

/** What the value must be follows from the kind. */
const fitting = <Schema extends z.ZodObject<typeof definition & z.ZodRawShape>>(
  schema: Schema,
): Schema =>
  destinationKinds.reduce<Schema>((checked, kind) => {
    const { is, rule } = destinationMembers[kind];
    return checked.refine(
      (draft) =>
        (draft as { kind: string }).kind !== kind || is((draft as { value: string }).value),
      failsWith(rule, {}, ["value"]),
    );
  }, schema);

/** One destination of a profile. */
export const xwanSpeedDefine = defineResource({
  name: "xwanSpeedDefine",
  title: ["加速定义", "Acceleration definition"],
  path: "/customer/xwanSpeedDefine",
  id: "id",
  row: z.object({
    id: z.number(),
    speedId: z.number(),
    kind: z.enum(destinationKinds),
    value: z.string(),
    remark: z.string(),
  }),
  draft: fitting(z.object({ speedId: codec.id, ...definition, remark: text.remark })),
  query: z.object({ speedId: codec.id, value: codec.orNull(codec.text(64)) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "kind", "value"],
  sheet: { key: ["kind", "value"] },
  owner: "speedId",
  may,
});

/** Definitions of one profile out of a file (specification section 7.2). */
export const xwanSpeedDefineImport = importOf({
  id: "xwanSpeedDefine.import",
  path: "/customer/xwanSpeedDefine/import",
  may: "enterpriseGamespeed",
  owner: { speedId: codec.id },
  row: fitting(z.object({ ...definition, remark: codec.orNull(text.remark) })),
});

export const xwanSpeedSamples: Samples<typeof xwanSpeed> = {
  valid: ({ groupid }) => ({ name: "跨境办公", type: 1, groupid, enable: true, remark: "" }),
  edited: (ids) => ({ ...xwanSpeedSamples.valid(ids), type: 2, enable: false }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "type", value: 3, rule: "oneOf" },
  ],
};

export const xwanSpeedDefineSamples: Samples<typeof xwanSpeedDefine> = {
  valid: ({ speedId = 1 }) => ({ speedId, kind: "domain", value: "zoom.us", remark: "" }),
  edited: (ids) => ({
    ...xwanSpeedDefineSamples.valid(ids),
    kind: "ip",
    value: "203.0.113.0/24",
  }),
  distinct: ({ latin }) => ({ value: `${latin}.example.com` }),
  invalid: [
    { field: "kind", value: "port", rule: "oneOf" },
    { field: "value", value: "203.0.113.0/24", rule: "hostName" },
    { field: "value", value: "", rule: "required" },
  ],
};
