/**
 * Policy objects as a device carries them out (docs/protocol.md, policy). The section is sent only with
 * objects of families whose capability `policy.<family>` the device reported.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { isAddresses } from "#domains/policies/policy-fields.ts";

const objectId = z.int().positive();

/** Addresses by which a rule matches: one address, a range `from-to`, or a prefix, of either family. */
export const addressSet = z.strictObject({
  /** Of its group. */
  id: objectId,
  members: z.array(z.string().max(96).refine(isAddresses)).min(1).max(stateLimits.setMembers),
});
export type AddressSet = z.output<typeof addressSet>;

/**
 * Limits of each source address by itself, for new flows: those that exist go on. What is above is
 * refused with a TCP reset, or with ICMP "administratively prohibited".
 */
export const connectionLimit = z.strictObject({
  id: objectId,
  /** Set of its sources; null: every host of the LANs. */
  set: objectId.nullable(),
  /** Flows of one source at the same time. */
  connections: z.int().min(1).max(10_000_000),
  /** New flows of one source per second; null: as many as it likes. */
  perSecond: z.int().min(1).max(1_000_000).nullable(),
});
export type ConnectionLimit = z.output<typeof connectionLimit>;

/** Families of objects that an ACL rule of a device may be of. */
export const aclFamilies = ["xaclrules", "blacklist"] as const;
export type AclFamily = (typeof aclFamilies)[number];

/** An edge with it counts the packets of ACL rules by their objects: only it is sent which those are. */
export const aclCountsCapability = "firewall.counts";

export const policySection = z.strictObject({
  sets: z.array(addressSet).max(stateLimits.addressSets),
  limits: z.array(connectionLimit).max(stateLimits.connectionLimits),
});
export type PolicySection = z.output<typeof policySection>;
