/** Desired state of one node out of one snapshot of rows. Pure: no clock, no chance, no reading. */
import type { AccelerationSection } from "@weft/contract/device/v1/acceleration.ts";
import { omitsBytes, ranksSites, translatesSpace } from "@weft/contract/device/v1/additions.ts";
import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import { flowRecordsCapability } from "@weft/contract/device/v1/flow-records.ts";
import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import type { SectionKind } from "@weft/contract/device/v1/sections.ts";
import type { ShapingSection } from "@weft/contract/device/v1/shaping.ts";
import type { SpaceSection } from "@weft/contract/device/v1/space.ts";
import {
  type Compiled,
  checkSections,
  type DesiredState,
  stateOf,
  toSections,
} from "@weft/contract/device/v1/state.ts";
import { isRenderable } from "@weft/contract/device/v1/text.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import type { LanSection, UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { lanPrefixCapability, wanIpv6Capability } from "@weft/contract/device/v1/underlay.ts";
import { type Ipv6Mode, xModeOf } from "@weft/contract/domains/devices/enums.ts";
import { acts } from "@weft/contract/effects.ts";
import { isReserved, networkOf, parseAddress } from "@weft/contract/rules/address.ts";
import type { DhcpSpan } from "@weft/contract/rules/dhcp-range.ts";
import { ranges } from "@weft/contract/rules/number.ts";
import { asnOf, innerAddresses, routerIdOf } from "#domains/overlay/link/public.ts";
import type { AcceleratedSite } from "#domains/policies/acceleration/public.ts";
import { sentCards } from "#domains/policies/policy-finding/public.ts";
import {
  type AcceleratedView,
  acceleratedSiteOf,
  accelerationSections,
  learnsAny,
  leavingOf,
} from "./acceleration-section.ts";
import { type CircuitedView, circuitStatesOf } from "./circuits-section.ts";
import { aclOf, countsAcl, systemOf, type ViewSite } from "./device-settings.ts";
import { dnsControlsOf } from "./dns-controls.ts";
import { dnsSectionOf } from "./dns-section.ts";
import { type GroupedView, groupsSectionOf } from "./groups-section.ts";
import { endsOf, preferenceOf } from "./link-preference.ts";
import { clientOf, type ViewService } from "./mobile-clients.ts";
import { mergedPolicyOf } from "./node-policy.ts";
import { type ClassedView, pathsSectionOf } from "./paths-section.ts";
import {
  filledLines,
  type PolicyView,
  policyContextOf,
  policySectionOf,
  setRangeOf,
} from "./policy-section.ts";
import { sourcesBySection } from "./section-sources.ts";
import { type SegmentView, segmentSectionOf } from "./segment-sections.ts";
import { shapingSectionOf } from "./shaping-section.ts";
import { prefixesOf, sorted } from "./site-prefixes.ts";
import { siteSectionOf } from "./site-section.ts";
import { qualityOf, specialLinksOf } from "./special-links.ts";
import { addressesOf, standbySectionOf, type ViewStandby } from "./standby-section.ts";
import { vlansOf, withVlanInterfaces } from "./vlan-interfaces.ts";

/** What is set of the network cards of a device; none: nothing is set of any, or the device cannot carry it out. */
export function cardsOf(view: PolicyView): NonNullable<UnderlaySection["cards"]> {
  const { capabilities = null } = view;
  if (capabilities === null || !acts("routerInterface", capabilities)) return [];
  return sentCards(mergedPolicyOf(view), policyContextOf(view));
}

export interface ViewLine {
  /** Of its row; absent: nothing is found about it. */
  readonly id?: number;
  readonly name?: string;
  readonly slot: number;
  readonly interfaceName: string;
  readonly addressing: "static" | "dhcp";
  readonly ip: string | null;
  readonly gateway: string | null;
  /** Absent: it has none. */
  readonly ipv6?: {
    readonly mode: Ipv6Mode;
    readonly ip: string | null;
    readonly gateway: string | null;
    /** Of the prefix that is wanted; absent: any. */
    readonly length?: number | null;
  };
  /** Bytes inside the tunnels of this line. */
  readonly mtu: number;
  /** Special line (1, 2) by its row, and by an interface line, which counts where the row says nothing; absent or 0: a common one. */
  readonly quality?: number;
  readonly givenQuality?: number;
  /** kbit/s; absent or null: not known. */
  readonly up?: number | null;
  readonly down?: number | null;
  /** What others call; null: not known. */
  readonly address: string | null;
  /** First of the ports there that lead to those of tunnels; absent or null: they are the same. */
  readonly publicPort?: number | null;
}

