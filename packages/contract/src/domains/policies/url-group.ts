import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import { addresses, domain, groupOfEnterprise, named } from "./policy-fields.ts";

export const urlGroup = definePolicyFamily({
  name: "routerUrlgroup",
  title: ["URL 组", "URL group"],
  plural: "URL groups",
  ...groupOfEnterprise,
});

/** Host with or without a path and scheme, as people write them. */
const address = codec
  .text(1_024, 1)
  .refine((value) => /^(?:https?:\/\/)?[^\s/]+(?:\/\S*)?$/i.test(value), failsWith("hostName"))
  .refine((value) => hostOf(value) !== null, failsWith("hostName"));

const hostOf = (value: string): string | null => {
  const host = /^(?:https?:\/\/)?([^/:?#]+)/i.exec(value)?.[1] ?? "";
  return domain.safeEncode(host).success || addresses.safeEncode(host).success ? host : null;
};

/** The addresses of a URL group. */
export const urlEntry = definePolicyFamily({
  name: "routerUrl",
  title: ["URL 条目", "URL entry"],
  plural: "URL entries",
  fields: z.object({ ...named, urlgroupId: codec.id, url: address, allowOnlyHost: codec.flag }),
  facts: z.object({}),
  references: { urlgroupId: "routerUrlgroup" },
  merge: { by: "parent", field: "urlgroupId" },
  filters: ["urlgroupId"],
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name", "url"],
  importable: {
    verb: "importTem",
    columns: ["name", "urlgroupId", "url", "remark"],
    rest: { allowOnlyHost: true },
  },
});
