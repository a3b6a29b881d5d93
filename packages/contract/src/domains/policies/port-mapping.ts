import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import { portOrRange } from "#rules/host.ts";
import { portsOf } from "#rules/ports.ts";
import * as text from "#rules/text.ts";
import { mappedProtocols } from "./enums.ts";
import { reference } from "./policy-fields.ts";

const width = (range: string): number => {
  const [first, last] = portsOf(range);
  return last - first;
};

/** A port of a line that leads to a host behind it. */
export const portMapping = definePolicyFamily({
  name: "routerPortmapping",
  title: ["端口映射", "port mapping"],
  plural: "port mappings",
  fields: z
    .object({
      protocol: codec.oneOf(mappedProtocols),
      externalPort: portOrRange,
      internalIp: address.ipv4Host,
      internalPort: portOrRange,
      lineId: reference,
      enable: codec.flag,
      remark: text.remark,
    })
    // A range leads to a range of the same size, or to one port.
    .refine(
      ({ externalPort, internalPort }) =>
        width(internalPort) === 0 || width(internalPort) === width(externalPort),
      failsWith("portRange", {}, ["internalPort"]),
    ),
  facts: z.object({}),
  references: { lineId: "routerInterfaceline" },
  label: "externalPort",
  verbs: ["list", "add", "edit", "remove"],
  sort: ["externalPort", "internalIp"],
  merge: { by: "order" },
  canBeOff: true,
});
