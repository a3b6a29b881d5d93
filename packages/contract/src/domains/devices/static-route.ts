import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";

const sameFamily = (route: { destination: string; nextHop: string }): boolean => {
  const destination = address.parsePrefix(route.destination);
  const nextHop = address.parseAddress(route.nextHop);
  return !destination || !nextHop || destination.family === nextHop.family;
};

/** A static route of a CPE (section 3): a network behind a router of the site. */
const draft = z
  .object({
    nCpeID: codec.id,
    nEnable: codec.flag,
    destination: address.ipCidr,
    nextHop: address.ipAddress,
    metric: number.metric,
    /** True: announced to the other sites of the space. */
    announce: codec.flag,
    remark: text.remark,
  })
  .refine(sameFamily, failsWith("ip", {}, ["nextHop"]));

const row = z.object({
  nID: z.number(),
  nCpeID: z.number(),
  nEnable: codec.flag,
  destination: z.string(),
  nextHop: z.string(),
  metric: z.number(),
  announce: codec.flag,
  remark: z.string(),
});

export const staticRoute = defineResource({
  name: "staticroute",
  path: "/customer/staticroute",
  id: "nID",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["nID", "destination", "metric"],
  owner: "nCpeID",
  may: {
    list: "configStaticroute",
    add: "configStaticroute",
    edit: "configStaticroute",
    remove: "configStaticroute",
    combo: null,
  },
});
