/**
 * Two devices of one site that stand for each other in its LANs (docs/protocol.md, standby). The section is sent only to
 * devices with the capability, and only while the other one has it as well or was never in contact: a device that gives
 * its LANs their gateway without VRRP would be a second active one.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { reportedAge } from "#contract/device/v1/numbers.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { interfaceName } from "#contract/device/v1/text.ts";
import { standbyRoles } from "#domains/devices/enums.ts";
import { addressOf, ipCidr, ipv4Cidr, networkOf } from "#rules/address.ts";

/** An edge with it runs VRRP version 3 (RFC 5798) in its LANs, and reads the section. */
export const standbyCapability = "standby";

const standbyLan = z
  .strictObject({
    interfaceName,
    /** The device's own address there, with length: it sends advertisements from it. */
    own: ipv4Cidr,
    /** Gateways of the LAN's hosts, with length, the first one of the own address's network: the active one has them. */
    gateways: z.array(ipCidr).min(1).max(stateLimits.lanAddresses),
  })
  .refine(
    ({ own, gateways: [first = ""] }) =>
      networkOf(first) === networkOf(own) && addressOf(first) !== addressOf(own),
  );
export type StandbyLan = z.output<typeof standbyLan>;

export const standbySection = z.strictObject({
  /** Virtual router id: two groups in one LAN have different ones. */
  group: z.int().min(1).max(255),
  /** What it is while both are whole. */
  role: z.enum(standbyRoles),
  /** The higher one is active while it is whole; of equal ones the one that is active stays so. */
  priority: z.int().min(1).max(255),
  lans: z.array(standbyLan).min(1).max(stateLimits.lanInterfaces),
});
export type StandbySection = z.output<typeof standbySection>;

/** `fault`: it would not take over now, as a LAN has no carrier, or all its lines or links are down. */
export const standbyPlaces = ["active", "standby", "fault"] as const;
export type StandbyPlace = (typeof standbyPlaces)[number];

/** What the device is in its group; sent when it changes, and once on each connection. */
export const standbyReport = z.strictObject({
  type: z.literal("standby"),
  /** Null: it is in no group. */
  place: z.enum(standbyPlaces).nullable(),
  /** Ms since it became so, by the device's clock. */
  forMs: reportedAge,
});

/** A rollback brings it with the addresses of the LANs, which are those of the same past state. */
export const standbyDeclaration = defineSection(standbySection, {
  occurs: "optional",
  needs: { capability: standbyCapability },
  limits: {
    lans: { rows: "lanInterfaces" },
    "lans[].gateways": { rows: "lanAddresses" },
  },
  fields: {
    group: { list: null, removal: "follows", restored: "past" },
    role: { list: null, removal: "follows", restored: "past" },
    priority: { list: null, removal: "follows", restored: "past" },
    lans: {
      list: { kind: "standbyLan", key: ["interfaceName"] },
      removal: "follows",
      restored: "past",
    },
  },
});
