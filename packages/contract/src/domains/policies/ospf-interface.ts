import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { ospfFlagBits } from "./enums.ts";
import { bitsOf } from "./policy-fields.ts";

const isArea = (value: string): boolean =>
  number.isWholeIn(value, [0, 4_294_967_295]) || address.parseAddress(value)?.family === 4;

/** OSPF on one interface (RFC 2328). */
export const ospfInterface = definePolicyFamily({
  name: "routerOspf",
  title: ["OSPF 接口", "OSPF interface"],
  plural: "OSPF interfaces",
  fields: z
    .object({
      /** A number or dotted. */
      area: codec.text(15, 1).refine(isArea, failsWith("area")),
      interfaceName: text.interfaceName,
      cost: codec.orNull(codec.int(1, 65_535)),
      flags: bitsOf(ospfFlagBits),
      /** Seconds. */
      helloInterval: codec.orNull(codec.int(1, 65_535)),
      deadInterval: codec.orNull(codec.int(1, 65_535)),
      enable: codec.flag,
    })
    .refine(
      ({ helloInterval, deadInterval }) =>
        helloInterval === null || deadInterval === null || helloInterval < deadInterval,
      failsWith("order", {}, ["deadInterval"]),
    ),
  facts: z.object({}),
  label: "interfaceName",
  verbs: ["list", "add", "edit", "remove"],
  sort: ["interfaceName", "area", "cost"],
  merge: { by: "key", key: ({ interfaceName }) => interfaceName },
  canBeOff: true,
});
