/**
 * The desired state of one node: a head over content-addressed sections (design section 3.3).
 * A section belongs to one driver, and to one space where there is one. Addresses are family-neutral
 * text; rates are bit/s, times ms, sizes bytes unless the field says otherwise.
 */
import { z } from "zod";
import { aclPart, aclRuleState } from "#contract/device/v1/acl.ts";
import { inBuckets, inChunks } from "#contract/device/v1/buckets.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { type PolicySection, policySection } from "#contract/device/v1/policy.ts";
import { isRenderable } from "#contract/device/v1/text.ts";
import { addressings, driftPolicies, nodeKinds } from "#domains/devices/enums.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

/** Text that drivers put into rendered configuration: no quote, control or shell character. */
const plain = z.string().max(64).refine(isRenderable);
const ifname = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,14}$/);
const netns = z
  .string()
  .regex(/^weft-s\d{1,9}$/)
  .nullable();
const port = z.int().min(1).max(65_535);
/** Raw 32 bytes, base64 as `wg` prints it. */
export const tunnelKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

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
   * the space announces, and without one goes nowhere (absent: no).
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

const rate = z.int().min(1).nullable();

/** A mobile account as a peer of the POP. */
export const clientPeerState = z.strictObject({
  /** Of the account. */
  id: z.int().positive(),
  publicKey: tunnelKey,
  /** Its address in the space; nothing else is taken from it. */
  address: ipAddress,
  /** bit/s to it and from it; null: no limit. */
  down: rate,
  up: rate,
  /** Ms since 1970 from which on it is no longer admitted, with or without a controller; null: no end. */
  until: z.int().min(0).nullable(),
});
export type ClientPeerState = z.output<typeof clientPeerState>;

/** People on the road who enter a space at this POP: one interface, a peer an account. */
export const clientSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  /** wm<space>. */
  interfaceName: ifname,
  listenPort: port,
  /** Line that carries it: its packets bear that line's mark. */
  slot: z.int().min(1).max(4),
  mtu: z.int().min(1_000).max(1_450),
  /** The POP's own address in the pool, with the pool's length. */
  address: ipCidr,
  peers: z.array(clientPeerState).max(stateLimits.clientPeers),
});
export type ClientSection = z.output<typeof clientSection>;

/**
 * Section name -> schema. `tunnel.<space>.<bucket>`, `routing.<space>`, `client.<space>` or
 * `client.<space>.<bucket>`, and `space.<space>` occur for each space. `firewall.<number>` holds rules of
 * the ACL, in the order of their numbers.
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
} as const;
export type SectionKind = keyof typeof sectionSchemas;

const sectionName =
  /^(node|underlay|static|firewall|system|policy|tunnel\.\d+\.\d+|client\.\d+\.\d+|(?:routing|client|space|firewall)\.\d+)$/;
/** Names of later versions too: a state with one is refused with a reason (`fromSections`), the message is read. */
const anySectionName = /^[a-z][A-Za-z]{0,31}(\.\d{1,16}){0,2}$/;
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** The driver a section belongs to; null for a name this version does not know. */
export const sectionKind = (name: string): SectionKind | null =>
  sectionName.test(name) ? (name.split(".")[0] as SectionKind) : null;

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
export interface DesiredState {
  readonly node: z.output<typeof nodeSection>;
  readonly underlay: z.output<typeof underlaySection>;
  readonly static: z.output<typeof staticSection>;
  readonly firewall: z.output<typeof firewallSection>;
  readonly tunnels: readonly z.output<typeof tunnelSection>[];
  readonly routings: readonly z.output<typeof routingSection>[];
  /** Absent: nothing of it is set. */
  readonly system?: SystemSection;
  /** Absent: no client enters here. */
  readonly clients?: readonly ClientSection[];
  /** Absent: it is in no space. */
  readonly spaces?: readonly SpaceSection[];
  /** Absent: no policy object acts here. */
  readonly policy?: PolicySection;
}
export type TunnelSection = z.output<typeof tunnelSection>;
export type RoutingSection = z.output<typeof routingSection>;
export type UnderlaySection = z.output<typeof underlaySection>;
export type StaticSection = z.output<typeof staticSection>;
export type FirewallSection = z.output<typeof firewallSection>;
export type NodeSection = z.output<typeof nodeSection>;

/** Links of a space, and accounts that enter it, are spread over this many sections each at most. */
export const linkBuckets = 64;
export const clientBuckets = 64;

/** How a state is divided; its content is the same. */
export interface SectionFormat {
  /** Accounts in buckets (`client.<space>.<bucket>`), for devices that read these. */
  readonly bucketsClients?: boolean;
  /** Rules of the ACL in chunks (`firewall.<number>`), likewise. */
  readonly chunksAcl?: boolean;
}

