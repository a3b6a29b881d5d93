/** What a node is, and what concerns its device as a whole. */
import { z } from "zod";
import { defineSection, fixed } from "#contract/device/v1/section.ts";
import { isRenderable } from "#contract/device/v1/text.ts";
import { driftPolicies, nodeKinds } from "#domains/devices/enums.ts";
import { ipAddress } from "#rules/address.ts";

/** Text that drivers put into rendered configuration: no quote, control or shell character. */
const plain = z.string().max(64).refine(isRenderable);

export const nodeSection = z.strictObject({
  nodeId: z.int().positive(),
  kind: z.enum(nodeKinds),
  hostname: plain,
  /** Dotted quad, unique in the installation; router id of BGP. */
  routerId: ipAddress,
});

export type NodeSection = z.output<typeof nodeSection>;

export const nodeDeclaration = defineSection(nodeSection, {
  occurs: "once",
  limits: {},
  fields: { nodeId: fixed, kind: fixed, hostname: fixed, routerId: fixed },
});

/** What concerns the device as a whole. */
export const systemSection = z.strictObject({
  /** Every day, in the device's own time; null: never. */
  restartAt: z
    .strictObject({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) })
    .nullable(),
  /** What becomes of changes made on the device itself; absent: as the device itself is set. */
  drift: z.enum(driftPolicies).optional(),
  /** The device reports no bytes of its WAN links and links; absent: it does. Only for devices with `log.bytes`. */
  byteRecords: z.literal(false).optional(),
  /** The device reports the flows of its hosts; absent: it does not. Only for devices with `log.flows`. */
  flowRecords: z.literal(true).optional(),
});
export type SystemSection = z.output<typeof systemSection>;

export const systemDeclaration = defineSection(systemSection, {
  occurs: "optional",
  limits: {},
  fields: {
    restartAt: { list: null, removal: "setting", restored: "present" },
    drift: { list: null, removal: "setting", restored: "present" },
    byteRecords: { list: null, removal: "setting", restored: "present" },
    flowRecords: { list: null, removal: "setting", restored: "present" },
  },
});
