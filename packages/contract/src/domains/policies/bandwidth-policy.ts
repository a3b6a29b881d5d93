import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { named, ordered, orderedRule, reference } from "./policy-fields.ts";

/** Which traffic goes through which pipe. */
export const bandwidthPolicy = definePolicyFamily({
  ...orderedRule,
  name: "routerBwpolicy",
  title: ["带宽策略", "bandwidth policy"],
  plural: "bandwidth policies",
  fields: z.object({
    ...named,
    ...ordered,
    pipeId: codec.id,
    appgroupId: reference,
    ipgroupId: reference,
    timeId: reference,
  }),
  references: {
    pipeId: "routerBandwidthpipe",
    appgroupId: "routerAppgroup",
    ipgroupId: "routerIpgroup",
    timeId: "routerTimenode",
  },
});
