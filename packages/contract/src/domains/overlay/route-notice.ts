import { z } from "zod";
import { screens } from "#contract/access.ts";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
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
    preference: z.number().nullable(),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    cpeId: codec.id,
    network: address.ofSites(address.ipNetwork),
    enable: codec.flag,
    /**
     * Place of this site among those that announce the very same network: the lowest number that answers gets the traffic,
     * of equal ones the site with the better link. Null: no other site may announce it.
     */
    preference: codec.orNull(codec.int(...number.ranges.sitePreference)).default(null),
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
    list: screens("/business-system/routernotice"),
    add: "configStaticroute",
    edit: "configStaticroute",
    remove: "configStaticroute",
    combo: null,
  },
});

export const routeNoticeSamples: Samples<typeof routeNotice> = {
  valid: ({ cpeId }) => ({
    cpeId,
    network: "10.99.0.0/16",
    enable: true,
    preference: null,
    remark: "",
  }),
  edited: (ids) => ({ ...routeNoticeSamples.valid(ids), network: "fd00:99::/48", preference: 2 }),
  distinct: (mark) => ({ network: `${networkOf(mark)}.0/24` }),
  invalid: [
    { field: "cpeId", value: 0, rule: "outOfRange" },
    { field: "network", value: "10.99.0.0/40", rule: "cidr" },
    { field: "network", value: "169.254.1.0/31", rule: "reservedNetwork" },
    { field: "preference", value: 0, rule: "outOfRange" },
    { field: "preference", value: 9, rule: "outOfRange" },
    { field: "network", value: "fd57:6566:0:3::/64", rule: "reservedNetwork" },
  ],
};
