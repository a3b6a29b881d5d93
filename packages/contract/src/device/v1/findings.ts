/**
 * What a device cannot make of a state that it applies nevertheless: it leaves the object out, or sets
 * it and knows that it has no effect, and the rest acts.
 */
import { z } from "zod";

/** Findings in one message; a device that has more leaves out the last. */
export const maxFindings = 100;

/** Kinds of objects and reasons that controllers of today have texts for; of others the key is shown. */
export const findingKinds = ["line", "lan", "route", "announce", "link"] as const;
export const findingReasons = [
  /** The interface does not exist. */
  "noInterface",
  /** The network that DHCP gave it is one of the site's own LANs: nothing of the lease is used. */
  "leaseInLan",
  /** It is one of the space: only the address itself is used, for tunnels and the controller. */
  "leaseInSpace",
  /** The machine cannot tag frames. */
  "noVlan",
  /** It has no DHCP client. */
  "noDhcp",
  /** It has no routing daemon. */
  "noRouting",
  /** The next hop is on no network of the device. */
  "noNextHop",
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
  /** The link's path drops packets of the size that it was given; the tunnel has a smaller one. */
  "pathMtu",
  /** The link answers by IPv4, and by IPv6 its other end is silent. */
  "noIpv6",
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
