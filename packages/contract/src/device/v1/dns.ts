/**
 * The resolver and the DHCP server of a site's LANs (docs/protocol.md, resolver). The section is sent only to
 * devices with one of its capabilities, and contains only what they can do.
 */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { interfaceName } from "#contract/device/v1/text.ts";
import { ipAddress, ipv4Address, ipv4Cidr, isWithin } from "#rules/address.ts";
import { isDomain, isHostLabel } from "#rules/host.ts";

/** An edge with them runs a resolver for its LANs, and gives their hosts addresses (RFC 2131). */
export const dnsCapabilities = {
  names: "dns.entries",
  dhcp: "lan.dhcp",
  /** It keeps addresses for hosts: only it is sent `reservations`. */
  reservations: "lan.reservations",
  /** It denies single names: only it is sent `deniedHosts`. */
  hosts: "filter.names",
} as const;

/** Rendered into configuration: letters, digits, hyphen, underscore and dots only. */
const domain = z.string().max(253).refine(isDomain);

/** A name with all below it, and an address of either family. */
const named = z.strictObject({ domain, address: ipAddress });

/** Addresses that hosts of one network get, first to last. */
export const dhcpRange = z
  .strictObject({
    interfaceName,
    /** The device's own address there, with length: router and resolver of the hosts. */
    address: ipv4Cidr,
    first: ipv4Address,
    last: ipv4Address,
  })
  .refine(({ address, first, last }) => isWithin(address, first) && isWithin(address, last));
export type DhcpRange = z.output<typeof dhcpRange>;

/** An address that only one host gets, in the network of a range, also outside of the range itself. */
export const dhcpReservation = z.strictObject({
  /** Of the host's card, in lower case. */
  mac: z.string().regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/),
  address: ipv4Address,
  /** What the host is called; null: as it calls itself. */
  name: z.string().refine(isHostLabel).nullable(),
});
export type DhcpReservation = z.output<typeof dhcpReservation>;

/** An edge with it leads connections to the answers by the control's WAN link: only it is sent `routes`. */
export const dnsRouteCapability = "policy.routerDnscontrol.route";

export const isNamePattern = (name: string): boolean => isDomain(name.replace(/^\*\./, ""));

/** "example.com": the name and all below it; "*.example.com": all below it. */
export const namePattern = z.string().max(255).refine(isNamePattern);

/**
 * Which servers are asked about which names. The first control of the day that fits decides; what the section
 * answers, denies or has a server for itself is not about them.
 */
export const dnsControl = z.strictObject({
  id: z.int().positive(),
  /** Null: all names. */
  names: z.array(namePattern).min(1).max(stateLimits.dnsNames).nullable(),
  /** The next one is asked while those before it do not answer. */
  servers: z.array(ipAddress).min(1).max(2),
  /** WAN link that they are asked by; routing decides while none of them answers there. Null: routing decides. */
  slot: z.int().min(1).max(4).nullable(),
  /** Monday 1 to Sunday 7, by the clock of the site; none: every day. */
  weekdays: z.array(z.int().min(1).max(7)).max(7),
  /** New flows of the LANs to addresses of the answers leave by the WAN link, while it is up. */
  routes: z.boolean(),
});
export type DnsControl = z.output<typeof dnsControl>;

const hasOwnDays = ({ weekdays }: DnsControl): boolean => weekdays.length > 0;

export const dnsSection = z
  .strictObject({
    /** What a name stands for; of several addresses all are answered, and a family without one has none. */
    answers: z.array(named).max(stateLimits.dnsNames),
    /** Servers that are asked about a name instead of those of the lines. */
    servers: z.array(named).max(stateLimits.dnsNames),
    /** Names that do not exist (NXDOMAIN, RFC 8020). */
    denied: z.array(domain).max(stateLimits.dnsNames),
    /** Names that hosts of the LANs are denied (NXDOMAIN), not those below them. Only for devices that can; absent: none. */
    deniedHosts: z.array(domain).min(1).max(stateLimits.dnsNames).optional(),
    /** None: hosts get no address from the device. */
    ranges: z.array(dhcpRange).max(stateLimits.lanSegments),
    /** Only for devices that can; absent: none. */
    reservations: z.array(dhcpReservation).max(stateLimits.dhcpReservations).optional(),
    /** Only for devices that can; absent: none. */
    controls: z.array(dnsControl).max(stateLimits.dnsControls).optional(),
    /** IANA name of the zone that their days are in; only beside those. */
    timeZone: z.string().min(1).max(64).optional(),
  })
  .refine(({ controls = [], timeZone }) => timeZone !== undefined || !controls.some(hasOwnDays));
export type DnsSection = z.output<typeof dnsSection>;

/** Hosts keep their names and leases: a rollback is about forwarding. */
export const dnsDeclaration = defineSection(dnsSection, {
  occurs: "optional",
  limits: {
    answers: { follows: "compile leaves out entries that are beyond, and says so of the node" },
    servers: { follows: "compile leaves out entries that are beyond, and says so of the node" },
    denied: { follows: "compile leaves out entries that are beyond, and says so of each" },
    deniedHosts: { follows: "compile leaves out entries that are beyond, and says so of each" },
    ranges: { follows: "a LAN section has one" },
    reservations: {
      follows: "compile leaves out reservations that are beyond, and says so of each",
    },
    controls: { follows: "compile leaves out objects that are beyond, and says so of each" },
    "controls[].names": { follows: "compile leaves out objects that are beyond" },
    "controls[].servers": { follows: "the object has two fields for them" },
    "controls[].weekdays": { follows: "a week has seven days" },
  },
  fields: {
    answers: {
      list: { kind: "dnsAnswer", key: ["domain", "address"] },
      removal: "follows",
      restored: "present",
    },
    servers: {
      list: { kind: "dnsServer", key: ["domain", "address"] },
      removal: "follows",
      restored: "present",
    },
    denied: { list: { kind: "deniedName", key: [] }, removal: "policy", restored: "present" },
    deniedHosts: { list: { kind: "deniedHost", key: [] }, removal: "policy", restored: "present" },
    ranges: {
      list: { kind: "dhcpRange", key: ["interfaceName", "address"] },
      removal: "follows",
      restored: "present",
    },
    reservations: {
      list: { kind: "dhcpReservation", key: ["mac"] },
      removal: "follows",
      restored: "present",
    },
    controls: {
      list: { kind: "dnsControl", key: ["id"], ordered: true },
      removal: "policy",
      restored: "present",
    },
    timeZone: { list: null, removal: "follows", restored: "present" },
  },
});
