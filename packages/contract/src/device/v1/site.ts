/**
 * Routing between a site's device and routers in its LANs (docs/protocol.md, site). The section is sent only to devices
 * with the capability of a family in it. What a neighbour may bring is not in it: that is what the site announces to its
 * space (`routing.<space>.announce`) beyond its own LANs, exactly, and the device keeps to that by itself.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { sealedSecret } from "#contract/device/v1/sealed-secret.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { interfaceName } from "#contract/device/v1/text.ts";
import { ipv4Address, ipv4Cidr } from "#rules/address.ts";

export const siteOrigins = ["connected", "static", "bgp", "default"] as const;
export type SiteOrigin = (typeof siteOrigins)[number];

/** An edge with it authenticates segments of TCP (RFC 2385), and reads passwords of neighbours. */
export const signatureCapability = "tcp.md5";

const asNumber = z.int().min(1).max(4_294_967_295);

export const siteNeighbor = z.strictObject({
  /** Id of its policy object. */
  id: z.int().positive(),
  /** The LAN that it is in. */
  interfaceName,
  address: ipv4Address,
  /** AS number that the device has towards it, and its own. */
  asn: asNumber,
  neighborAsn: asNumber,
  /** Seconds; null: the daemon's own. */
  holdTime: z.int().min(0).max(65_535).nullable(),
  /** What it is sent beside the networks of the space, as soon as the device has a route; /0: a default. */
  networks: z.array(ipv4Cidr).max(stateLimits.siteNetworks),
  /** RFC 2385; absent: none. Sent only to devices with the capability. */
  password: sealedSecret.optional(),
});
export type SiteNeighbor = z.output<typeof siteNeighbor>;

/** OSPFv2 (RFC 2328) with the routers of a LAN. */
export const siteInterface = z.strictObject({
  /** Id of its policy object. */
  id: z.int().positive(),
  interfaceName,
  /** Dotted. */
  area: ipv4Address,
  /** Null: the daemon's own. */
  cost: z.int().min(1).max(65_535).nullable(),
  /** Seconds. */
  hello: z.int().min(1).max(65_535).nullable(),
  dead: z.int().min(1).max(65_535).nullable(),
});
export type SiteInterface = z.output<typeof siteInterface>;

export const siteSection = z.strictObject({
  neighbors: z.array(siteNeighbor).max(stateLimits.siteNeighbors),
  interfaces: z.array(siteInterface).max(stateLimits.siteInterfaces),
  /**
   * What the routers of all interfaces are sent beside the links between them: the site's LANs, its static routes, what the space
   * and its BGP neighbours bring, a default.
   */
  sent: z.array(z.enum(siteOrigins)).max(siteOrigins.length),
});
export type SiteSection = z.output<typeof siteSection>;

/** What routers may be asked is decided today, as with rules. */
export const siteDeclaration = defineSection(siteSection, {
  occurs: "optional",
  limits: {
    neighbors: { follows: "compile leaves out objects that are beyond, and says so of each" },
    "neighbors[].networks": { follows: "the field of the object has no room for more" },
    interfaces: { follows: "compile leaves out objects that are beyond, and says so of each" },
    sent: { follows: "there are four of them" },
  },
  fields: {
    neighbors: {
      list: { kind: "siteNeighbor", key: ["id"] },
      removal: "policy",
      restored: "present",
    },
    interfaces: {
      list: { kind: "siteInterface", key: ["id"] },
      removal: "policy",
      restored: "present",
    },
    sent: { list: null, removal: "follows", restored: "present" },
  },
});
