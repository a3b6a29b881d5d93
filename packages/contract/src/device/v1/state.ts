/**
 * The desired state of one node: a head over content-addressed sections (design section 3.3).
 * A section belongs to one driver, and to one space where there is one. Addresses are family-neutral
 * text; rates are bit/s, times ms, sizes bytes unless the field says otherwise.
 */
import { z } from "zod";
import { aclRuleState } from "#contract/device/v1/acl.ts";
import { type ClientSection, clientSection } from "#contract/device/v1/client.ts";
import { dnsSection } from "#contract/device/v1/dns.ts";
import { groupsSection } from "#contract/device/v1/groups.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { pathsSection } from "#contract/device/v1/paths.ts";
import { policySection } from "#contract/device/v1/policy.ts";
import { type SegmentSection, segmentSection } from "#contract/device/v1/segments.ts";
import { shapingSection } from "#contract/device/v1/shaping.ts";
import { siteSection } from "#contract/device/v1/site.ts";
import { standbySection } from "#contract/device/v1/standby.ts";
import {
  interfaceName as ifname,
  isRenderable,
  netns,
  port,
  tunnelKey,
} from "#contract/device/v1/text.ts";
import { addressings, driftPolicies, nodeKinds } from "#domains/devices/enums.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";
import { ranges } from "#rules/number.ts";

/** Text that drivers put into rendered configuration: no quote, control or shell character. */
const plain = z.string().max(64).refine(isRenderable);

export const nodeSection = z.strictObject({
  nodeId: z.int().positive(),
  kind: z.enum(nodeKinds),
  hostname: plain,
  /** Dotted quad, unique in the installation; router id of BGP. */
  routerId: ipAddress,
});

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
      }),
    )
    .max(4),
  lans: z
    .array(
      z.strictObject({
        interfaceName: ifname,
        vlan: z.int().min(0).max(4094),
        addresses: z.array(ipCidr).min(1).max(stateLimits.lanAddresses),
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

/** What concerns the device as a whole. */
export const systemSection = z.strictObject({
  /** Every day, in the device's own time; null: never. */
  restartAt: z
    .strictObject({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) })
    .nullable(),
  /** What becomes of changes made on the device itself; absent: as the device itself is set. */
  drift: z.enum(driftPolicies).optional(),
});
export type SystemSection = z.output<typeof systemSection>;

export const firewallSection = z.strictObject({
  /** Line interfaces: closed but for tunnels, ICMP and what the device itself asked for. */
  wan: z.array(ifname).max(4),
  /**
   * One entry a LAN section. `direct`: may leave by the lines with source NAT; `forward`: may enter
   * the space; `central`: what is in no network of the space follows the default route that a site of
   * the space announces, and without one goes nowhere (absent: no); `translated`: what comes out of the space
   * gets the device's own address in the section, so that hosts that know no way into the space answer it (absent:
   * no).
   */
  lan: z
    .array(
      z.strictObject({
        interfaceName: ifname,
        /**
         * The section's own networks and those routed to it: what its hosts may send from. Absent
         * (states of earlier versions): all that arrive on the interface.
         */
        networks: z.array(ipCidr).max(stateLimits.lanNetworks).optional(),
        direct: z.boolean(),
        forward: z.boolean(),
        central: z.boolean().optional(),
        translated: z.boolean().optional(),
      }),
    )
    .max(stateLimits.lanSegments),
  /** UDP ports of tunnels that end here. */
  tunnelPorts: z.array(port).max(65_535),
  /** Looked at before anything passes from a LAN, a line or a link to another; absent: none. */
  acl: z.array(aclRuleState).max(stateLimits.aclRules).optional(),
});

export const linkState = z.strictObject({
  id: z.int().positive(),
  /** wl<id>. */
  interfaceName: ifname,
  listenPort: port,
  /** Line that carries it: its packets bear that line's mark. */
  slot: z.int().min(1).max(4),
  mtu: z.int().min(1_000).max(1_450),
  /** Own inner addresses, /31 and /127. */
  address4: ipCidr,
  address6: ipCidr,
  peerAddress4: ipAddress,
  peerAddress6: ipAddress,
  peerKey: tunnelKey,
  /** address:port of the other end ([v6]:port for IPv6); null: it calls us. */
  endpoint: z.string().max(64).nullable(),
  /** This end measures rtt, jitter and loss. */
  probe: z.boolean(),
});
export type LinkState = z.output<typeof linkState>;

/** Links of a space in one bucket: one edit on a hub of thousands costs one bucket. */
export const tunnelSection = z.strictObject({
  spaceId: z.int().positive(),
  /** Network namespace that the tunnels end in; null: the main one (a CPE). */
  netns,
  links: z.array(linkState).max(1_024),
});

export const routingSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  asn: z.int().min(1).max(4_294_967_295),
  /** True on a POP: reflects routes between its clients (RFC 4456). */
  reflector: z.boolean(),
  bfd: z.strictObject({
    intervalMs: z.int().min(10).max(60_000),
    multiplier: z.int().min(2).max(50),
  }),
  /** Prefixes that this node announces. */
  announce: z.array(ipCidr).max(stateLimits.announced),
  /**
   * Of those that other sites announce as well: the place of this site, the lowest of those that answer is taken. Absent:
   * no other site announces any. Only for edges with `rankedSitesCapability`.
   */
  ranks: z
    .array(
      z.strictObject({
        prefix: ipCidr,
        preference: z.int().min(ranges.sitePreference[0]).max(ranges.sitePreference[1]),
      }),
    )
    .max(stateLimits.announced)
    .optional(),
  neighbors: z
    .array(
      z.strictObject({
        linkId: z.int().positive(),
        interfaceName: ifname,
        address4: ipAddress,
        address6: ipAddress,
        /** Local preference of what comes in by this link: higher wins. */
        preference: z.int().min(1).max(1_000),
        client: z.boolean(),
        /** Prefixes taken from this neighbour; null: any (a reflector is trusted). */
        accept: z.array(ipCidr).max(stateLimits.announced).nullable(),
      }),
    )
    .max(20_000),
});

