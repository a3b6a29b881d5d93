import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import { lineGroupBits, natBits, natTypeBits } from "./enums.ts";
import { bitsOf, named, ordered, orderedRule, reference } from "./policy-fields.ts";

/** Where matching traffic leaves: over lines of a group, by a next hop, or nowhere. */
export const policyRoute = definePolicyFamily({
  ...orderedRule,
  name: "routerPolicyroute",
  title: ["策略路由", "policy route"],
  plural: "policy routes",
  fields: z
    .object({
      ...named,
      ...ordered,
      srcIpgroupId: reference,
      dstIpgroupId: reference,
      appgroupId: reference,
      timeId: reference,
      /** Refuses what fits, in place of a way out; the specification has no field for it. */
      deny: codec.flag.default(false),
      /** Bit mask of lines 1 to 4; 0: by the next hop. */
      lineGroup: bitsOf(lineGroupBits),
      natType: bitsOf(natTypeBits),
      /** With destination NAT: what the destination becomes. */
      nextHop: codec.orNull(address.ipHost),
      /** Added to the time to live of what is forwarded. */
      ttlIncrement: codec.int(0, 255),
      /** Further addresses that NAT spreads over. */
      natLbextra: codec.int(0, 255),
    })
    .refine(
      ({ deny, lineGroup, nextHop }) => deny || lineGroup > 0 || nextHop !== null,
      failsWith("required", {}, ["nextHop"]),
    )
    .refine(
      ({ deny, natType, nextHop }) =>
        deny || (natType & natBits.destination) === 0 || nextHop !== null,
      failsWith("required", {}, ["nextHop"]),
    )
    .refine(
      ({ natType }) => (natType & natBits.cone) === 0 || (natType & natBits.symmetric) === 0,
      failsWith("coneOrSymmetric", {}, ["natType"]),
    ),
  references: {
    srcIpgroupId: "routerIpgroup",
    dstIpgroupId: "routerIpgroup",
    appgroupId: "routerAppgroup",
    timeId: "routerTimenode",
  },
  denies: ({ deny }) => deny === true,
});