export interface ViewSection {
  /** Of its row; absent: nothing is found about it. */
  readonly id?: number;
  readonly interfaceName: string;
  /** The device's own address in the segment, with length. */
  readonly network: string;
  readonly network6: string | null;
  readonly vlan: number | null;
  readonly enableForward: boolean;
  readonly enableDirect: boolean;
  /** To the internet by the space only; absent: no. */
  readonly enableCentral?: boolean;
  /** Its network of the prefix that a line gets; absent or null: none. */
  readonly ipv6?: { readonly slot: number; readonly subnet: number | null } | null;
  /** Where the gateway is whose turn it is; absent or null: it is the device's own. */
  readonly ownAddress?: string | null;
  /** Addresses that its hosts get; absent or null: what its policies say, or a part of the network. */
  readonly range?: DhcpSpan | null;
}

export interface ViewRoute {
  readonly destination: string;
  readonly nextHop: string;
  readonly metric: number;
  readonly enabled: boolean;
  readonly announce: boolean;
}

export interface ViewNode {
  readonly id: number;
  readonly kind: "cpe" | "pop";
  readonly name: string;
  readonly lines: readonly ViewLine[];
  readonly sections: readonly ViewSection[];
  readonly routes: readonly ViewRoute[];
  /** kbit/s of the whole device; absent or null: not limited. */
  readonly bandwidth?: number | null;
  /** What it is in its LANs (xMode of a CPE); absent: as their gateway. */
  readonly xMode?: number;
  /** Networks that it announces by route notices. */
  readonly notices?: readonly string[];
  /** Those of them that other sites may announce as well, with this site's place; absent: none. */
  readonly places?: readonly { readonly network: string; readonly preference: number }[];
  /** Networks that it brings along in the past state it is held at; absent or null: by its rows. */
  readonly announced?: readonly string[] | null;
}

interface ViewEnd {
  readonly node: number;
  readonly slot: number;
  readonly port: number;
  readonly key: string;
}

export interface ViewLink {
  readonly id: number;
  readonly spaceId: number;
  readonly index: number;
  /** What an operator prefers it by; null: by the place of its POP and the slot of the caller's line. */
  readonly preference: number | null;
  /** Place of the POP among those of the site, 0 the most wanted; absent or null: none of its own. */
  readonly place?: number | null;
  /** It goes once another one carries what it carries; absent: no. */
  readonly isLeaving?: boolean;
  readonly a: ViewEnd;
  readonly b: ViewEnd;
}

/** Rows that the state of a node is made of; their order does not matter. */
export interface NodeView
  extends PolicyView,
    Pick<GroupedView, "groups">,
    Pick<CircuitedView, "circuits"> {
  readonly node: ViewNode;
  readonly links: readonly ViewLink[];
  /** Every node at the other end of one of the links. */
  readonly peers: ReadonlyMap<number, ViewNode>;
  /** Settings of the node's own site; absent: none. */
  readonly site?: ViewSite;
  /** Client services that this POP runs; absent: none. */
  readonly services?: readonly ViewService[];
  /** Networks of all members, by space that the node is in; absent: it is in none. */
  readonly spaces?: ReadonlyMap<number, readonly string[]>;
  readonly segments?: NonNullable<SegmentView["segments"]>;
  readonly accelerations?: NonNullable<AcceleratedView["accelerations"]>;
  /** Classes of traffic by space; absent: no space has any. */
  readonly classes?: ClassedView["classes"];
  /** Its place in a standby group; absent: it is in none. */
  readonly standby?: ViewStandby;
  /** LANs whose gateway is another device's, which it does not stand for; absent: none. */
  readonly rivals?: readonly string[];
}

