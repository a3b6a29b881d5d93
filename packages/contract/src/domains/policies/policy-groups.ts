/** Groups and what is in them: what rules refer to (specification section 3, router policy objects). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import { areApplications } from "#rules/applications.ts";
import { hasTime } from "#rules/time-zone.ts";
import { addresses, byName, clock, domain, named, weekdays } from "./policy-fields.ts";

const all = ["list", "add", "edit", "remove", "combo"] as const;
const none = z.object({});
/** How many entries a group has. */
const members = z.object({ members: z.number() });
const group = {
  fields: z.object(named),
  facts: members,
  label: "name",
  verbs: all,
  sort: ["name"],
  merge: byName,
} as const;

export const timeGroup = definePolicyFamily({
  name: "routerTimenode",
  title: ["时间组", "time group"],
  plural: "time groups",
  // An end before the start is one of the next day; the weekdays are those on which it begins.
  fields: z
    .object({ ...named, weekdays, startTime: clock, endTime: clock })
    .refine(
      ({ startTime, endTime }) => hasTime(startTime, endTime),
      failsWith("noTime", {}, ["endTime"]),
    ),
  facts: z.object({
    /** Whose clock decides: that of the CPE or POP; null: each device that the template is on has its own. */
    timezone: z.string().nullable(),
    /** Whether it is active now. */
    activeNow: codec.flag.nullable(),
    /** When that changes; null: never, or each device has its own clock. */
    nextSwitch: codec.instant.nullable(),
  }),
  label: "name",
  verbs: all,
  sort: ["name", "startTime"],
  merge: byName,
});

export const ipGroup = definePolicyFamily({
  name: "routerIpgroup",
  title: ["IP 组", "IP group"],
  plural: "IP groups",
  ...group,
});

/** The addresses of an IP group. */
export const ipEntry = definePolicyFamily({
  name: "routerIpgroupdefine",
  title: ["IP 条目", "IP entry"],
  plural: "IP entries",
  fields: z.object({ ...named, ipgroupId: codec.id, ip: addresses }),
  facts: none,
  references: { ipgroupId: "routerIpgroup" },
  merge: { by: "parent", field: "ipgroupId" },
  filters: ["ipgroupId"],
  label: "name",
  verbs: all,
  sort: ["name", "ip"],
  importable: {
    verb: "import",
    columns: ["name", "ipgroupId", "ip", "remark"],
    rest: {},
  },
});

export const dnsGroup = definePolicyFamily({
  name: "routerDnsgroup",
  title: ["DNS 组", "DNS group"],
  plural: "DNS groups",
  ...group,
});

/** The domains of a DNS group. */
export const dnsEntry = definePolicyFamily({
  name: "routerDomains",
  title: ["域名条目", "domain entry"],
  plural: "domain entries",
  fields: z.object({ ...named, dnsgroupId: codec.id, domain }),
  facts: none,
  references: { dnsgroupId: "routerDnsgroup" },
  merge: { by: "parent", field: "dnsgroupId" },
  filters: ["dnsgroupId"],
  label: "name",
  verbs: all,
  sort: ["name", "domain"],
  importable: {
    verb: "importTem",
    columns: ["name", "dnsgroupId", "domain", "remark"],
    rest: {},
  },
});

export const urlGroup = definePolicyFamily({
  name: "routerUrlgroup",
  title: ["URL 组", "URL group"],
  plural: "URL groups",
  ...group,
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
  facts: none,
  references: { urlgroupId: "routerUrlgroup" },
  merge: { by: "parent", field: "urlgroupId" },
  filters: ["urlgroupId"],
  label: "name",
  verbs: all,
  sort: ["name", "url"],
  importable: {
    verb: "importTem",
    columns: ["name", "urlgroupId", "url", "remark"],
    rest: { allowOnlyHost: true },
  },
});

/** Application protocols, out of the catalogue and the owner's own ones (rules/applications.ts). */
export const appGroup = definePolicyFamily({
  name: "routerAppgroup",
  title: ["应用组", "application group"],
  plural: "application groups",
  fields: z.object({
    ...named,
    l7ids: codec.someIds.refine(areApplications, failsWith("unknown")),
  }),
  facts: none,
  label: "name",
  verbs: all,
  sort: ["name"],
  merge: byName,
});
