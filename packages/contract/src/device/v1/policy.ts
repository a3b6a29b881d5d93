/**
 * Policy objects as a device carries them out (docs/protocol.md, policy). The section is sent only with
 * objects of families whose capability `policy.<family>` the device reported.
 */
import { z } from "zod";
import { namePattern } from "#contract/device/v1/dns.ts";
import { hasFilterRoom } from "#contract/device/v1/host-classes.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { interfaceName } from "#contract/device/v1/text.ts";
import { mappedProtocols, transports } from "#domains/policies/enums.ts";
import { isAddresses } from "#domains/policies/policy-fields.ts";
import { ipAddress, ipv4Address } from "#rules/address.ts";
import { portOrRange } from "#rules/host.ts";
import { movedPorts } from "#rules/ports.ts";
import { isClock } from "#rules/time-zone.ts";

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
export const portMapping = z
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
export type PortMapping = z.output<typeof portMapping>;

/**
 * Names that hosts of the LANs are denied (NXDOMAIN), or get in spite of a later rule that denies them. The first rule
 * about a name decides, and a name that no rule is about is resolved.
 */
export const nameRule = z.strictObject({
  id: objectId,
  /** "example.com": this name alone; "*.example.com": all names below it. */
  names: z.array(namePattern).min(1).max(stateLimits.dnsNames),
  /** Set of the hosts; null: every host of the LANs. */
  sources: objectId.nullable(),
  /** Of the time group; null: always. */
  time: objectId.nullable(),
  denies: z.boolean(),
});
export type NameRule = z.output<typeof nameRule>;

/**
 * Time at which rules that name it act, by the clock of the site: from `start`, which is part of it, to `end`,
 * which is not. An end before the start is one of the next day.
 */
export const timeGroup = z.strictObject({
  id: objectId,
  /** Days that it begins on, Monday 1 to Sunday 7; none: every day. */
  weekdays: z.array(z.int().min(1).max(7)).max(7),
  /** "08:30"; "24:00" is the end of a day. */
  start: z.string().refine(isClock),
  end: z.string().refine(isClock),
});
export type TimeGroup = z.output<typeof timeGroup>;

/** Flows by the ports and the address of the end that they are opened to. */
export const appService = z.strictObject({
  /** `any` with a port: TCP and UDP. */
  protocol: z.enum(transports),
  /** Null: any. */
  port: portOrRange.nullable(),
  sourcePort: portOrRange.nullable(),
  /** Address, range or prefix; null: any. */
  target: z.string().max(96).refine(isAddresses).nullable(),
});
export type AppService = z.output<typeof appService>;

/** It is nothing but ports: all services like it are matched together. */
export const isPortService = ({ port, sourcePort, target }: AppService): boolean =>
  port !== null && sourcePort === null && target === null;

/** An application group: flows of any of its services. */
export const appGroupState = z.strictObject({
  id: objectId,
  services: z.array(appService).min(1).max(stateLimits.appServices),
});
export type AppGroupState = z.output<typeof appGroupState>;

/**
 * Which WAN link new flows of the LANs take that would leave by one anyway, and with targets also those that a
 * static route of the site leads elsewhere: what is of its LANs or of the space keeps its way. The first that fits
 * decides; a flow stays on its link until that is gone.
 */