/**
 * A dead line is noticed after three of these. Traffic has to be on another line within a second:
 * what is left of it is for the routes of both ends to change, on a device that is busy too.
 */
const bfd = { intervalMs: 250, multiplier: 3 } as const;

const compareText = (text: string, other: string): number =>
  text < other ? -1 : text > other ? 1 : 0;

/** All that compiling another node takes from this one: `sideOf` and `routingOf` read no more. */
export const peerPart = (node: ViewNode) => ({
  kind: node.kind,
  prefixes: prefixesOf(node),
  leaving: leavingOf(node),
  lines: node.lines
    .map((line) => {
      const { slot, mtu, address, publicPort = null } = line;
      const quality = qualityOf(line);
      return { slot, mtu, address, publicPort, ...(quality > 0 && { quality }) };
    })
    .sort((a, b) => a.slot - b.slot),
});

const endpointText = (address: string, port: number): string =>
  parseAddress(address)?.family === 6 ? `[${address}]:${port}` : `${address}:${port}`;

/** The port at which others reach one of a tunnel. */
const calledPort = ({ publicPort = null }: Pick<ViewLine, "publicPort">, port: number): number =>
  publicPort === null ? port : publicPort + port - ranges.tunnelPort[0];

interface Side {
  readonly link: ViewLink;
  readonly own: ViewEnd;
  readonly peer: ViewNode;
  readonly state: LinkState;
  readonly preference: number;
}

/**
 * The link as this node sees it. Null when a line of it is gone or its address is not known: the
 * same change removes the link, a moment later.
 */
function sideOf(view: NodeView, link: ViewLink): Side | null {
  const isCaller = link.a.node === view.node.id;
  const [viewEnd, other] = isCaller ? [link.a, link.b] : [link.b, link.a];
  const peer = view.peers.get(other.node);
  if (!peer) throw new Error(`link ${link.id}: node ${other.node} is not in the view`);
  const ownLine = view.node.lines.find(({ slot }) => slot === viewEnd.slot);
  const otherLine = peer.lines.find(({ slot }) => slot === other.slot);
  if (!ownLine || !otherLine) return null;
  if (isCaller && otherLine.address === null) return null;
  const at = innerAddresses(link.spaceId, link.index);
  const [ip4, ip6, peer4, peer6] = isCaller
    ? [at.a4, at.a6, at.b4, at.b6]
    : [at.b4, at.b6, at.a4, at.a6];
  const state: LinkState = {
    id: link.id,
    interfaceName: `wl${link.id}`,
    listenPort: viewEnd.port,
    slot: viewEnd.slot,
    mtu: Math.min(ownLine.mtu, otherLine.mtu),
    address4: `${ip4}/31`,
    address6: `${ip6}/127`,
    peerAddress4: peer4,
    peerAddress6: peer6,
    peerKey: other.key,
    endpoint:
      isCaller && otherLine.address !== null
        ? endpointText(otherLine.address, calledPort(otherLine, other.port))
        : null,
    // One end measures for both; the caller knows the line better.
    probe: isCaller,
  };
  const preference = preferenceOf(link, endsOf(view.node.kind, peer.kind));
  return { link, own: viewEnd, peer, state, preference };
}

/** Places of the site among those that announce the same networks. */
function ranksOf(
  view: NodeView,
  announce: readonly string[],
): NonNullable<RoutingSection["ranks"]> {
  if (!ranksSites(view.capabilities ?? null)) return [];
  const places = view.node.places ?? [];
  return places
    .map(({ network, preference }) => ({ prefix: networkOf(network), preference }))
    .filter(({ prefix }) => announce.includes(prefix))
    .sort((a, b) => compareText(a.prefix, b.prefix));
}

