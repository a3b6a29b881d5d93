/** How a desired state is divided into sections, and made of them again (design section 3.3). */
import type { z } from "zod";
import { aclPart } from "#contract/device/v1/acl.ts";
import { inBuckets, inChunks } from "#contract/device/v1/buckets.ts";
import {
  type ClientPeerState,
  type ClientSection,
  clientSection,
} from "#contract/device/v1/client.ts";
import { type SegmentSection, segmentSection } from "#contract/device/v1/segments.ts";
import {
  type DesiredState,
  type FirewallSection,
  firewallSection,
  nodeSection,
  type OptionalSection,
  optionalSections,
  type RoutingSection,
  routingPart,
  routingSection,
  type SectionKind,
  type SpaceSection,
  sectionSchemas,
  spaceSection,
  staticSection,
  type TunnelSection,
  tunnelSection,
  underlaySection,
} from "#contract/device/v1/state.ts";

/** What follows the kind in the name of a section: nothing, the space, or the space and the bucket. */
const once = /^$/;
const ofSpace = /^\.\d+$/;
const suffixes: Record<Exclude<SectionKind, OptionalSection>, RegExp> = {
  node: once,
  underlay: once,
  static: once,
  firewall: /^(\.\d+)?$/,
  tunnel: /^\.\d+\.\d+$/,
  routing: /^\.\d+(\.\d+)?$/,
  client: /^\.\d+(\.\d+)?$/,
  space: ofSpace,
  segment: ofSpace,
};

const isKind = (name: string): name is SectionKind => Object.hasOwn(sectionSchemas, name);

const isOptional = (kind: SectionKind): kind is OptionalSection =>
  optionalSections.some((one) => one === kind);

/** The driver a section belongs to; null for a name this version does not know. */
export const sectionKind = (name: string): SectionKind | null => {
  const [kind = ""] = name.split(".", 1);
  if (!isKind(kind)) return null;
  const suffix = isOptional(kind) ? once : suffixes[kind];
  return suffix.test(name.slice(kind.length)) ? kind : null;
};

const optionalFrom = (sections: ReadonlyMap<string, unknown>) =>
  Object.fromEntries(
    optionalSections
      .filter((name) => sections.has(name))
      .map((name) => [name, sectionSchemas[name].parse(sections.get(name))]),
  ) as Pick<DesiredState, OptionalSection>;

/** Links of a space, and accounts that enter it, are spread over this many sections each at most. */
export const linkBuckets = 64;
export const clientBuckets = 64;
export const neighborBuckets = 64;

/** How a state is divided; its content is the same. */
export interface SectionFormat {
  /** Accounts in buckets (`client.<space>.<bucket>`), for devices that read these. */
  readonly bucketsClients?: boolean;
  /** Rules of the ACL in chunks (`firewall.<number>`), likewise. */
  readonly chunksAcl?: boolean;
  /** Neighbours of a POP in buckets (`routing.<space>.<bucket>`), likewise. */
  readonly bucketsNeighbors?: boolean;
  /** Networks of a space in parts that its section names (`space-parts.ts`), likewise; sections here have them whole. */
  readonly dividesNetworks?: boolean;
}

/** A space without accounts is a section as well: the interface and its port are there. */
const clientParts = (client: ClientSection): [name: string, content: ClientSection][] => {
  const parts = inBuckets(client.peers, clientBuckets);
  const all: [number, ClientPeerState[]][] = parts.length === 0 ? [[0, []]] : parts;
  return all.map(([bucket, peers]) => [`client.${client.spaceId}.${bucket}`, { ...client, peers }]);
};

/** A POP has a neighbour for each link, each with what its site announces; a site has a few. */
const routingParts = (
  routing: RoutingSection,
  isDivided: boolean,
): [name: string, content: unknown][] => {
  const name = `routing.${routing.spaceId}`;
  if (!isDivided || !routing.reflector) return [[name, routing]];
  const items = routing.neighbors.map((neighbor) => ({ id: neighbor.linkId, neighbor }));
  return [
    [name, { ...routing, neighbors: [] }],
    ...inBuckets(items, neighborBuckets).map(([bucket, some]): [string, unknown] => [
      `${name}.${bucket}`,
      { neighbors: some.map(({ neighbor }) => neighbor) },
    ]),
  ];
};

/** Names and contents of all sections of a state. */
export const toSections = (
  state: DesiredState,
  { bucketsClients = false, chunksAcl = false, bucketsNeighbors = false }: SectionFormat = {},
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
  for (const name of optionalSections) if (state[name]) sections.set(name, state[name]);
  for (const routing of state.routings)
    for (const [name, part] of routingParts(routing, bucketsNeighbors)) sections.set(name, part);
  for (const client of state.clients ?? []) {
    if (!bucketsClients) sections.set(`client.${client.spaceId}`, client);
    else for (const [name, part] of clientParts(client)) sections.set(name, part);
  }
  for (const space of state.spaces ?? []) sections.set(`space.${space.spaceId}`, space);
  for (const one of state.segments ?? []) sections.set(`segment.${one.spaceId}`, one);
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

/** The routing of a space with the neighbours of all its buckets. */
const routingFrom = (
  content: unknown,
  buckets: readonly z.output<typeof routingPart>[],
): RoutingSection => {
  const routing = routingSection.parse(content);
  if (buckets.length === 0) return routing;
  const neighbors = [...routing.neighbors, ...buckets.flatMap((bucket) => bucket.neighbors)];
  return { ...routing, neighbors: neighbors.sort((a, b) => a.linkId - b.linkId) };
};

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
  const routings = new Map<string, unknown>();
  const neighbors = new Map<string, z.output<typeof routingPart>[]>();
  const clients = new Map<number, ClientSection>();
  const spaces: SpaceSection[] = [];
  const segments: SegmentSection[] = [];
  for (const [name, content] of [...sections].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = sectionKind(name);
    if (kind === null) throw new Error(`unknown section ${name}`);
    if (kind === "routing") {
      const [, space = "", bucket] = name.split(".");
      if (bucket === undefined) routings.set(space, content);
      else neighbors.set(space, [...(neighbors.get(space) ?? []), routingPart.parse(content)]);
    }
    if (kind === "client") {
      const part = clientSection.parse(content);
      const peers = [...(clients.get(part.spaceId)?.peers ?? []), ...part.peers];
      clients.set(part.spaceId, { ...part, peers });
    }
    if (kind === "space") spaces.push(spaceSection.parse(content));
    if (kind === "segment") segments.push(segmentSection.parse(content));
    if (kind !== "tunnel") continue;
    const part = tunnelSection.parse(content);
    const links = [...(tunnels.get(part.spaceId)?.links ?? []), ...part.links];
    tunnels.set(part.spaceId, { ...part, links: links.sort((a, b) => a.id - b.id) });
  }
  for (const space of neighbors.keys())
    if (!routings.has(space)) throw new Error(`section routing.${space} is missing`);
  return {
    node: nodeSection.parse(need("node")),
    underlay: underlaySection.parse(need("underlay")),
    static: staticSection.parse(need("static")),
    firewall: firewallFrom(need("firewall"), sections),
    tunnels: [...tunnels.values()],
    routings: [...routings].map(([space, content]) =>
      routingFrom(content, neighbors.get(space) ?? []),
    ),
    ...optionalFrom(sections),
    ...(clients.size > 0 && { clients: [...clients.values()].map(inOrder) }),
    ...(spaces.length > 0 && { spaces }),
    ...(segments.length > 0 && { segments }),
  };
};