export const policyRoute = z
  .strictObject({
    id: objectId,
    /** Sets of its sources and targets; null: any. */
    sources: objectId.nullable(),
    targets: objectId.nullable(),
    /** Of the application group; null or absent: any application. */
    app: objectId.nullable().optional(),
    /** Of the time group; null: always. */
    time: objectId.nullable(),
    /** WAN links that share its flows; those that are down are left out, and without any routing decides. */
    slots: z.array(z.int().min(1).max(4)).max(4),
    /** Flows get the address of their link; false: they keep their own. */
    nat: z.boolean(),
    /**
     * Kind of source NAT: `cone` passes everyone's UDP to a host by the port that it sends from, `symmetric` gives each
     * flow a port by chance. Absent: the port is kept where it is free. Only for devices that can.
     */
    translation: z.enum(["cone", "symmetric"]).optional(),
    /**
     * In place of WAN links: a neighbor on this interface, which takes flows of its family. While its interface is
     * down, routing decides. Only for devices that can.
     */
    hop: z.strictObject({ address: ipAddress, interfaceName }).optional(),
    /** What the destination of its flows becomes, of this family alone. Only for devices that can. */
    destination: ipAddress.optional(),
    /**
     * Added to the time to live, or hop limit, of what its flows send out by a WAN link, up to 255 in all. Only with
     * WAN links, and for devices that can.
     */
    ttlIncrement: z.int().min(1).max(255).optional(),
    /** Refuses its flows, also those of the space, in place of any way out. Only for devices that can. */
    deny: z.literal(true).optional(),
  })
  .refine(({ slots, hop, destination, deny }) => {
    if (deny) return slots.length === 0 && hop === undefined && destination === undefined;
    return hop === undefined
      ? slots.length > 0 || destination !== undefined
      : slots.length === 0 && destination === undefined;
  })
  .refine(({ nat, translation }) => nat || translation === undefined)
  .refine(({ slots, ttlIncrement }) => slots.length > 0 || ttlIncrement === undefined);
export type PolicyRoute = z.output<typeof policyRoute>;

/** An edge with it sends flows of policy routes to next hops: only it is sent those. */
export const hopCapability = "policy.routerPolicyroute.hop";

/** An edge with it translates addresses in the ways of `translation`: only it is sent those. */
export const translationCapability = "policy.routerPolicyroute.nat";

/** An edge with it changes the destination of flows of policy routes: only it is sent what to. */
export const destinationCapability = "policy.routerPolicyroute.destination";

/** An edge with it refuses flows of policy routes that deny: only it is sent those. */
export const denyCapability = "policy.routerPolicyroute.deny";

/** An edge with it adds to the time to live of flows of policy routes: only it is sent how much. */
export const ttlCapability = "policy.routerPolicyroute.ttl";

/** What a device may be able to do with a policy route, beyond sending its flows over WAN links. */
export const routeCapabilities = [
  hopCapability,
  translationCapability,
  destinationCapability,
  denyCapability,
  ttlCapability,
] as const;

/** What routes have in common whose flows take one path; null: the path of the WAN links themselves. */
export const pathKeyOf = ({
  hop,
  destination,
  ttlIncrement,
}: Pick<PolicyRoute, "hop" | "destination" | "ttlIncrement">): string | null => {
  if (hop) return `${hop.address} ${hop.interfaceName}`;
  const parts = [
    ...(destination === undefined ? [] : [`to ${destination}`]),
    ...(ttlIncrement === undefined ? [] : [`ttl ${ttlIncrement}`]),
  ];
  return parts.length === 0 ? null : parts.join(" ");
};

/** Paths that routes take beside that of the WAN links. */
const pathsOf = (routes: readonly PolicyRoute[]): ReadonlySet<string> =>
  new Set(routes.flatMap((route) => pathKeyOf(route) ?? []));
const tunnelKbps = z.int().min(1).max(1_000_000_000);

/** A class of the device's shaper: what it gets at least and at most, in each of its directions by itself. */
export const bandwidthTunnel = z
  .strictObject({
    id: objectId,
    /** kbit/s. */
    guaranteed: tunnelKbps,
    most: tunnelKbps,
    up: z.boolean(),
    down: z.boolean(),
    /** Of the WAN link whose packets it is about; null: of all together. */
    slot: z.int().min(1).max(4).nullable(),
  })
  .refine(({ guaranteed, most }) => guaranteed <= most);
export type BandwidthTunnel = z.output<typeof bandwidthTunnel>;

/** Flows of hosts of the LANs that go through a tunnel, in both directions. The first that fits decides. */
export const bandwidthRule = z.strictObject({
  id: objectId,
  tunnel: objectId,
  /** Set of the hosts' addresses; null: all. */
  hosts: objectId.nullable(),
  /** Of the application group; null: any application. */
  app: objectId.nullable(),
  /** Of the time group; null: always. */
  time: objectId.nullable(),
});
export type BandwidthRule = z.output<typeof bandwidthRule>;

/** Families of objects that an ACL rule of a device may be of. */
export const aclFamilies = ["xaclrules", "blacklist"] as const;
export type AclFamily = (typeof aclFamilies)[number];

