import { z } from "zod";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
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
    destination: address.ofSites(address.ipCidr),
    nextHop: address.ipHost,
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
  title: ["静态路由", "Static route"],
  path: "/customer/staticroute",
  id: "nID",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["nID", "destination", "metric"],
  sheet: { key: ["destination", "nextHop"], acrossCpes: true },
  owner: "nCpeID",
  may: {
    list: "configStaticroute",
    add: "configStaticroute",
    edit: "configStaticroute",
    remove: "configStaticroute",
    combo: null,
  },
});

export const staticRouteSamples: Samples<typeof staticRoute> = {
  valid: ({ cpeId }) => ({
    nCpeID: cpeId,
    nEnable: true,
    destination: "10.88.0.0/16",
    nextHop: "10.77.1.254",
    metric: 1,
    announce: true,
    remark: "",
  }),
  edited: (ids) => ({ ...staticRouteSamples.valid(ids), metric: 20 }),
  distinct: (mark) => ({ destination: `${networkOf(mark)}.0/24` }),
  invalid: [
    { field: "destination", value: "10.88.0.0", rule: "cidr" },
    { field: "destination", value: "224.0.0.5/32", rule: "reservedNetwork" },
    { field: "nextHop", value: "fd00::1", rule: "ip" },
    { field: "nextHop", value: "0.0.0.0", rule: "hostAddress" },
    { field: "nextHop", value: "127.0.0.1", rule: "hostAddress" },
    { field: "nextHop", value: "224.0.0.1", rule: "hostAddress" },
    { field: "nextHop", value: "fe80::1", rule: "hostAddress" },
    { field: "metric", value: 256, rule: "metric" },
  ],
};
