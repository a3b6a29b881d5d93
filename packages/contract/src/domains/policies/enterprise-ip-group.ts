/** Sets of addresses that belong to an enterprise, not to a template. */

import { z } from "zod";
import { namesForForms } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as members from "#rules/members.ts";
import {
  enterpriseGroup,
  groupPreviewOf,
  groupScreens,
  groupUsesOf,
} from "./enterprise-group-fields.ts";

const ipRow = enterpriseGroup.row.extend({ share: codec.flag });

export const ipgroup = defineResource({
  name: "ipgroup",
  title: ["IP 组", "IP group"],
  path: "/customer/ipgroup",
  id: "id",
  row: ipRow.extend({
    ...enterpriseGroup.facts.shape,
    /** True: it is shared with the caller, who may not change it. */
    fromAbove: codec.flag,
  }),
  draft: enterpriseGroup.draft.extend({
    members: members.ipMembers,
    /** True: enterprises below may use it. */
    share: codec.flag.default(false),
  }),
  query: enterpriseGroup.query,
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: groupScreens,
    add: "ipGroupManager",
    edit: "ipGroupManager",
    remove: "ipGroupManager",
    combo: namesForForms,
  },
});

export const ipgroupUses = groupUsesOf("ipgroup");
export const ipgroupPreview = groupPreviewOf("ipgroup");

/** All sets that an enterprise may use: its own and those that an enterprise above it shares. */
export const ipgroupByGroupId = endpoint({
  id: "ipgroup.listByGroupId",
  method: "GET",
  path: "/customer/ipgroup/listByGroupId",
  input: z.object({ enterpriseId: codec.id }),
  output: z.array(ipRow),
  may: namesForForms,
});

/** All sets that the caller may use. */
export const ipgroupListNoPage = endpoint({
  id: "ipgroup.listNoPage",
  method: "GET",
  path: "/customer/ipgroup/listNoPage",
  input: z.object({}),
  output: z.array(ipRow),
  may: namesForForms,
});

export const ipgroupSamples: Samples<typeof ipgroup> = {
  valid: ({ groupid }) => ({
    name: "总部网段",
    groupid,
    members: ["10.1.0.0/16", "10.2.1.1-10.2.1.9", "fd00::1"],
    share: false,
    remark: "",
  }),
  edited: (ids) => ({ ...ipgroupSamples.valid(ids), share: true }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "members", value: [], rule: "required" },
    { field: "members", value: ["10.1.0.300"], rule: "ipSet" },
    { field: "members", value: ["10.2.1.9-10.2.1.1"], rule: "ipSet" },
  ],
};
