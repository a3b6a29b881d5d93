import { z } from "zod";
import { screens } from "#contract/access.ts";
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

/**
 * What becomes of flows: `acts`: they cross the POPs, as every hop reports. `withdrawn`: ordinary routing decides,
 * because a hop is not there now. `cannot`: it decides until rows change. `pending`: not every hop has reported what
 * it was sent.
 */
export const segmentStates = ["off", "acts", "withdrawn", "cannot", "pending"] as const;
export type SegmentState = (typeof segmentStates)[number];

/** Why flows do not cross the POPs; `params` of a row name what it is about. */
export const segmentReasons = [
  /** No space has the CPE, or a CPE of the enterprise. */
  "noSpace",
  /** POP `pop` is no member of the space. */
  "popOutside",
  /** So wide a destination would take along what is not of the space. */
  "tooWide",
  /** The destination lies in addresses of links. */
  "ofLinks",
  /** No site of the space has a network in the destination. */
  "noNetwork",
  /** The CPE that flows come from has the destination itself. */
  "ownNetwork",
  /** The CPE has more than `max` networks of that family. */
  "tooManySources",
  /** Together with `other` packets could go in circles: the last POP of one is on the way of the other. */
  "crossing",
  /** The space has more than `max` before it, or one that its marks would be mistaken for. */
  "tooMany",
  /** The device of `node` cannot do it, or has not reported yet. */
  "noCapability",
  /** There is no link from `from` to `to`. */
  "noLink",
  /** `from` does not reach `to`. */
  "hopGone",
  /** `from` has no route to the destination. */
  "endGone",
  /** `node` has not confirmed a state with it. */
  "unconfirmed",
  /** `node` is not connected: what it does is not known. */
  "offline",
] as const;
export type SegmentReason = (typeof segmentReasons)[number];

const hops = codec.someIds
  .refine((ids) => ids.length <= maxHops, failsWith("tooMany", { max: maxHops }))
  // A way that comes by twice is a circle.
  .refine((ids) => new Set(ids).size === ids.length, failsWith("eachOnce"));

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
  state: z.enum(segmentStates),
  /** Null: nothing is in its way. */
  reason: z.enum(segmentReasons).nullable(),
  params: z.record(z.string(), z.string()),
  /** CPEs that flows come from, and those of them whose flows cross the POPs. */
  sites: z.number(),
  sitesActing: z.number(),
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
    destination: address.ofSites(address.ipNetwork),
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
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/business-system/underlay/segmentRoute"),
    add: "popConfig",
    edit: "popConfig",
    remove: "popConfig",
    combo: null,
  },
});

export const segmentRouteGetById = endpoint({
  id: "segmentRoute.getById",
  method: "GET",
  path: "/customer/segmentRoute/getById",
  input: z.object({ id: codec.id }),
  output: segmentRoute.row,
  may: screens("/business-system/underlay/segmentRoute"),
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
    { field: "popIds", value: [7, 7], rule: "eachOnce" },
    { field: "destination", value: "10.200.0.0", rule: "cidr" },
    { field: "destination", value: "224.0.0.0/4", rule: "reservedNetwork" },
    { field: "destination", value: "198.18.1.0/24", rule: "reservedNetwork" },
    { field: "metric", value: 256, rule: "metric" },
  ],
};
