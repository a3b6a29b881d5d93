import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as number from "#rules/number.ts";
import { pipeDirections } from "./enums.ts";
import { byName, named, reference } from "./policy-fields.ts";

/** Guaranteed and maximum rate in kbit/s. */
export const bandwidthTunnel = definePolicyFamily({
  name: "routerBandwidthpipe",
  title: ["带宽通道", "bandwidth tunnel"],
  plural: "bandwidth tunnels",
  fields: z
    .object({
      ...named,
      gbw: number.bandwidthKbps,
      maxbw: number.bandwidthKbps,
      direction: codec.code(pipeDirections),
      lineId: reference,
    })
    //
    .refine(({ gbw, maxbw }) => gbw <= maxbw, failsWith("aboveMaximum", {}, ["gbw"])),
  facts: z.object({}),
  references: { lineId: "routerInterfaceline" },
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name", "gbw", "maxbw"],
  merge: byName,
});