/** Neighbours of a POP in one bucket, beside `routing.<space>`, which has none of them then. */
export const routingPart = routingSection.pick({ neighbors: true });

/**
 * A space that the node is a member of, with or without a link. Every network of it, the node's own
 * as well, is unreachable beneath what the overlay knows: without a tunnel it goes nowhere, in clear
 * least of all.
 */
export const spaceSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  networks: z.array(ipCidr).max(65_536),
});
export type SpaceSection = z.output<typeof spaceSection>;

/**
 * Section name -> schema. `tunnel.<space>.<bucket>`, `routing.<space>` (at a POP with
 * `routing.<space>.<bucket>`), `client.<space>` or `client.<space>.<bucket>`, `space.<space>` and `segment.<space>` occur for each space. `firewall.<number>` holds
 * rules of the ACL, in the order of their numbers.
 */
export const sectionSchemas = {
  node: nodeSection,
  underlay: underlaySection,
  static: staticSection,
  firewall: firewallSection,
  tunnel: tunnelSection,
  routing: routingSection,
  system: systemSection,
  client: clientSection,
  space: spaceSection,
  policy: policySection,
  dns: dnsSection,
  shaping: shapingSection,
  site: siteSection,
  groups: groupsSection,
  paths: pathsSection,
  segment: segmentSection,
  standby: standbySection,
} as const;
export type SectionKind = keyof typeof sectionSchemas;

/** Sections that a state has once or not at all; absent: nothing of it is set. */
export const optionalSections = [
  ...(["system", "policy", "dns", "shaping", "site", "groups", "paths", "standby"] as const),
] as const;
export type OptionalSection = (typeof optionalSections)[number];
type OptionalSections = {
  readonly [name in OptionalSection]?: z.output<(typeof sectionSchemas)[name]>;
};

/** Names of later versions too: a state with one is refused with a reason (`fromSections`), the message is read. */
const anySectionName = /^[a-z][A-Za-z]{0,31}(\.\d{1,16}){0,2}$/;
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

export const stateId = z.strictObject({
  /** Grows with each restored controller; compared before serial. */
  epoch: z.int().positive(),
  serial: z.int().positive(),
});
export type StateId = z.output<typeof stateId>;

/** -1, 0 or 1: order of states (design section 3.3). */
export const compareStates = (a: StateId, b: StateId): number =>
  Math.sign(a.epoch - b.epoch || a.serial - b.serial);

export const stateHead = stateId.extend({
  sections: z.record(z.string().regex(anySectionName), sha256Hex),
});
export type StateHead = z.output<typeof stateHead>;

/** The whole document, sections by name. */
export interface DesiredState extends OptionalSections {
  readonly node: NodeSection;
  readonly underlay: UnderlaySection;
  readonly static: StaticSection;
  readonly firewall: FirewallSection;
  readonly tunnels: readonly TunnelSection[];
  readonly routings: readonly RoutingSection[];
  /** Absent: no client enters here. */
  readonly clients?: readonly ClientSection[];
  /** Absent: it is in no space. */
  readonly spaces?: readonly SpaceSection[];
  /** Absent: no flow has to cross certain POPs. */
  readonly segments?: readonly SegmentSection[];
}
export type TunnelSection = z.output<typeof tunnelSection>;
export type RoutingSection = z.output<typeof routingSection>;
export type UnderlaySection = z.output<typeof underlaySection>;
export type StaticSection = z.output<typeof staticSection>;
export type FirewallSection = z.output<typeof firewallSection>;
export type NodeSection = z.output<typeof nodeSection>;
