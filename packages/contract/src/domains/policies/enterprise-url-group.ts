/** Sets of host names that belong to an enterprise, not to a template. */

import { namesForForms } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { defineResource } from "#kernel/resource.ts";
import * as members from "#rules/members.ts";
import {
  enterpriseGroup,
  groupPreviewOf,
  groupScreens,
  groupUsesOf,
} from "./enterprise-group-fields.ts";

export const urlgroup = defineResource({
  name: "urlgroup",
  title: ["URL 组", "URL group"],
  path: "/customer/urlgroup",
  id: "id",
  row: enterpriseGroup.row.extend(enterpriseGroup.facts.shape),
  draft: enterpriseGroup.draft.extend({ members: members.hostMembers }),
  query: enterpriseGroup.query,
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: groupScreens,
    add: groupScreens,
    edit: groupScreens,
    remove: groupScreens,
    combo: namesForForms,
  },
});

export const urlgroupUses = groupUsesOf("urlgroup");
export const urlgroupPreview = groupPreviewOf("urlgroup");

export const urlgroupSamples: Samples<typeof urlgroup> = {
  valid: ({ groupid }) => ({
    name: "办公网站",
    groupid,
    members: ["example.com", "*.example.org"],
    remark: "",
  }),
  edited: (ids) => ({ ...urlgroupSamples.valid(ids), members: ["example.net"] }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "members", value: ["not a host"], rule: "hostName" },
    { field: "members", value: ["-a.example.com"], rule: "hostName" },
  ],
};
