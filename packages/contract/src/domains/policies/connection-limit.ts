import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { named, reference } from "./policy-fields.ts";

/** How many connections addresses may hold. */
export const connectionLimit = definePolicyFamily({
  name: "routerConnlimit",
  title: ["连接数控制", "connection-number control"],
  plural: "connection-number controls",
  fields: z.object({
    name: named.name,
    enable: codec.flag,
    ipgroupId: reference,
    maxConnections: codec.int(1, 10_000_000),
    maxNewPerSecond: codec.orNull(codec.int(1, 1_000_000)),
  }),
  facts: z.object({}),
  references: { ipgroupId: "routerIpgroup" },
  label: "name",
  verbs: ["list", "add", "edit", "remove"],
  sort: ["name", "maxConnections"],
  merge: { by: "order" },
  canBeOff: true,
  denies: () => true,
});
