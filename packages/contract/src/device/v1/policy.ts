/**
 * Policy objects as a device carries them out (docs/protocol.md, policy). The section is sent only with
 * objects of families whose capability `policy.<family>` the device reported.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { mappedProtocols } from "#domains/policies/enums.ts";
import { isAddresses } from "#domains/policies/policy-fields.ts";
import { ipv4Address } from "#rules/address.ts";
import { portOrRange } from "#rules/host.ts";
import { movedPorts } from "#rules/ports.ts";

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

/**
 * New flows to an own address of a line, whose destination becomes a host of the LANs (RFC 4787 section 6 for
 * hosts of the LANs themselves); a rule of the ACL that denies them wins.
 */
export const portMap = z
  .strictObject({
    id: objectId,
    protocol: z.enum(mappedProtocols),
    /** "8443" or "8000-8100", at the line. */
    outside: portOrRange,
    host: ipv4Address,
    /** One port, or as many as outside: in their order. */
    inside: portOrRange,
    /** Of the WAN link; null: all of them. */
    slot: z.int().min(1).max(4).nullable(),
  })
  .refine(({ outside, inside }) => movedPorts(outside, inside) <= stateLimits.movedPorts);
export type PortMap = z.output<typeof portMap>;

/** Families of objects that an ACL rule of a device may be of. */
export const aclFamilies = ["xaclrules", "blacklist"] as const;
export type AclFamily = (typeof aclFamilies)[number];

/** An edge with it counts the packets of ACL rules by their objects: only it is sent which those are. */
export const aclCountsCapability = "firewall.counts";

export const policySection = z.strictObject({
  sets: z.array(addressSet).max(stateLimits.addressSets),
  limits: z.array(connectionLimit).max(stateLimits.connectionLimits),
  /** Only for devices that can; absent: none. */
  portMaps: z.array(portMap).max(stateLimits.portMappings).optional(),
});
export type PolicySection = z.output<typeof policySection>;
