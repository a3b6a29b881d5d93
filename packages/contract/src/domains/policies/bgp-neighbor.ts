import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";

/** RFC 6793: four octets; 0 is reserved (RFC 7607). */
const asn = codec.int(1, 4_294_967_295);
const isNetworks = (value: string): boolean =>
  value === "" || value.split(",").every((text) => address.parsePrefix(text.trim())?.family === 4);
/** Where there are any, none of them is one that no site may have. */
const areOfSites = (value: string): boolean =>
  value.split(",").every((text) => !address.isReserved(text.trim()));
/** RFC 4271 section 4.2: 0, or at least 3 seconds. */
const holdTime = codec
  .int(0, 65_535)
  .refine(
    (seconds) => seconds === 0 || seconds >= 3,
    failsWith("outOfRange", { min: 3, max: 65_535 }),
  );

/** A BGP neighbour. */
export const bgpNeighbor = definePolicyFamily({
  name: "routerBgp",
  title: ["BGP 邻居", "BGP neighbour"],
  plural: "BGP neighbours",
  fields: z.object({
    asn,
    neighborIp: address.ipv4Host,
    neighborAsn: asn,
    /** Comma-joined prefixes that are announced. */
    networks: codec
      .text(1_024)
      .refine(isNetworks, failsWith("cidr"))
      .refine(areOfSites, failsWith("reservedNetwork")),
    /** Seconds; empty: the daemon's own. */
    holdTime: codec.orNull(holdTime),
    password: codec.text(80),
    enable: codec.flag,
  }),
  facts: z.object({ hasPassword: codec.flag }),
  secret: ["password"],
  label: "neighborIp",
  verbs: ["list", "add", "edit", "remove"],
  sort: ["neighborIp", "neighborAsn"],
  merge: { by: "key", key: ({ neighborIp }) => neighborIp },
  canBeOff: true,
});
