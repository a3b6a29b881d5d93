import { z } from "zod";
import { screens } from "#contract/access.ts";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
import { blacklistTypes } from "#domains/devices/settings-enums.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as host from "#rules/host.ts";
import * as text from "#rules/text.ts";

const fits = ({ type, value }: { type: string; value: string }): boolean => {
  if (type === "ip")
    return address.parsePrefix(value) !== null || address.parseAddress(value) !== null;
  if (type === "mac") return text.isMac(value);
  return type === "url" ? text.isUrl(value) : host.isDomain(value);
};

/** What no CPE of the choice lets through (section 2.4). */
const draft = z
  .object({
    groupid: codec.id,
    type: codec.oneOf(blacklistTypes),
    /** An address or network, a MAC address, a domain or a URL. */
    value: codec.text(253, 1),
    /** Empty: all CPEs of the enterprise. */
    cpeIds: codec.idList,
    enable: codec.flag,
    remark: text.remark,
  })
  .refine(fits, failsWith("ofType", {}, ["value"]));

const row = z.object({
  id: z.number(),
  groupid: z.number(),
  type: z.enum(blacklistTypes),
  value: z.string(),
  cpeIds: codec.idList,
  enable: codec.flag,
  remark: z.string(),
  createTime: codec.instant,
});

export const blacklist = defineResource({
  name: "blacklist",
  title: ["黑名单", "Blacklist entry"],
  path: "/customer/blacklist",
  id: "id",
  row,
  draft,
  query: z.object({
    value: codec.orNull(codec.text(64)),
    type: codec.orNull(codec.oneOf(blacklistTypes)),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "value", "createTime"],
  sheet: { key: ["groupid", "type", "value"] },
  may: {
    list: screens("/system/blacklist"),
    add: "cpeConfig",
    edit: "cpeConfig",
    remove: "cpeConfig",
    combo: null,
  },
});

export const blacklistSamples: Samples<typeof blacklist> = {
  valid: ({ groupid, cpeId }) => ({
    groupid,
    type: "ip",
    value: "203.0.113.0/24",
    cpeIds: [cpeId],
    enable: true,
    remark: "",
  }),
  edited: (ids) => ({
    ...blacklistSamples.valid(ids),
    type: "domain",
    value: "ads.example.com",
    cpeIds: [],
  }),
  distinct: (mark) => ({ value: `${networkOf(mark)}.9` }),
  invalid: [
    { field: "value", value: "", rule: "required" },
    { field: "value", value: "not an address", rule: "ofType" },
    { field: "type", value: "asn", rule: "oneOf" },
  ],
};
