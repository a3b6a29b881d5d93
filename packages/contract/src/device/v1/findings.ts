/**
 * What a device cannot make of a state that it applies nevertheless: it leaves the object out, or sets
 * it and knows that it has no effect, and the rest acts.
 */
import { z } from "zod";

/** Findings in one message; a device that has more leaves out the last. */
export const maxFindings = 100;

/** Kinds of objects and reasons that controllers of today have texts for; of others the key is shown. */
export const findingKinds = [
  "line",
  "lan",
  "route",
  "announce",
  "link",
  "resolver",
  "timeZone",
  "router",
  "flows",
  "card",
  "segment",
  "standby",
  "pool",
  "nextHop",
  "acceleration",
  "space",
  "accept",
  "network",
  "rateUp",
  "rateDown",
  "lineRate",
  "circuit",
  "bandwidthTunnel",
  "aclRule",
  "blacklistEntry",
  "ipGroup",
  "appGroup",
  "timeGroup",
  "connectionLimit",
  "portMapping",
  "policyRoute",
  "urlRule",
  "bandwidthPolicy",
  "dnsControl",
  "userGroup",
] as const;
export const findingReasons = [
  /** The interface does not exist. */
  "noInterface",
  /** The network that DHCP gave it is one of the site's own LANs: nothing of the lease is used. */
  "leaseInLan",
  /** It is one of the space: only the address itself is used, for tunnels and the controller. */
  "leaseInSpace",
  /** It has an address in a network of another WAN link (`network`): only the address itself is used. */
  "leaseInLine",
  /** Another WAN link has its address: nothing of the lease is used. */
  "leaseOfLine",
  /** No device can have the address that it gives: the same. */
  "leaseInvalid",
  /** It lasts no time: the same. */
  "leaseNoTime",
  /** Its router (`gateway`) is outside of its network, an address of the device, or cannot be one: the router is not used. */
  "leaseGateway",
  /** It has no client for router advertisements and DHCPv6 (`why`): it is left without IPv6. */
  "noIpv6Client",
  /**
   * The IPv6 address or prefix (`address`) that a router or server gives it overlaps a network of the site, of the space or of another
   * WAN link, or the prefix has an address that tunnels or the controller are reached at (`network`): it is not used.
   */
  "ipv6Overlap",
  /** No WAN link can have the IPv6 address or prefix (`address`) that a router or server gives: it is not used. */
  "ipv6Invalid",
  /** The WAN link in `slot` gets no prefix for it: its hosts have no IPv6 address of the internet. */
  "noPrefix",
  /** The prefix of the WAN link in `slot` (`prefix`) has no network left for it, or none of its number: the same. */
  "prefixTooSmall",
  /** The machine cannot tag frames. */
  "noVlan",
  /** It has no DHCP client. */
  "noDhcp",
  /** It has no routing daemon. */
  "noRouting",
  /** The next hop is on no network of the device. */
  "noNextHop",
  /** The next hop is behind another static route (`route`), or the route itself, which is not used either: it leads nowhere, or back. */
  "unresolvedNextHop",
  /** The router or the next hop that it names is the device itself (`address`): it is left out, or has no effect. */
  "ownAddress",
  /** It would take a network of the space out by a line: it is left out, and the network stays inside. */
  "inSpace",
  /** A distance that no daemon ever chooses. */
  "metricUnreachable",
  /** No site of the space announces a default route, which its hosts are to follow. */
  "noExit",
  /** Only prefixes are announced for which the device itself has the very same route. */
  "noRoute",
  /** Packets whose source none of the hosts there has were dropped lately: `count` of them or more. */
  "foreignSource",
  /** On a POP: small packets beyond what the space may send through it were dropped lately: `count` of them or more. */
  "smallPackets",
  /** The link's path drops packets of the size that it was given; the tunnel has a smaller one. */
  "pathMtu",
  /** It is plugged, and neither its gateway nor anything behind answers: others are preferred to it. */
  "lineSilent",
  /** Its gateway answers, and nothing behind does, while another line leads further: the same. */
  "lineCut",
  /** It loses so much that hosts cannot work by it, and another line loses less: the same. */
  "lineLossy",
  /** The link answers by IPv4, and by IPv6 its other end is silent. */
  "noIpv6",
  /** No program serves the LANs names and addresses: `why`. */
  "noResolver",
  /** The same where DNS controls act: what hosts ask servers outside goes to the device as well, and gets no answer. */
  "noNames",
  /** A resolver that denies names to some hosts does not run: these hosts get no answers. `why` */
  "noFilter",
  /** Its range of addresses (`first` to `last`) has none left: further hosts get none. */
  "dhcpExhausted",
  /** Nothing speaks VRRP in the LANs: `why`. The other device of the group has their gateways. */
  "noStandby",
  /** A router of the site does not answer as it was agreed: address or AS number, password, area or times differ, or it is away. */
  "noSession",
  /** The device does not know the time zone: its time groups act by UTC. */
  "noTimeZone",
  /** The card would take the last WAN link down: it stays as it is. */
  "lastLine",
  /** With so small an MTU the interface has no IPv6, which the site uses there: the MTU stays as it is. */
  "mtuBelowIpv6",
  /** The kernel's table of flows has room for `max` and next to none left, or refused some lately: new flows are dropped. */
  "flowTableFull",
  /** Of a segment route (`id`) the next POP, or one behind it, is not there: flows follow ordinary routing. */
  "segmentCut",
  /** Its interface is one that the device makes itself. */
  "ownInterface",
  /** Its interface is that of the WAN link in `slot`. */
  "lineInterface",
  /** No site may have such a network: link-local, loopback, multicast, or that of links. */
  "reservedAddress",
  /**
   * Its address, or an end of its network, is one that tunnels or the controller are reached at (`address`). Of a WAN link those of
   * its DHCP lease, and of tunnels: nothing of the lease is used, or the address alone.
   */
  "endpointAddress",
  /** The machine refused it, as it reports it (`why`): it is left out. */
  "refused",
  /** The same of a rule that denies (`why`): in its place all of `denies` is denied, so that nothing of it passes. */
  "refusedBroader",
  /** The same of a WAN link that ran before: it stays as it was. */
  "refusedKept",
  /** The machine refused its IPv6 (`why`), of a LAN that of a delegated prefix: the rest of it acts. */
  "refusedIpv6",
  /**
   * The machine refused the route to nowhere beneath it (`why`): that it does not leave the space is up to the firewall alone, and on a POP
   * sites of the space do not leave.
   */
  "notClosed",
  /** The firewall refuses to keep it inside the space (`why`): a wider network around it stays inside in its place (`denies`), or nothing leaves. */
  "closedBroader",
  /** The last POP of a segment route (`id`) has no route to its destination: the same. */
  "segmentEnd",
  /** None of the POPs of an acceleration group lets the site out at the moment: its flows leave as others do. */
  "exitCut",
] as const;

const token = z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,31}$/);
const short = z.string().max(200);

export const finding = z.strictObject({
  /** Name of the section that the object is in. */
  section: z.string().max(64),
  kind: token,
  /** What distinguishes the object from others of its kind: an interface, a prefix. */
  object: z.string().min(1).max(64),
  reason: token,
  /** What the reason is about, by name: `vlan`, `nextHop`, `why` as the machine reports it. */
  params: z.record(token, short),
});
export type Finding = z.output<typeof finding>;

export const findings = z.array(finding).max(maxFindings);
