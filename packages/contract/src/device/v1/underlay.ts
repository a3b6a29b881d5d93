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

/** An edge with it reads a LAN section whole in `underlay.lans`; others get it in two lists (`earlier-lans.ts`). */
export const lanSectionsCapability = "state.lanSections";

/** An edge with it makes interfaces of VLANs (IEEE 802.1Q): it reads `vlans`, and LAN sections of a VLAN name its interface. */
export const vlanCapability = "vlan";

/** Static: as it is here. Automatic: by router advertisements, and by DHCPv6 where they say so. */
const lineIpv6 = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("static"), ip: ipCidr, gateway: ipAddress }),
  z.strictObject({ mode: z.literal("auto") }),
  /** The same, and a prefix for the LANs is asked for; of this length, if the server likes. */
  z.strictObject({ mode: z.literal("delegated"), length: z.int().min(32).max(64).nullable() }),
]);

/** A LAN section: addresses of the device, and what its hosts may do. */
const lanSection = z.strictObject({
  interfaceName: ifname,
  vlan: z.int().min(0).max(4094),
  /** Its own network, which distinguishes it from other sections of the interface. */
  network: ipCidr,
  addresses: z.array(ipCidr).min(1).max(stateLimits.lanAddresses),
  /**
   * Its own networks and those routed to it: what its hosts may send from. Absent (states of earlier versions):
   * all that arrive on the interface.
   */
  networks: z.array(ipCidr).max(stateLimits.lanNetworks).optional(),
  /** They may leave by the WAN links with source NAT. */
  direct: z.boolean(),
  /** They may enter the space. */
  forward: z.boolean(),
  /** What is in no network of the space follows the default route that a site of the space announces; without one it goes nowhere. */
  central: z.boolean().optional(),
  /**
   * What comes out of the space gets the device's own address in the section, so that hosts that know no way into the
   * space answer it. Only for devices that can.
   */
  translated: z.boolean().optional(),
  /**
   * A network of the prefix that the WAN link in `slot` gets: its subnet, or null: a free one. Absent: none; an
   * interface has one in all.
   */
  ipv6: z
    .strictObject({
      slot: z.int().min(1).max(4),
      subnet: z.int().min(0).max(65_535).nullable(),
    })
    .optional(),
});
export type LanSection = z.output<typeof lanSection>;

/** Frames of the card with the tag come by the interface without it. */
const vlanInterface = z.strictObject({
  interfaceName: ifname,
  /** The card. */
  parent: ifname,
  tag: z.int().min(1).max(4094),
});
export type VlanInterface = z.output<typeof vlanInterface>;

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
  lans: z.array(lanSection).max(stateLimits.lanSegments),
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
  /** Interfaces of VLANs that WAN links and LAN sections name; only for devices that can, absent: none. */
  vlans: z.array(vlanInterface).max(stateLimits.vlanInterfaces).optional(),
});

export type UnderlaySection = z.output<typeof underlaySection>;

/** LAN sections whose interface is named: those with a tag are of devices that make no interfaces of VLANs. */
export const untagged = (lans: readonly LanSection[]): LanSection[] =>
  lans.filter(({ vlan }) => vlan === 0);

export const underlayDeclaration = defineSection(underlaySection, {
  occurs: "once",
  presentFor: lanSectionsCapability,
  limits: {
    lines: { follows: "a WAN link has one of four slots" },
    lans: { rows: "lanSegments" },
    "lans[].addresses": { rows: "lanAddresses" },
    "lans[].networks": { follows: "compile leaves out what is beyond, which denies it" },
    cards: { follows: "a device comes with its cards, and none is added" },
    vlans: { follows: "one for each WAN link and each interface with LAN sections at most" },
  },
  fields: {
    lines: { list: { kind: "line", key: ["slot"] }, removal: "line", restored: "fitted" },
    lans: {
      list: { kind: "lan", key: ["interfaceName", "vlan", "network"] },
      removal: { of: "addresses", as: "lan" },
      restored: "past",
    },
    // As all that comes from policy objects.
    cards: {
      list: { kind: "card", key: ["interfaceName"] },
      removal: "policy",
      restored: "present",
    },
    // What is counted is the WAN link or the LAN section on it.
    vlans: {
      list: { kind: "vlan", key: ["interfaceName"] },
      removal: "follows",
      restored: "fitted",
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
