import { z } from "zod";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as address from "#rules/address.ts";
import * as text from "#rules/text.ts";

/**
 * Route notices (specification section 2.3): networks that a CPE announces to the spaces it is in
 * beside its LAN sections and static routes; it has routes to them by itself.
 */
export const routeNotice = defineResource({
  name: "routeNotice",
  title: ["路由通告", "Route notice"],
  path: "/customer/routeNotice",
  id: "id",
  row: z.object({
    id: z.number(),
    cpeId: z.number(),
    cpeName: z.string(),
    network: z.string(),
    enable: codec.flag,
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    cpeId: codec.id,
    network: address.ofSites(address.ipNetwork),
    enable: codec.flag,
    remark: text.remark,
  }),
  query: z.object({
    cpeId: codec.orNull(codec.id),
    network: codec.orNull(codec.text(64)),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "network", "createTime"],
  sheet: { key: ["cpeId", "network"] },
  may: {
    list: null,
    add: "configStaticroute",
    edit: "configStaticroute",
    remove: "configStaticroute",
    combo: null,
  },
});

export const routeNoticeSamples: Samples<typeof routeNotice> = {
  valid: ({ cpeId }) => ({ cpeId, network: "10.99.0.0/16", enable: true, remark: "" }),
  edited: (ids) => ({ ...routeNoticeSamples.valid(ids), network: "fd00:99::/48" }),
  distinct: (mark) => ({ network: `${networkOf(mark)}.0/24` }),
  invalid: [
    { field: "cpeId", value: 0, rule: "outOfRange" },
    { field: "network", value: "10.99.0.0/40", rule: "cidr" },
    { field: "network", value: "169.254.1.0/31", rule: "reservedNetwork" },
    { field: "network", value: "fd57:6566:0:3::/64", rule: "reservedNetwork" },
  ],
};
