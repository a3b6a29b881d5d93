/** Rules of a device's ACL as a state has them. */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { aclFamilies } from "#contract/device/v1/policy.ts";
import { aclProtocols } from "#domains/devices/settings-enums.ts";
import { ipCidr } from "#rules/address.ts";

const portMatch = z
  .string()
  .regex(/^\d{1,5}(-\d{1,5})?$/)
  .nullable();

/** One rule for what passes through the device; null fields match anything. The first that fits counts. */
export const aclRuleState = z.strictObject({
  action: z.enum(["accept", "drop"]),
  protocol: z.enum(aclProtocols),
  source: ipCidr.nullable(),
  target: ipCidr.nullable(),
  /** A port or "from-to"; only with tcp and udp. */
  sourcePort: portMatch,
  targetPort: portMatch,
  /** Hardware address that the packet comes from. */
  mac: z
    .string()
    .regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/)
    .nullable(),
  /** The object that it is of, which counts what it fits; absent: nothing counts. */
  object: z.strictObject({ family: z.enum(aclFamilies), id: z.int().positive() }).optional(),
});
export type AclRuleState = z.output<typeof aclRuleState>;

/** A part of the ACL. */
export const aclPart = z.strictObject({ acl: z.array(aclRuleState).max(stateLimits.aclRules) });