function routingOf(
  view: NodeView,
  spaceId: number,
  sides: readonly Side[],
  clients: readonly ClientSection[],
): RoutingSection {
  const isPop = view.node.kind === "pop";
  const pools = clients.flatMap((client) =>
    client.spaceId === spaceId ? [networkOf(client.address)] : [],
  );
  const announce = isPop ? pools : prefixesOf(view.node);
  const ranks = isPop ? [] : ranksOf(view, announce);
  return {
    spaceId,
    netns: isPop ? `weft-s${spaceId}` : null,
    asn: asnOf(spaceId),
    reflector: isPop,
    bfd,
    announce,
    ...(ranks.length > 0 && { ranks }),
    neighbors: sides.map(({ state, peer, preference }) => ({
      linkId: state.id,
      interfaceName: state.interfaceName,
      address4: state.peerAddress4,
      address6: state.peerAddress6,
      preference,
      client: isPop && peer.kind === "cpe",
      // No site can announce another's networks; a POP has filtered already.
      accept: peer.kind === "pop" ? null : prefixesOf(peer),
    })),
  };
}

type LineState = DesiredState["underlay"]["lines"][number];

const isAble = (capabilities: NodeView["capabilities"], wanted: string): boolean =>
  capabilities?.some(({ name, can }) => can && name === wanted) ?? false;

/** IPv6 of a line; absent: it has none, or its edge does not know of any. */
function ipv6Of({ ipv6 }: ViewLine, capabilities: NodeView["capabilities"]): LineState["ipv6"] {
  if (!isAble(capabilities, wanIpv6Capability) || ipv6 === undefined || ipv6.mode === "off")
    return undefined;
  if (ipv6.mode === "delegated" && isAble(capabilities, lanPrefixCapability))
    return { mode: "delegated", length: ipv6.length ?? null };
  if (ipv6.mode !== "static") return { mode: "auto" };
  const { ip, gateway } = ipv6;
  return ip === null || gateway === null ? undefined : { mode: "static", ip, gateway };
}

function lineOf(line: ViewLine, capabilities: NodeView["capabilities"]): LineState {
  const { slot, interfaceName, addressing, ip, gateway } = line;
  const isStatic = addressing === "static";
  const ipv6 = ipv6Of(line, capabilities);
  return {
    slot,
    interfaceName,
    addressing,
    ip: isStatic ? ip : null,
    gateway: isStatic ? gateway : null,
    ...(ipv6 && { ipv6 }),
  };
}

/** Sections of one interface have one network of a prefix: the first that wants one decides which. */
function prefixNetworksOf({ node, capabilities }: NodeView): Map<ViewSection, LanSection["ipv6"]> {
  const networks = new Map<ViewSection, LanSection["ipv6"]>();
  if (!isAble(capabilities, lanPrefixCapability)) return networks;
  const served = new Set<string>();
  for (const section of node.sections) {
    const place = `${section.interfaceName} ${section.vlan ?? 0}`;
    if (!section.ipv6 || served.has(place)) continue;
    served.add(place);
    networks.set(section, section.ipv6);
  }
  return networks;
}

function lansOf(view: NodeView): LanSection[] {
  const { node, capabilities = null } = view;
  const addresses = addressesOf(view);
  const prefixNetworks = prefixNetworksOf(view);
  const sources = sourcesBySection(node);
  // Beside the gateway it carries the space only: the internet is the gateway's.
  const { xMode = xModeOf.gateway } = node;
  const isTranslated = xMode === xModeOf.bypassNat && translatesSpace(capabilities);
  return node.sections
    .map((section, at) => {
      const { interfaceName, vlan, enableForward, enableDirect, enableCentral } = section;
      const ipv6 = prefixNetworks.get(section);
      return {
        interfaceName,
        vlan: vlan ?? 0,
        network: networkOf(section.network),
        addresses: sorted(addresses(section)),
        networks: sorted(sources[at] ?? []),
        direct: enableDirect && enableCentral !== true && xMode === xModeOf.gateway,
        forward: enableForward,
        // Without the space its hosts have no way out at all: nothing leaves by a line instead.
        ...(enableCentral && enableForward && { central: true }),
        ...(isTranslated && enableForward && { translated: true }),
        ...(ipv6 && { ipv6 }),
      };
    })
    .sort(
      (a, b) =>
        compareText(a.interfaceName, b.interfaceName) ||
        a.vlan - b.vlan ||
        compareText(a.networks.join(), b.networks.join()),
    );
}

