/** What WAN links of a device have of IPv6; sent when it changes, and once on each connection. */
import { z } from "zod";
import { interfaceName } from "#contract/device/v1/text.ts";
import { ipCidr } from "#rules/address.ts";

/** Ms that are left of something; null: it does not end. */
const left = z.int().min(0).nullable();

export const ipv6Line = z.strictObject({
  interfaceName,
  /** address/length that the link uses; null: none. */
  address: ipCidr.nullable(),
  /** Its router, mostly by a link-local address; null: none. */
  gateway: z.string().max(64).nullable(),
  /** Of the address. */
  validMs: left,
  /** For its LANs; null: none. */
  prefix: ipCidr.nullable(),
  /** Of the prefix. */
  prefixMs: left,
});
export type Ipv6Line = z.output<typeof ipv6Line>;

export const ipv6Report = z.strictObject({
  type: z.literal("ipv6"),
  /** Those whose state has IPv6. */
  lines: z.array(ipv6Line).max(4),
});
