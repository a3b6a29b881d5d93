/**
 * What becomes of policy objects on a node: an object acts unless a finding says otherwise.
 */
import { z } from "zod";
import { dhcpReservation } from "#domains/devices/dhcp-reservation.ts";
import { dnsEntry } from "#domains/devices/dns-entry.ts";
import { lanSection } from "#domains/devices/lan-section.ts";
import { line } from "#domains/devices/line.ts";
import { messages as deviceTexts } from "#domains/devices/messages.ts";
import { circuit } from "#domains/overlay/circuit.ts";
import { cug } from "#domains/overlay/cug.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint } from "#kernel/endpoint.ts";
import type { Message } from "#kernel/message.ts";
import { type AnyResource, accessOf } from "#kernel/resource.ts";
import { aclRule } from "./acl-rule.ts";
import { blacklist } from "./blacklist.ts";
import { policyFamilies } from "./policy-families.ts";
import { saasGroups } from "./saas-group.ts";
import { xwanSpeed } from "./xwan-speed.ts";

/**
 * `fallback`: it acts, and not quite as it was asked for. `cannot`: it does not act. `replaced`: the
 * node's own object of the same key replaces it.
 */
export const policyEffects = ["fallback", "cannot", "replaced"] as const;
export type PolicyEffect = (typeof policyEffects)[number];

