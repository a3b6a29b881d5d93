import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as address from "#rules/address.ts";
import * as text from "#rules/text.ts";

/**
 * Route notices (specification section 2.3): networks that a CPE announces to the spaces it is in
 * beside its LAN sections and static routes; it knows the way to them by itself.
 */
export const routeNotice = defineResource({
  name: "routeNotice",
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
    network: address.ipNetwork,
    enable: codec.flag,
    remark: text.remark,
  }),
  query: z.object({
    cpeId: codec.orNull(codec.id),
    network: codec.orNull(codec.text(64)),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "network", "createTime"],
  may: {
    list: null,
    add: "configStaticroute",
    edit: "configStaticroute",
    remove: "configStaticroute",
    combo: null,
  },
});
