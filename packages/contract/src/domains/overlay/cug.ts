import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { bitsPerSecond } from "#domains/mobile/mobile-account.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as text from "#rules/text.ts";

/** A closed user group: CPEs of an enterprise that belong together (sections 2.4 and 9). */
const draft = z.object({
  name: text.name,
  groupid: codec.id,
  /** bit/s that the members share; entered in Mbit/s. */
  bandwidth: bitsPerSecond,
  cpeIds: codec.idList,
  enable: codec.flag,
  remark: text.remark,
});

export const cug = defineResource({
  name: "cug",
  title: ["CUG", "CUG"],
  path: "/customer/cug",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    bandwidth: z.number(),
    cpeIds: codec.idList,
    enable: codec.flag,
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft,
  query: z.object({ groupid: codec.orNull(codec.id), name: codec.orNull(codec.text(64)) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/business-system/cug"),
    add: screens("/business-system/cug"),
    edit: "cpeEditCug",
    remove: screens("/business-system/cug"),
    combo: null,
  },
});

export const cugSamples: Samples<typeof cug> = {
  valid: ({ groupid, cpeId }) => ({
    name: "财务专网",
    groupid,
    bandwidth: 8_200_000,
    cpeIds: [cpeId],
    enable: true,
    remark: "",
  }),
  edited: (ids) => ({
    ...cugSamples.valid(ids),
    name: "财务专网-2",
    bandwidth: 10_000_000,
    cpeIds: [],
    enable: false,
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "bandwidth", value: 63_999, rule: "bandwidth" },
    { field: "cpeIds", value: [0], rule: "integer" },
  ],
};
