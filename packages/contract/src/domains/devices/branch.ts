import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { textList } from "#rules/members.ts";
import * as text from "#rules/text.ts";

/** A site of an enterprise with its CPEs (section 3). */
export const branch = defineResource({
  name: "branch",
  title: ["分支", "Branch"],
  path: "/customer/branch",
  id: "id",
  row: z.object({
    id: z.number(),
    groupid: z.number(),
    enterpriseName: z.string(),
    name: z.string(),
    regions: codec.keyList,
    address: z.string(),
    cpeIds: codec.idList,
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    groupid: codec.id,
    name: text.name,
    /** Province, city, region, comma-joined. */
    regions: textList(3, 32),
    address: codec.text(255),
    /** CPEs of the same enterprise; each is in one branch. */
    cpeIds: codec.idList,
    remark: text.remark,
  }),
  query: z.object({ groupid: codec.orNull(codec.id), name: codec.orNull(codec.text(64)) }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/sdwan-system/enterprisemanage"),
    add: screens("/sdwan-system/enterprisemanage"),
    edit: screens("/sdwan-system/enterprisemanage"),
    remove: screens("/sdwan-system/enterprisemanage"),
    combo: screens("/sdwan-system/enterprisemanage"),
  },
});

export const branchSamples: Samples<typeof branch> = {
  valid: ({ groupid, cpeId }) => ({
    groupid,
    name: "杭州分部",
    regions: ["浙江省", "杭州市", "西湖区"],
    address: "文三路 1 号",
    cpeIds: [cpeId],
    remark: "",
  }),
  edited: (ids) => ({ ...branchSamples.valid(ids), name: "杭州分部-02", cpeIds: [] }),
  distinct: ({ name }) => ({ name, cpeIds: [] }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "regions", value: ["a", "b", "c", "d"], rule: "tooMany" },
    { field: "cpeIds", value: [0], rule: "integer" },
  ],
};
