import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import * as number from "#rules/number.ts";
import { named } from "./policy-fields.ts";

/** A network card of the owner. Cards come with the owner: there is no add and no remove. */
export const routerInterface = definePolicyFamily({
  name: "routerInterface",
  title: ["接口", "interface"],
  plural: "interfaces",
  fields: z.object({
    ...named,
    enable: codec.flag,
    vlan: codec.orNull(number.vlan),
    mtu: codec.orNull(number.mtu),
  }),
  facts: z.object({ netcard: z.string(), lines: z.number() }),
  label: "name",
  lists: { all: "list", card: "netcardlist" },
  verbs: ["list", "edit"],
  sort: ["name"],
  merge: {
    by: "key",
    key: ({ netcard }) => netcard,
    isUnset: ({ enable, vlan, mtu }) => enable === true && vlan == null && mtu == null,
  },
});
