/** Sets of addresses and of host names that belong to an enterprise, not to a template. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as members from "#rules/members.ts";
import * as text from "#rules/text.ts";

const row = z.object({
  id: z.number(),
  name: z.string(),
  groupid: z.number(),
  members: z.codec(z.string(), z.array(z.string()), {
    decode: (value) => value.split(","),
    encode: (value) => value.join(","),
  }),
  remark: z.string(),
  createTime: codec.instant,
});
const draft = z.object({
  name: text.name,
  /** Whose it is; null: the caller's own. */
  groupid: codec.orNull(codec.id),
  remark: text.remark,
});
const query = z.object({
  name: codec.orNull(codec.text(64)),
  groupid: codec.orNull(codec.id),
});

const ipRow = row.extend({ share: codec.flag });

export const ipgroup = defineResource({
  name: "ipgroup",
  path: "/customer/ipgroup",
  id: "id",
  row: ipRow,
  draft: draft.extend({
    members: members.ipMembers,
    /** True: enterprises below may use it. */
    share: codec.flag.default(false),
  }),
  query,
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  may: {
    list: null,
    add: "ipGroupManager",
    edit: "ipGroupManager",
    remove: "ipGroupManager",
    combo: null,
  },
});

/** All sets that an enterprise may use: its own and what stands above it shares. */
export const ipgroupByGroupId = endpoint({
  id: "ipgroup.listByGroupId",
  method: "GET",
  path: "/customer/ipgroup/listByGroupId",
  input: z.object({ enterpriseId: codec.id }),
  output: z.array(ipRow),
  may: null,
});

/** All sets that the caller may use. */
export const ipgroupListNoPage = endpoint({
  id: "ipgroup.listNoPage",
  method: "GET",
  path: "/customer/ipgroup/listNoPage",
  input: z.object({}),
  output: z.array(ipRow),
  may: null,
});

export const urlgroup = defineResource({
  name: "urlgroup",
  path: "/customer/urlgroup",
  id: "id",
  row,
  draft: draft.extend({ members: members.hostMembers }),
  query,
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  may: { list: null, add: null, edit: null, remove: null, combo: null },
});
