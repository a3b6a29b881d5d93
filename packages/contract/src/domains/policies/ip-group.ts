import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { addresses, groupOfEnterprise, named } from "./policy-fields.ts";

export const ipGroup = definePolicyFamily({
  name: "routerIpgroup",
  title: ["IP 组", "IP group"],
  plural: "IP groups",
  ...groupOfEnterprise,
});

/** The addresses of an IP group. */
export const ipEntry = definePolicyFamily({
  name: "routerIpgroupdefine",
  title: ["IP 条目", "IP entry"],
  plural: "IP entries",
  fields: z.object({ ...named, ipgroupId: codec.id, ip: addresses }),
  facts: z.object({}),
  references: { ipgroupId: "routerIpgroup" },
  merge: { by: "parent", field: "ipgroupId" },
  filters: ["ipgroupId"],
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name", "ip"],
  importable: {
    verb: "import",
    columns: ["name", "ipgroupId", "ip", "remark"],
    rest: {},
  },
});