/** A space without accounts is a section as well: the interface and its port are there. */
const clientParts = (client: ClientSection): [name: string, content: ClientSection][] => {
  const parts = inBuckets(client.peers, clientBuckets);
  const all: [number, ClientPeerState[]][] = parts.length === 0 ? [[0, []]] : parts;
  return all.map(([bucket, peers]) => [`client.${client.spaceId}.${bucket}`, { ...client, peers }]);
};

/** Names and contents of all sections of a state. */
export const toSections = (
  state: DesiredState,
  { bucketsClients = false, chunksAcl = false }: SectionFormat = {},
): Map<string, unknown> => {
  const { acl = [], ...firewall } = state.firewall;
  const sections = new Map<string, unknown>([
    ["node", state.node],
    ["underlay", state.underlay],
    ["static", state.static],
    ["firewall", chunksAcl ? firewall : state.firewall],
  ]);
  if (chunksAcl)
    for (const [at, rules] of inChunks(acl).entries())
      sections.set(`firewall.${at}`, { acl: rules });
  for (const tunnel of state.tunnels) {
    for (const [bucket, links] of inBuckets(tunnel.links, linkBuckets))
      sections.set(`tunnel.${tunnel.spaceId}.${bucket}`, { ...tunnel, links });
  }
  if (state.system) sections.set("system", state.system);
  if (state.policy) sections.set("policy", state.policy);
  for (const routing of state.routings) sections.set(`routing.${routing.spaceId}`, routing);
  for (const client of state.clients ?? []) {
    if (!bucketsClients) sections.set(`client.${client.spaceId}`, client);
    else for (const [name, part] of clientParts(client)) sections.set(name, part);
  }
  for (const space of state.spaces ?? []) sections.set(`space.${space.spaceId}`, space);
  return sections;
};

/** The firewall with the rules of all its chunks; throws when one between two others is missing. */
const firewallFrom = (
  content: unknown,
  sections: ReadonlyMap<string, unknown>,
): FirewallSection => {
  const firewall = firewallSection.parse(content);
  const chunks = [...sections.keys()].filter((name) => name.startsWith("firewall."));
  const rules = chunks.flatMap((_, at) => {
    if (!sections.has(`firewall.${at}`)) throw new Error(`section firewall.${at} is missing`);
    return aclPart.parse(sections.get(`firewall.${at}`)).acl;
  });
  return rules.length === 0 ? firewall : { ...firewall, acl: rules };
};

const inOrder = (client: ClientSection): ClientSection => ({
  ...client,
  peers: client.peers.toSorted((one, other) => one.id - other.id),
});

/**
 * The state that sections make. Throws a zod error when a content breaks its schema, an Error when
 * a section is missing or has an unknown name: nothing of such a document is applied.
 */
export const fromSections = (sections: ReadonlyMap<string, unknown>): DesiredState => {
  const need = (name: "node" | "underlay" | "static" | "firewall") => {
    if (!sections.has(name)) throw new Error(`section ${name} is missing`);
    return sections.get(name);
  };
  const tunnels = new Map<number, TunnelSection>();
  const routings: RoutingSection[] = [];
  const clients = new Map<number, ClientSection>();
  const spaces: SpaceSection[] = [];
  for (const [name, content] of [...sections].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = sectionKind(name);
    if (kind === null) throw new Error(`unknown section ${name}`);
    if (kind === "routing") routings.push(routingSection.parse(content));
    if (kind === "client") {
      const part = clientSection.parse(content);
      const peers = [...(clients.get(part.spaceId)?.peers ?? []), ...part.peers];
      clients.set(part.spaceId, { ...part, peers });
    }
    if (kind === "space") spaces.push(spaceSection.parse(content));
    if (kind !== "tunnel") continue;
    const part = tunnelSection.parse(content);
    const links = [...(tunnels.get(part.spaceId)?.links ?? []), ...part.links];
    tunnels.set(part.spaceId, { ...part, links: links.sort((a, b) => a.id - b.id) });
  }
  return {
    node: nodeSection.parse(need("node")),
    underlay: underlaySection.parse(need("underlay")),
    static: staticSection.parse(need("static")),
    firewall: firewallFrom(need("firewall"), sections),
    tunnels: [...tunnels.values()],
    routings,
    ...(sections.has("system") && { system: systemSection.parse(sections.get("system")) }),
    ...(sections.has("policy") && { policy: policySection.parse(sections.get("policy")) }),
    ...(clients.size > 0 && { clients: [...clients.values()].map(inOrder) }),
    ...(spaces.length > 0 && { spaces }),
  };
};