export const policyReasons = [
  /** No edge of this version carries the family out, or this device does not. */
  "notCarriedOut",
  /** The device is held at a past configuration: `serial`. */
  "held",
  /** The node has an object of its own of the same key. */
  "replaced",
  /** It names an object that is off: `field`. */
  "offReference",
  /** The group that it names has no entries, so that nothing ever fits: `field`. */
  "emptyGroup",
  /** The node has no line in this slot: `slot`. */
  "noLine",
  /** An ACL rule of a node whose ACL is switched off. */
  "aclOff",
  /** It is about the hosts of the node's LANs, and there are none. */
  "noLan",
  /** It denies or limits `only` one family of addresses, and hosts may have those of the `other`. */
  "oneFamily",
  /** It denies a name by the device's own resolver: a host that asks another one is not held. */
  "dnsOnly",
  /** It is about names that hosts ask the device: those that are asked encrypted, or of another server inside, are not. */
  "ownDnsOnly",
  /** It acts on whole hosts by their names: encrypted DNS over HTTPS, other servers inside and known addresses get past it. */
  "hostsByName",
  /** It redirects, which a resolver cannot: its hosts are denied. */
  "redirectDenied",
  /** It names a port, a path or a query of a host, and only a whole host can be denied. */
  "partOfHost",
  /** It names a host by its address, which nobody asks a resolver for. */
  "hostByAddress",
  /** The host is denied whichever scheme it is reached by. */
  "anyScheme",
  /** No entry of its URL group means a whole host. */
  "noWholeHost",
  /** IP groups of this rule and those before it make more classes of hosts than a device has resolvers for: `most`. */
  "tooManyFilters",
  /** Connections cannot follow its WAN link, for it names none. */
  "routeWithoutLine",
  /** It names a line that is no WAN link: `field`. */
  "notWan",
  /** The host that it leads to is in no LAN of the node: `host`. */
  "notInLan",
  /** Hosts answer the internet by their gateway, and the device is beside it (X-mode). */
  "bypass",
  /** No rule that acts names it: it acts as soon as one does. */
  "unused",
  /** Its ports at the line are those of another object, which comes first: `name`. */
  "portsTaken",
  /** Its ports at the line are those of the device's own tunnels: `port`. */
  "portsOfTunnels",
  /** It moves more ports to other numbers than a device does: `most`. */
  "movedPorts",
  /** No network that the device is connected to has the next hop: `host`. */
  "hopNotConnected",
  /** The next hop is an address of the device itself: `host`. */
  "hopIsDevice",
  /** Without the card the node would have no WAN link: it stays on. */
  "lastLine",
  /** IPv6, which the node uses on the card, needs a larger MTU: `least`. */
  "mtuBelowIpv6",
  /** The kernel of the device cannot tag frames: `vlan`. */
  "noVlan",
  /** The interface of the card's VLAN is that of a WAN link, or of another card: `name`. */
  "vlanTaken",
  /** The WAN link `line` is on the card itself; it is on the VLAN if it names `name` as its interface. */
  "wanOfCard",
  /** The card has no LAN section without a tag of its own. */
  "noLanOfCard",
  /** The device has no PPPoE: no /dev/ppp in its kernel, or no pppd. */
  "noPppoe",
  /** The node's own line or LAN says something else of this field, and decides: `field`. */
  "ofLineItself",
  /** No LAN of the node has all addresses of the range: `first`, `last`. */
  "rangeInNoLan",
  /** The range has an address of its LAN's gateway, a device, or the ends of the network: `address`. */
  "rangeHas",
  /** Another interface line, which comes first, gives the LAN its range: `name`. */
  "rangeTaken",
  /** The node gives hosts no addresses. */
  "dhcpOff",
  /** The node's own hot standby settings name another group, and decide: `group` of the line. */
  "standbyOfNode",
  /** A node is in one standby group, and another line, which comes first, names it: `name`. */
  "standbyOfLine",
  /** No LAN of the node has the address of the line, which the two devices would share: `address`. */
  "standbyNoLan",
  /** The LAN has no address of the device's own beside the one that is shared: `network`. */
  "standbyNoOwnAddress",
  /** No other CPE of the enterprise is in the group: `group`. */
  "standbyAlone",
  /** Two other CPEs are the group already, of which one is `name`: `group`. */
  "standbyBeyond",
  /** The other device of the group has no VRRP: `name`. */
  "standbyPartnerCannot",
  /** It is the gateway, a device, the network or the broadcast address of its LAN: `address`. */
  "addressOfLan",
  /** A TTL increment acts on WAN links only, and it names none. */
  "ttlWithoutLine",
  /** A WAN link, or the device, has no rate to take the guarantee from; the maximum is kept. */
  "noLineRate",
  /** The guarantees of all tunnels are above what the device has for them, kbit/s, and are cut in proportion: `most`. */
  "guaranteesAbove",
  /** The neighbour is in no LAN of the node whose hosts may enter the space: `host`. */
  "notInSpaceLan",
  /** No LAN of the node whose hosts may enter the space has this interface: `interfaceName`. */
  "noSpaceLan",
  /** The node has no link in a space, whose routes it could pass on. */
  "noSpaceLink",
  /** The neighbour's AS number is the device's own, or that which its space has inside: `asn`. */
  "sameAsn",
  /** The site declares no network behind its LANs, so that nothing is taken from the neighbour. */
  "nothingDeclared",
  /** What is set of this field is not carried out: `field`. */
  "fieldNotCarriedOut",
  /** Its secret cannot be read any more, or has characters that no daemon takes: `field`. */
  "secretUnusable",
  /** The node is in no space. */
  "noSpace",
  /** The two ends of the circuit are in no space together. */
  "noCommonSpace",
  /** No link of the node leads towards the other end of the circuit. */
  "noCircuitLink",
  /** The other end of the circuit brings no network into the space. */
  "noNetworks",
  /** A special line is preferred by real-time traffic, and no space of the node, or not the circuit's, has classes of traffic. */
  "noClasses",
  /** No link leads straight to the other end of the circuit, which real-time traffic could prefer. */
  "noDirectLink",
  /** Another circuit between the same ends comes first: `name`. */
  "sameEnds",
  /** The node takes part in no closed user group (cugEnable). */
  "takesNoPart",
  /** No other member of the group is in its space: it reaches no site there. */
  "noFellow",
  /** No LAN of the node may both leave by its WAN links and enter the space, as what leaves at a POP has to. */
  "noLeavingLan",
  /** The node has no link to the POP where its flows are to leave, or to any. */
  "noExitPop",
  /** Its POP has the mark of another POP of the space (ADR 0043). */
  "exitTwin",
  /** The device takes no more objects of this kind: `most`. */
  "tooMany",
  /**
   * With its application group it is `needed` rules of the device's firewall, which has `left` of its `most` for all
   * rules that name such groups.
   */
  "tooManyMatches",
  /** The device has no room for `count` rules that name the application group; the first ones are `rules`, by name. */
  "rulesWithoutRoom",
] as const;
export type PolicyReason = (typeof policyReasons)[number];

/**
 * Reasons that are facts about the product or the model of a device, known before anything is saved: nobody at the site can
 * do anything about them. They are no matter of health and raise no alarm (policy_finding.unsupported); lists and forms
 * show them with a sign of their own.
 */
export const unsupportedReasons = [
  "notCarriedOut",
  "fieldNotCarriedOut",
  "noVlan",
  "noPppoe",
] as const satisfies readonly PolicyReason[];

export const isUnsupported = (reason: string): boolean =>
  unsupportedReasons.some((unsupported) => unsupported === reason);

/**
 * Reasons of a fallback that hold wherever such an object acts: limits of blocking by DNS. The object acts as well as it can,
 * and there is nothing to correct.
 */
export const inherentReasons = [
  "dnsOnly",
  "ownDnsOnly",
  "hostsByName",
] as const satisfies readonly PolicyReason[];