const underlayOf = (view: NodeView): DesiredState["underlay"] => ({
  lines: view.node.lines
    .map((line) => lineOf(line, view.capabilities))
    .sort((a, b) => a.slot - b.slot),
  lans: lansOf(view),
});

/** Lists that were made, by the one that they were made of: nodes that are compiled together share both. */
const keptLists = new WeakMap<readonly string[], string[]>();

/** Networks of a space as its members' states have them. */
export function keptNetworks(networks: readonly string[]): string[] {
  const known = keptLists.get(networks);
  if (known) return known;
  const list = sorted(networks.map(networkOf).filter((network) => !isReserved(network)));
  keptLists.set(networks, list);
  return list;
}

/** Spaces that the node is in, with what must never leave them. */
function spacesOf(view: NodeView, inUse: readonly number[]): SpaceSection[] {
  const isPop = view.node.kind === "pop";
  return (
    [...(view.spaces ?? [])]
      // On a POP the namespace of a space comes and goes with what ends in it.
      .filter(([spaceId]) => !isPop || inUse.includes(spaceId))
      .sort(([one], [other]) => one - other)
      .map(([spaceId, networks]) => ({
        spaceId,
        netns: isPop ? `weft-s${spaceId}` : null,
        networks: keptNetworks(networks),
      }))
  );
}

const firewallOf = (
  { node }: NodeView,
  sides: readonly Side[],
  clients: readonly ClientSection[],
): DesiredState["firewall"] => ({
  wan: sorted(node.lines.map(({ interfaceName }) => interfaceName)),
  tunnelPorts: [
    ...sides.map(({ own }) => own.port),
    ...clients.map(({ listenPort }) => listenPort),
  ].sort((a, b) => a - b),
});

const staticOf = (node: ViewNode): DesiredState["static"] => ({
  routes: node.routes
    .filter(({ enabled }) => enabled)
    .map(({ destination, nextHop, metric }) => ({
      destination: networkOf(destination),
      nextHop,
      metric,
    }))
    .sort((a, b) => compareText(a.destination, b.destination) || compareText(a.nextHop, b.nextHop)),
});

/** Names may hold more than a rendered configuration may. */
const hostnameOf = (name: string): string =>
  [...name]
    .map((character) => (isRenderable(character) ? character : "-"))
    .join("")
    .slice(0, 64);

/** What sections are made of, and more than one of them uses. */
interface Parts {
  readonly view: NodeView;
  readonly sides: readonly Side[];
  /** In which it has links. */
  readonly spaces: readonly number[];
  readonly clients: readonly ClientSection[];
  readonly routings: readonly RoutingSection[];
  readonly policy: PolicySection | null;
  readonly accelerations: readonly AccelerationSection[];
}

function partsOf(given: NodeView): Parts {
  const view = withVlanInterfaces(given);
  const sides = view.links
    .map((link) => sideOf(view, link))
    .filter((side): side is Side => side !== null)
    .sort((a, b) => a.link.id - b.link.id);
  const spaces = [...new Set(sides.map(({ link }) => link.spaceId))].sort((a, b) => a - b);
  const clients = (view.services ?? [])
    .flatMap((service) => clientOf(view.node, service) ?? [])
    .sort((a, b) => a.spaceId - b.spaceId);
  const routings = spaces.map((spaceId) =>
    routingOf(view, spaceId, sidesIn(sides, spaceId), clients),
  );
  const accelerations = accelerationSections(
    spaces.map((spaceId) => ({ view, spaceId, peers: peersIn(sides, spaceId) })),
  );
  const policy = policySectionOf(view);
  return { view, sides, spaces, clients, routings, policy, accelerations };
}

const peersIn = (sides: readonly Side[], spaceId: number): ViewNode[] =>
  sidesIn(sides, spaceId).map(({ peer }) => peer);

