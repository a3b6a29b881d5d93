import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import * as address from "#rules/address.ts";
import { dnsSwitches } from "./enums.ts";
import { named, ordered, orderedRule, reference, weekdays } from "./policy-fields.ts";

/** Which servers answer for which domains, over which line. */
export const dnsControl = definePolicyFamily({
  ...orderedRule,
  name: "routerDnscontrol",
  title: ["DNS 控制", "DNS control"],
  plural: "DNS controls",
  fields: z.object({
    ...named,
    ...ordered,
    serverip: address.ipv4Host,
    serverip2: codec.orNull(address.ipv4Host),
    outlineid: reference,
    dnsgroup: reference,
    domainid: reference,
    effectivedate: weekdays,
    dnsroute: codec.code(dnsSwitches),
    returnTrip: codec.code(dnsSwitches),
  }),
  references: {
    outlineid: "routerInterfaceline",
    dnsgroup: "routerDnsgroup",
    domainid: "routerDomains",
  },
});
