import { z } from "zod";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** Most POPs that one way crosses. */
const maxHops = 8;

const hops = codec.someIds
  .refine((ids) => ids.length <= maxHops, failsWith("tooMany", { max: maxHops }))
  // A way that comes by twice is a circle.
  .refine((ids) => new Set(ids).size === ids.length, failsWith("notAllowed"));

const row = z.object({
  id: z.number(),
  name: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  cpeId: z.number().nullable(),
  cpeName: z.string().nullable(),
  popIds: codec.idList,
  destination: z.string(),
  metric: z.number(),
  enable: codec.flag,
  remark: z.string(),
  createTime: codec.instant,
});

/** Segment routes (specification section 2.3): POPs that traffic to a network crosses, in order. */
export const segmentRoute = defineResource({
  name: "segmentRoute",
  title: ["分段路由", "Segment route"],
  path: "/customer/segmentRoute",
  id: "id",
  row,
  draft: z.object({
    name: text.name,
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    /** The CPE that the traffic comes from; null: every one of the enterprise. */
    cpeId: codec.orNull(codec.id),
    popIds: hops,
    destination: address.ipNetwork,
    /** Of two ways to one network the lower one counts. */
    metric: number.metric,
    enable: codec.flag,
    remark: text.remark,
  }),
  query: z.object({
    name: codec.orNull(codec.text(64)),
    cpeId: codec.orNull(codec.id),
    popId: codec.orNull(codec.id),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "destination", "metric"],
  may: { list: null, add: "popConfig", edit: "popConfig", remove: "popConfig", combo: null },
});

export const segmentRouteGetById = endpoint({
  id: "segmentRoute.getById",
  method: "GET",
  path: "/customer/segmentRoute/getById",
  input: z.object({ id: codec.id }),
  output: segmentRoute.row,
  may: null,
});

export const segmentRouteSamples: Samples<typeof segmentRoute> = {
  valid: ({ groupid, cpeId, popId }) => ({
    name: "经上海去新加坡",
    groupid,
    cpeId,
    popIds: [popId],
    destination: "10.200.0.0/16",
    metric: 10,
    enable: true,
    remark: "",
  }),
  edited: (ids) => ({
    ...segmentRouteSamples.valid(ids),
    cpeId: null,
    destination: "fd00:200::/48",
    metric: 20,
  }),
  distinct: (mark) => ({ name: mark.name, destination: `${networkOf(mark)}.0/24` }),
  invalid: [
    { field: "popIds", value: [], rule: "atLeastOne" },
    { field: "popIds", value: [7, 7], rule: "notAllowed" },
    { field: "destination", value: "10.200.0.0", rule: "cidr" },
    { field: "metric", value: 256, rule: "metric" },
  ],
};
