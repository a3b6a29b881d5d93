/**
 * Acceleration: flows of a site to named destinations leave at a POP of its space (docs/protocol.md, acceleration;
 * ADR 0043). The POP announces a mark, an address of no device, to the sites for as long as it can let them out; a site
 * that receives it leads such flows there, and all others, or those begun while it has none, leave as before.
 */
import { z } from "zod";
import { namePattern } from "#contract/device/v1/dns.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection, fixed } from "#contract/device/v1/section.ts";
import { netns } from "#contract/device/v1/text.ts";
import { isAddresses } from "#domains/policies/policy-fields.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

/** An edge with it leads flows to exits, and on a POP lets them out. */
export const accelerationCapability = "acceleration";

/** Objects whose destinations are led to an exit; ids are of their tables. */
export const acceleratedObjects = ["saasGroup", "xwanSpeed"] as const;

const acceleratedGroup = z.strictObject({
  object: z.enum(acceleratedObjects),
  id: z.int().positive(),
  /** Marks of the exit, one for each family: a POP's own, or that of any POP. */
  exit: z.strictObject({ mark4: ipAddress, mark6: ipAddress }),
  /** Addresses, ranges and prefixes. */
  members: z.array(z.string().max(96).refine(isAddresses)).max(stateLimits.setMembers),
  /** Names; their addresses are those that the resolver of the site answers. Sent only with the section `dns`. */
  names: z.array(namePattern).max(stateLimits.dnsNames),
});
export type AcceleratedGroup = z.output<typeof acceleratedGroup>;

/** How a POP lets sites of the space out. */
const popExit = z.strictObject({
  /** Announced to the sites; of a family only where a WAN link leads out by it. */
  marks: z.array(ipAddress).max(stateLimits.exitMarks),
  /** Addresses between the namespace of the space (`inner`) and the main one, of no other network of the POP. */
  outer4: ipCidr,
  outer6: ipCidr,
  inner4: ipCidr,
  inner6: ipCidr,
});
export type PopExit = z.output<typeof popExit>;

export const accelerationSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  /** Networks whose hosts leave at POPs: of the site, or on a POP of all that may leave there. Nothing else does. */
  sources: z.array(ipCidr).max(stateLimits.spaceNetworks),
  /** On a site, in the order in which they are tried; on a POP none. */
  groups: z.array(acceleratedGroup).max(stateLimits.acceleratedGroups),
  /** Null: a site. */
  exit: popExit.nullable(),
});
export type AccelerationSection = z.output<typeof accelerationSection>;

/** Where flows leave is decided today, and agreed with the POPs. */
export const accelerationDeclaration = defineSection(accelerationSection, {
  occurs: "perSpace",
  list: "accelerations",
  isOptional: true,
  needs: { capability: accelerationCapability },
  limits: {
    groups: { follows: "compile leaves out those that are beyond, and a finding says so" },
    "groups[].members": {
      follows: "compile leaves out groups whose addresses are beyond those of all before them",
    },
    "groups[].names": {
      follows: "compile leaves out groups whose names are beyond those of all before them",
    },
    "exit.marks": { follows: "two in each family" },
    sources: { follows: "they are some of the space's" },
  },
  fields: {
    spaceId: fixed,
    netns: fixed,
    sources: { list: null, removal: "follows", restored: "present" },
    groups: {
      list: { kind: "acceleration", key: ["object", "id"], ordered: true },
      removal: "policy",
      restored: "present",
    },
    exit: { list: null, removal: "follows", restored: "present" },
  },
});
