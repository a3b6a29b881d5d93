import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { languages } from "#kernel/message.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as text from "#rules/text.ts";

/** Who is notified of alarms, and by what. */
export const messageReceive = defineResource({
  name: "messageReceive",
  title: ["通知接收人", "Recipient"],
  path: "/customer/messageReceive",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    email: z.string().nullable(),
    emailFlag: codec.flag,
    phone: z.string().nullable(),
    phoneFlag: codec.flag,
    language: z.enum(languages),
    /** Names of the policies that notify this recipient. */
    strategies: z.array(z.string()),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z
    .object({
      name: text.name,
      /** Whose it is; null: the caller's own. */
      groupid: codec.orNull(codec.id),
      email: codec.orNull(text.email),
      emailFlag: codec.flag,
      phone: codec.orNull(text.phone),
      phoneFlag: codec.flag,
      /** Of the notifications. */
      language: codec.oneOf(languages),
      remark: text.remark,
    })
    .refine(
      (draft) => !draft.emailFlag || draft.email !== null,
      failsWith("required", {}, ["email"]),
    )
    .refine(
      (draft) => !draft.phoneFlag || draft.phone !== null,
      failsWith("required", {}, ["phone"]),
    ),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  may: { list: null, add: null, edit: null, remove: null, combo: null },
});

export const messageReceiveSamples: Samples<typeof messageReceive> = {
  valid: ({ groupid }) => ({
    name: "值班组",
    groupid,
    email: "noc@example.com",
    emailFlag: true,
    phone: "13800000003",
    phoneFlag: false,
    language: "zh_cn",
    remark: "",
  }),
  edited: (ids) => ({
    ...messageReceiveSamples.valid(ids),
    name: "夜班",
    email: null,
    emailFlag: false,
    phoneFlag: true,
    language: "en_gb",
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "email", value: "nobody", rule: "email" },
    { field: "email", value: null, rule: "required" },
    { field: "phone", value: "0571", rule: "phone" },
    { field: "language", value: "de", rule: "oneOf" },
  ],
};
