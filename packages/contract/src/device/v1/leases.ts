/** Addresses that a device gave hosts of its LANs. */
import { z } from "zod";
import { reportedCount, reportedInstant } from "#contract/device/v1/numbers.ts";
import { ipv4Address } from "#rules/address.ts";

/** Leases in one message; a device that has more leaves out those that end first. */
export const maxLeases = 1_000;

export const hostLease = z.strictObject({
  address: ipv4Address,
  mac: z.string().regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/),
  /** As the host calls itself; null: it gave none, or one that is no host name (RFC 952, RFC 1123). */
  name: z
    .string()
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)
    .nullable(),
  /** Ms since 1970 on the device's clock. */
  until: reportedInstant,
});
export type HostLease = z.output<typeof hostLease>;

/** All that hold, whenever they changed. */
export const leases = z.strictObject({
  type: z.literal("leases"),
  items: z.array(hostLease).max(maxLeases),
  /** All of them, also those that are left out. */
  total: reportedCount,
});