/** An edge with it counts the packets of ACL rules by their objects: only it is sent which those are. */
export const aclCountsCapability = "firewall.counts";

export const policySection = z
  .strictObject({
    sets: z.array(addressSet).max(stateLimits.addressSets),
    limits: z.array(connectionLimit).max(stateLimits.connectionLimits),
    /** Only for devices that can; absent: none. */
    portMaps: z.array(portMapping).max(stateLimits.portMappings).optional(),
    /** Only for devices that can; absent: none. */
    routes: z
      .array(policyRoute)
      .max(stateLimits.policyRoutes)
      .refine((routes) => pathsOf(routes).size <= stateLimits.policyPaths)
      .optional(),
    /** In their order; only for devices that can, absent: none. Only with a section `dns`. */
    nameRules: z.array(nameRule).max(stateLimits.nameRules).optional(),
    /** Tunnels that rules name, and these rules in their order; only for devices that can, absent: none. */
    tunnels: z.array(bandwidthTunnel).max(stateLimits.bandwidthTunnels).optional(),
    bandwidths: z.array(bandwidthRule).max(stateLimits.bandwidthPolicies).optional(),
    /** Those that rules name; absent: none. */
    applications: z.array(appGroupState).max(stateLimits.applicationGroups).optional(),
    times: z.array(timeGroup).max(stateLimits.timeGroups).optional(),
    /** IANA name of the zone that they are in; only beside them. */
    timeZone: z.string().min(1).max(64).optional(),
  })
  .refine(({ times, timeZone }) => times === undefined || timeZone !== undefined)
  .refine(({ nameRules = [], sets }) => hasFilterRoom(nameRules, sets));
export type PolicySection = z.output<typeof policySection>;

/** What is asked of the device today by rules is not undone by a rollback, as with the ACL. */
export const policyDeclaration = defineSection(policySection, {
  occurs: "optional",
  limits: {
    sets: { follows: "compile leaves out objects that are beyond, and says so of each" },
    "sets[].members": { follows: "compile leaves out objects that are beyond" },
    limits: { follows: "compile leaves out objects that are beyond, and says so of each" },
    portMaps: { follows: "compile leaves out objects that are beyond, and says so of each" },
    routes: { follows: "compile leaves out objects that are beyond, and says so of each" },
    "routes[].slots": { follows: "a WAN link has one of four slots" },
    nameRules: { follows: "compile leaves out objects that are beyond, and says so of each" },
    "nameRules[].names": { follows: "compile leaves out objects that are beyond" },
    tunnels: { follows: "compile leaves out objects that are beyond, and says so of each" },
    bandwidths: { follows: "compile leaves out objects that are beyond, and says so of each" },
    applications: { follows: "compile leaves out objects that are beyond" },
    "applications[].services": { follows: "compile leaves out objects that are beyond" },
    times: { follows: "compile leaves out objects that are beyond, and says so of each" },
    "times[].weekdays": { follows: "a week has seven days" },
  },
  fields: {
    sets: { list: { kind: "addressSet", key: ["id"] }, removal: "follows", restored: "present" },
    limits: {
      list: { kind: "connectionLimit", key: ["id"] },
      removal: "policy",
      restored: "present",
    },
    routes: {
      list: { kind: "policyRoute", key: ["id"], ordered: true },
      removal: "policy",
      restored: "present",
    },
    nameRules: {
      list: { kind: "nameRule", key: ["id"], ordered: true },
      removal: "policy",
      restored: "present",
    },
    tunnels: {
      list: { kind: "bandwidthTunnel", key: ["id"] },
      removal: "follows",
      restored: "present",
    },
    bandwidths: {
      list: { kind: "bandwidthRule", key: ["id"], ordered: true },
      removal: "policy",
      restored: "present",
    },
    applications: {
      list: { kind: "appGroup", key: ["id"] },
      removal: "follows",
      restored: "present",
    },
    times: { list: { kind: "timeGroup", key: ["id"] }, removal: "follows", restored: "present" },
    timeZone: { list: null, removal: "follows", restored: "present" },
    portMaps: {
      list: { kind: "portMapping", key: ["id"] },
      removal: "policy",
      restored: "present",
    },
  },
});