export const isInherent = (reason: string): boolean =>
  inherentReasons.some((inherent) => inherent === reason);

/** Whose object it is: the node's own, its template's, or one of the enterprise for several nodes. */
export const policyFindingLevels = ["node", "template", "enterprise"] as const;
export type PolicyFindingLevel = (typeof policyFindingLevels)[number];

/** The X-mode of a node, as an object of findings: its id is that of the node. */
export const siteModeFamily = "xMode";

const titles: ReadonlyMap<string, Message> = new Map([
  ...policyFamilies.map(({ name, spec }) => [name, spec.title] as const),
  ...[
    aclRule,
    blacklist,
    dnsEntry,
    dhcpReservation,
    lanSection,
    line,
    cug,
    circuit,
    xwanSpeed,
    ...Object.values(saasGroups),
  ].map(({ name, title }) => [name, title] as const),
  [siteModeFamily, deviceTexts["field.xMode"]],
]);

/** What an object of a finding is called; one of a later version is called by its key. */
export const policyTitle = (family: string): Message => titles.get(family) ?? [family, family];

const families = z.string().refine((name) => policyFamilies.some((family) => family.name === name));
const params = z.record(z.string(), z.string());
const reason = z.object({ reason: z.string(), params });

/** Nodes that an object is meant for, by what becomes of it there. */
const summary = z.object({
  id: z.number(),
  /** All that it was sent to, or will be. */
  nodes: z.number(),
  /** The device confirmed a state that it is in. */
  acts: z.number(),
  fallback: z.number(),
  cannot: z.number(),
  replaced: z.number(),
  /** Being compiled or on the way. */
  underway: z.number(),
  /** Why it is not applied as configured, the most frequent first. */
  reasons: z.array(reason.extend({ nodes: z.number() })),
});
export type PolicySummary = z.output<typeof summary>;

const objects = { family: families, ids: codec.someIds };

/** Objects of a template on the CPEs that follow it. */
export const templateSummary = endpoint({
  id: "policyFinding.summary",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/summary",
  input: z.object({ templateId: codec.id, ...objects }),
  output: z.array(summary),
  may: "routerTemplateView",
});

/**
 * Capabilities that devices of a template's CPEs reported, each that at least one of them has; of a template
 * without devices those of all CPEs that the caller sees. What none of them can is saved only.
 */
export const templateCapabilities = endpoint({
  id: "policyFinding.capabilities",
  addition:
    "forms and lists say whether a device carries out what is saved; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/capabilities",
  input: z.object({ templateId: codec.id }),
  output: z.array(z.string()),
  may: "routerTemplateView",
});

const owner = { cpeId: codec.orNull(codec.id), popId: codec.orNull(codec.id) };

/** A node's own objects. */
export const nodeSummary = endpoint({
  id: "policyFinding.manage.summary",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/manage/summary",
  input: z.object({ ...owner, ...objects }),
  output: z.array(summary),
  may: "cpeConfig",
  mayInstead: { field: "popId", may: "popConfig" },
});

/** What becomes of rows of a resource that are no policy objects; whoever may list them may ask. */
const summaryOf = (resource: AnyResource) =>
  endpoint({
    id: `${resource.name}.summary`,
    addition: "what is saved acts or reports why not; the specification has no call for it",
    method: "GET",
    path: `${resource.path}/summary`,
    input: z.object({ ids: codec.someIds }),
    output: z.array(summary),
    may: accessOf(resource, "list"),
  });

/** ACL rules, on their device. */
export const aclSummary = summaryOf(aclRule);
/** DHCP reservations, on their device. */
export const reservationSummary = summaryOf(dhcpReservation);
/** Entries of the blacklist, on the CPEs that they are about and that the caller sees. */
export const blacklistSummary = summaryOf(blacklist);
/** Circuits, on those of their two ends that the caller sees. */
export const circuitSummary = summaryOf(circuit);
/** Closed user groups, on the CPEs in them that the caller sees. */
export const cugSummary = summaryOf(cug);

/** Every object of a node, of its own and of its template, that is not applied as configured. */
export const nodeFindings = pagedEndpoint({
  id: "policyFinding.manage.list",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/manage/list",
  input: z.object({
    ...owner,
    page: codec.int(1, 1_000_000).default(1),
    limit: codec.int(1, 1_000).default(10),
  }),
  output: reason.extend({
    /** Family, level and id of the object. */
    id: z.string(),
    family: z.string(),
    objectId: z.number(),
    /** What people call the object. */
    name: z.string(),
    level: z.enum(policyFindingLevels),
    effect: z.enum(policyEffects),
    createTime: codec.instant,
  }),
  may: "cpeConfig",
  mayInstead: { field: "popId", may: "popConfig" },
});