const sidesIn = (sides: readonly Side[], spaceId: number): Side[] =>
  sides.filter(({ link }) => link.spaceId === spaceId);

function shapingOf({ view, policy }: Parts): ShapingSection | null {
  const rated = { ...view, node: { ...view.node, lines: filledLines(view) } };
  return shapingSectionOf(rated, circuitStatesOf(rated, policy));
}

/** Every kind of section: one that the protocol gains does not compile until it is here. */
const compilers: { readonly [Kind in SectionKind]: (parts: Parts) => Compiled[Kind] } = {
  node: ({ view: { node } }) => ({
    nodeId: node.id,
    kind: node.kind,
    hostname: hostnameOf(node.name),
    routerId: routerIdOf(node.id),
  }),
  system: ({ view: { site, capabilities } }) =>
    site
      ? systemOf(
          site,
          omitsBytes(capabilities ?? null),
          isAble(capabilities, flowRecordsCapability),
        )
      : null,
  underlay: ({ view }) => {
    const cards = cardsOf(view);
    const vlans = vlansOf(view);
    return {
      ...underlayOf(view),
      ...(cards.length > 0 && { cards }),
      // Absent, not empty: an edge of an earlier version refuses what it does not know.
      ...(vlans.length > 0 && { vlans }),
    };
  },
  static: ({ view }) => staticOf(view.node),
  firewall: ({ view, sides, clients }) => {
    const acl = view.site ? aclOf(view.site, countsAcl(view.capabilities)) : [];
    return { ...firewallOf(view, sides, clients), ...(acl.length > 0 && { acl }) };
  },
  tunnel: ({ view, sides, spaces }) =>
    spaces.map((spaceId) => ({
      spaceId,
      netns: view.node.kind === "pop" ? `weft-s${spaceId}` : null,
      links: sidesIn(sides, spaceId).map(({ state }) => state),
    })),
  routing: ({ routings }) => routings,
  client: ({ clients }) => clients,
  space: ({ view, spaces, clients }) =>
    spacesOf(view, [...spaces, ...clients.map(({ spaceId }) => spaceId)]),
  policy: ({ policy }) => policy,
  dns: ({ view, accelerations, policy }) => {
    const isNeeded = learnsAny({ accelerations }) || policy?.nameRules !== undefined;
    return dnsSectionOf(view, dnsControlsOf(view), setRangeOf(view), isNeeded);
  },
  shaping: shapingOf,
  site: ({ view }) => siteSectionOf(view),
  groups: ({ view }) => groupsSectionOf(view),
  paths: ({ view, sides, spaces }) => {
    // Its own policies are those of the view, which may not be in force yet.
    const lines = filledLines(view).map(({ slot, quality = 0 }) => ({ slot, quality }));
    const special = specialLinksOf({ kind: view.node.kind, lines }, sides, view.circuits ?? []);
    return pathsSectionOf(view, spaces, special);
  },
  segment: ({ view, sides, routings }) =>
    routings.flatMap(({ spaceId, announce }) => {
      const neighbors = sidesIn(sides, spaceId).map(({ link, peer }) => ({
        linkId: link.id,
        node: peer.id,
      }));
      return segmentSectionOf({ view, spaceId, neighbors, announce }) ?? [];
    }),
  standby: ({ view }) => standbySectionOf(view),
  acceleration: ({ accelerations }) => accelerations,
};

/** Groups of a site with what decides whether they act, for each of its spaces. */
export function acceleratedSites(view: NodeView): AcceleratedSite[] {
  const { sides, spaces } = partsOf(view);
  return spaces.map((spaceId) =>
    acceleratedSiteOf({ view, spaceId, peers: peersIn(sides, spaceId) }),
  );
}

/**
 * Compiles the state of a node.
 * @throws Error when the view lacks a peer, or the result breaks the device protocol: such a state
 * must never be published.
 */
export function compile(view: NodeView): DesiredState {
  const parts = partsOf(view);
  const state = stateOf((kind) => compilers[kind](parts));
  // The schemas of the protocol decide last, before anyone sees the state.
  checkSections(toSections(state));
  return state;
}
