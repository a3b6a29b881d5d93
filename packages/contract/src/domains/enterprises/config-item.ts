import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as text from "#rules/text.ts";

/** A value by its key, of one enterprise. */
export const configItem = defineResource({
  name: "configItem",
  title: ["配置项", "Config value"],
  path: "/customer/configList",
  id: "id",
  row: z.object({
    id: z.number(),
    groupid: z.number(),
    enterpriseName: z.string(),
    configKey: z.string(),
    configValue: z.string(),
    remark: z.string(),
    updateTime: codec.instant,
  }),
  draft: z.object({
    configKey: codec.text(128, 1),
    configValue: codec.text(4_096),
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    remark: text.remark,
  }),
  query: z.object({ configKey: codec.orNull(codec.text(128)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["configKey", "updateTime"],
  sheet: { key: ["groupid", "configKey"] },
  may: {
    list: screens("/system/configList"),
    add: screens("/system/configList"),
    edit: screens("/system/configList"),
    remove: screens("/system/configList"),
    combo: null,
  },
});

export const configItemSamples: Samples<typeof configItem> = {
  valid: ({ groupid }) => ({
    configKey: "portal.title",
    configValue: "示例",
    groupid,
    remark: "",
  }),
  edited: (ids) => ({ ...configItemSamples.valid(ids), configValue: "示例-2" }),
  distinct: ({ latin }) => ({ configKey: latin }),
  invalid: [
    { field: "configKey", value: "", rule: "required" },
    { field: "configKey", value: "k".repeat(129), rule: "tooLong" },
  ],
};
