/** WAN links, LANs and static routes of a device. */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { interfaceName as ifname } from "#contract/device/v1/text.ts";
import { addressings } from "#domains/devices/enums.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

/** An edge with this capability reads `ipv6` of a WAN link: others refuse the whole state. */
export const wanIpv6Capability = "wan.ipv6";

/** An edge with it gets prefixes delegated and advertises their networks in LANs: it reads that mode, and `ipv6` of a LAN. */
export const lanPrefixCapability = "lan.prefix";

/** Static: as it is here. Automatic: by router advertisements, and by DHCPv6 where they say so. */
const lineIpv6 = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("static"), ip: ipCidr, gateway: ipAddress }),
  z.strictObject({ mode: z.literal("auto") }),
  /** The same, and a prefix for the LANs is asked for; of this length, if the server likes. */
  z.strictObject({ mode: z.literal("delegated"), length: z.int().min(32).max(64).nullable() }),
]);

export const underlaySection = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        /** 1 to 4: table 100 + slot, field `line` of its packets' mark (mark.ts). */
        slot: z.int().min(1).max(4),
        interfaceName: ifname,
        addressing: z.enum(addressings),
        /** address/length; null with DHCP. */
        ip: ipCidr.nullable(),
        gateway: ipAddress.nullable(),
        /** Only for devices that can; absent: the link has no IPv6, whatever routers there advertise. */
        ipv6: lineIpv6.optional(),
      }),
    )
    .max(4),
  lans: z
    .array(
      z.strictObject({
        interfaceName: ifname,
        vlan: z.int().min(0).max(4094),
        addresses: z.array(ipCidr).min(1).max(stateLimits.lanAddresses),
        /** A network of the prefix that the WAN link in `slot` gets: its subnet, or null: a free one. Absent: none. */
        ipv6: z
          .strictObject({
            slot: z.int().min(1).max(4),
            subnet: z.int().min(0).max(65_535).nullable(),
          })
          .optional(),
      }),
    )
    .max(stateLimits.lanInterfaces),
  /** Network cards of which something is set; only for devices that can, absent: of none. */
  cards: z
    .array(
      z.strictObject({
        interfaceName: ifname,
        /** It is down, with its WAN links and LANs. */
        off: z.boolean(),
        /** Bytes of an IP packet; null: as it is. */
        mtu: z.int().min(1_000).max(9_000).nullable(),
      }),
    )
    .max(stateLimits.cards)
    .optional(),
});

export type UnderlaySection = z.output<typeof underlaySection>;

export const underlayDeclaration = defineSection(underlaySection, {
  occurs: "once",
  limits: {
    lines: { follows: "a WAN link has one of four slots" },
    lans: { rows: "lanInterfaces" },
    "lans[].addresses": { rows: "lanAddresses" },
    cards: { follows: "a device comes with its cards, and none is added" },
  },
  fields: {
    lines: { list: { kind: "line", key: ["slot"] }, removal: "line", restored: "fitted" },
    lans: {
      list: { kind: "lan", key: ["interfaceName", "vlan"] },
      removal: { of: "addresses", as: "lan" },
      restored: "past",
    },
    // As all that comes from policy objects.
    cards: {
      list: { kind: "card", key: ["interfaceName"] },
      removal: "policy",
      restored: "present",
    },
  },
});

/** Static routes of the main instance, run by FRR's staticd. */
export const staticSection = z.strictObject({
  routes: z
    .array(
      z.strictObject({
        destination: ipCidr,
        nextHop: ipAddress,
        metric: z.int().min(0).max(255),
      }),
    )
    .max(stateLimits.staticRoutes),
});

export type StaticSection = z.output<typeof staticSection>;

export const staticDeclaration = defineSection(staticSection, {
  occurs: "once",
  limits: { routes: { rows: "staticRoutes" } },
  fields: {
    routes: {
      list: { kind: "route", key: ["destination", "nextHop"] },
      removal: "route",
      restored: "past",
    },
  },
});
