/**
 * Segment routes of a space as one of its nodes carries them out (docs/protocol.md, segment; ADR 0026). Each POP announces
 * a mark, an address of no device, to the hop before it for as long as it receives the mark of the hop behind it: who receives
 * the mark of its next hop knows that all further hops are there. Sent only to devices with the capability.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection, fixed } from "#contract/device/v1/section.ts";
import { netns } from "#contract/device/v1/text.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

/** An edge with it carries out segment routes, and reads sections of them. */
export const segmentsCapability = "segments";

const segmentState = z.strictObject({
  /** Id of its row. */
  id: z.int().positive(),
  /** Of one family; all addresses of the others in it are of the same. */
  destination: ipCidr,
  /** Of the flows; none: from everywhere. */
  sources: z.array(ipCidr).max(stateLimits.segmentSources),
  /** What of the destination is not sent that way: networks of the device itself, and addresses within links. */
  kept: z.array(ipCidr).max(stateLimits.segmentKept),
  /** The next POP, by its mark. Null: this POP is the last one. */
  next: z.strictObject({ mark: ipAddress }).nullable(),
  /** Null: it begins here, on a CPE. */
  own: z
    .strictObject({
      mark: ipAddress,
      /** To whom the mark is announced, and from whom flows come; null: all CPEs and accounts, but no POP. */
      links: z.array(z.int().positive()).min(1).max(stateLimits.segmentLinks).nullable(),
      /** Of the last POP: addresses in the destination. While it has a route to none of them, its mark is not announced. */
      reach: z.array(ipAddress).max(stateLimits.segmentReach),
    })
    .nullable(),
});
export type SegmentState = z.output<typeof segmentState>;

/** In the order in which they are tried; they are about one space. */
export const segmentSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  routes: z.array(segmentState).max(stateLimits.segmentRoutes),
});
export type SegmentSection = z.output<typeof segmentSection>;

/** Number of the routing table that flows of a segment route are led to. */
export const segmentTable = (id: number): number => 100_000 + (id % 2_000_000_000);

/** Where flows have to pass is decided today, and agreed with the other hops. */
export const segmentDeclaration = defineSection(segmentSection, {
  occurs: "perSpace",
  list: "segments",
  isOptional: true,
  needs: { capability: segmentsCapability },
  limits: {
    routes: { follows: "compile leaves out those that are beyond, and the list says so" },
    "routes[].sources": { follows: "compile leaves out routes of a CPE with more" },
    "routes[].kept": { follows: "compile leaves out routes with more at that device" },
    "routes[].own.links": { follows: "two nodes with four WAN links each have 16 at most" },
    "routes[].own.reach": { follows: "compile takes the first of them" },
  },
  fields: {
    spaceId: fixed,
    netns: fixed,
    routes: {
      list: { kind: "segmentRoute", key: ["id"], ordered: true },
      removal: "segment",
      restored: "present",
    },
  },
});
