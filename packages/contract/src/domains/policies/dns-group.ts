import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { domain, groupOfEntries, named } from "./policy-fields.ts";

export const dnsGroup = definePolicyFamily({
  name: "routerDnsgroup",
  title: ["DNS 组", "DNS group"],
  plural: "DNS groups",
  ...groupOfEntries,
});

/** The domains of a DNS group. */
export const dnsEntry = definePolicyFamily({
  name: "routerDomains",
  title: ["域名条目", "domain entry"],
  plural: "domain entries",
  fields: z.object({ ...named, dnsgroupId: codec.id, domain }),
  facts: z.object({}),
  references: { dnsgroupId: "routerDnsgroup" },
  merge: { by: "parent", field: "dnsgroupId" },
  filters: ["dnsgroupId"],
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name", "domain"],
  importable: {
    verb: "importTem",
    columns: ["name", "dnsgroupId", "domain", "remark"],
    rest: {},
  },
});
