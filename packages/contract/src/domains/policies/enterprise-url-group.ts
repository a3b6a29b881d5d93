/** Sets of host names that belong to an enterprise, not to a template. */

import { namesForForms, screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { defineResource } from "#kernel/resource.ts";
import * as members from "#rules/members.ts";
import { enterpriseGroup } from "./enterprise-group-fields.ts";

export const urlgroup = defineResource({
  name: "urlgroup",
  title: ["URL 组", "URL group"],
  path: "/customer/urlgroup",
  id: "id",
  row: enterpriseGroup.row,
  draft: enterpriseGroup.draft.extend({ members: members.hostMembers }),
  query: enterpriseGroup.query,
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/business-system/saasquickly"),
    add: screens("/business-system/saasquickly"),
    edit: screens("/business-system/saasquickly"),
    remove: screens("/business-system/saasquickly"),
    combo: namesForForms,
  },
});

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
