/**
 * What a lab consists of, as data: machines, the networks between them, and how a port is plugged.
 *
 *     ISP A  bra 198.51.100.0/24  2001:db8:a::/64     pop .10  cpe1 .11  cpe2 .12  (wan1)
 *     ISP B  brb 203.0.113.0/24   2001:db8:b::/64     the same places             (wan2, DHCP)
 *     ctl    100.64.0.2  2001:db8:c::2                the controller's place
 *     saas   100.64.9.10 2001:db8:d::10               stand-in for a service of the internet
 *     hosta  10.1.1.100  fd00:1:1::100 behind cpe1    hostb 10.1.2.100 fd00:1:2::100 behind cpe2
 *
 * The documentation ranges (RFC 5737, RFC 3849) and the carrier range (RFC 6598) belong to no public host, and
 * `inet` has no default route, so no packet finds a way out of the machine.
 */
import { LabError } from "./lab-error.ts";

/**
 * - `internet`: routes between its networks.
 * - `switch`: bridges only, without an address of its own.
 * - `device`: Debian as installed, where an edge may run.
 * - `host`: a computer on a LAN or a server on the internet.
 */
export type NodeRole = "internet" | "switch" | "device" | "host";

export interface NodeSpec {
  readonly name: string;
  readonly role: NodeRole;
  readonly ports: readonly PortSpec[];
}

export interface PortSpec {
  readonly name: string;
  /** The network that the cable goes to. */
  readonly network: string;
  readonly mac: string;
  /** With prefix length. Without any, the port is left down: it is the edge that configures it. */
  readonly addresses?: readonly string[];
  /** Default routes, one of each family at most. */
  readonly gateways?: readonly string[];
  /** The address that the network's DHCP server keeps for this port. */
  readonly lease?: string;
}

/** One broadcast domain: a bridge called `name` in the machine `at`. */
export interface NetworkSpec {
  readonly name: string;
  readonly at: string;
  /** The bridge's own addresses (gateways of the network), with prefix length. */
  readonly addresses: readonly string[];
  readonly dhcp?: DhcpSpec;
}

export interface DhcpSpec {
  readonly from: string;
  readonly to: string;
  readonly gateway: string;
  readonly dns: string;
  /** Seconds; dnsmasq raises anything below 120. */
  readonly leaseSeconds: number;
  /** After so many seconds a client asks whether its lease still holds; half of `leaseSeconds` by default. */
  readonly renewSeconds?: number;
}

export interface LabSpec {
  readonly nodes: readonly NodeSpec[];
  readonly networks: readonly NetworkSpec[];
}

/** Place of a LAN host. Two enterprises may both say 10.0.0.100/24. */
export interface HostPlace {
  readonly addresses: readonly string[];
  readonly gateways: readonly string[];
}

type HostName = "hosta" | "hostb" | "hostc" | "hostd";
export type HostPlaces = Partial<Record<HostName, HostPlace>>;

const places: Record<HostName, HostPlace> = {
  hosta: {
    addresses: ["10.1.1.100/24", "fd00:1:1::100/64"],
    gateways: ["10.1.1.1", "fd00:1:1::1"],
  },
  hostb: {
    addresses: ["10.1.2.100/24", "fd00:1:2::100/64"],
    gateways: ["10.1.2.1", "fd00:1:2::1"],
  },
  hostc: {
    addresses: ["10.0.0.100/24", "fd00:2:1::100/64"],
    gateways: ["10.0.0.1", "fd00:2:1::1"],
  },
  hostd: {
    addresses: ["10.0.1.100/24", "fd00:2:2::100/64"],
    gateways: ["10.0.1.1", "fd00:2:2::1"],
  },
};

const internet: readonly NetworkSpec[] = [
  { name: "bra", at: "inet", addresses: ["198.51.100.1/24", "2001:db8:a::1/64"] },
  {
    name: "brb",
    at: "inet",
    addresses: ["203.0.113.1/24", "2001:db8:b::1/64"],
    dhcp: {
      from: "203.0.113.100",
      to: "203.0.113.150",
      gateway: "203.0.113.1",
      dns: "100.64.9.10",
      leaseSeconds: 3600,
    },
  },
  { name: "brctl", at: "inet", addresses: ["100.64.0.1/24", "2001:db8:c::1/64"] },
  { name: "brsaas", at: "inet", addresses: ["100.64.9.1/24", "2001:db8:d::1/64"] },
];

/** A locally administered address that says where it is plugged: `kind` of network, place in it. */
const macOf = (kind: number, place: number): string =>
  [2, 0, 0, kind, 0, place].map((byte) => byte.toString(16).padStart(2, "0")).join(":");

/**
 * A device as it leaves the factory: wan1 has its address and a default route, which is enough to
 * enrol. All the rest (wan2, the LAN, a second address) is only a cable until the edge sets it up.
 */
function device(name: string, place: number, lan?: string): NodeSpec {
  const wan1: PortSpec = {
    name: "wan1",
    network: "bra",
    mac: macOf(1, place),
    addresses: [`198.51.100.${place}/24`, `2001:db8:a::${place}/64`],
    gateways: ["198.51.100.1", "2001:db8:a::1"],
  };
  const lease = `203.0.113.${place}`;
  const wan2: PortSpec = { name: "wan2", network: "brb", mac: macOf(2, place), lease };
  const lan1 = lan === undefined ? [] : [{ name: "lan1", network: lan, mac: macOf(3, place) }];
  return { name, role: "device", ports: [wan1, wan2, ...lan1] };
}

function host(name: string, network: string, mac: string, place: HostPlace): NodeSpec {
  return { name, role: "host", ports: [{ name: "eth0", network, mac, ...place }] };
}

const lanHost = (name: HostName, network: string, place: number, given: HostPlaces): NodeSpec =>
  host(name, network, macOf(4, place), given[name] ?? places[name]);

/** One POP, two CPEs with a host each, the controller's place and a service of the internet. */
export function defaultLab(given: HostPlaces = {}): LabSpec {
  return {
    networks: [
      ...internet,
      { name: "lana", at: "sw", addresses: [] },
      { name: "lanb", at: "sw", addresses: [] },
    ],
    nodes: [
      { name: "inet", role: "internet", ports: [] },
      { name: "sw", role: "switch", ports: [] },
      device("pop", 10),
      device("cpe1", 11, "lana"),
      device("cpe2", 12, "lanb"),
      lanHost("hosta", "lana", 1, given),
      lanHost("hostb", "lanb", 2, given),
      host("ctl", "brctl", macOf(5, 2), {
        addresses: ["100.64.0.2/24", "2001:db8:c::2/64"],
        gateways: ["100.64.0.1", "2001:db8:c::1"],
      }),
      host("saas", "brsaas", macOf(5, 10), {
        addresses: ["100.64.9.10/24", "2001:db8:d::10/64"],
        gateways: ["100.64.9.1", "2001:db8:d::1"],
      }),
    ],
  };
}

/** The same with `cpe3` in the LAN of cpe1: two devices of one site, for the host behind both. */
export function pairLab(): LabSpec {
  const { networks, nodes } = defaultLab();
  return { networks, nodes: [...nodes, device("cpe3", 13, "lana")] };
}

/** `defaultLab` with a second POP, `pop2`, beside the first one. */
export function twoPopLab(): LabSpec {
  const { networks, nodes } = defaultLab();
  return { networks, nodes: [...nodes, device("pop2", 20)] };
}

/** `defaultLab` with the devices of a second enterprise: cpe3 and cpe4, hostc and hostd behind them. */
export function twoTenantLab(given: HostPlaces = {}): LabSpec {
  const first = defaultLab(given);
  return {
    networks: [
      ...first.networks,
      { name: "lanc", at: "sw", addresses: [] },
      { name: "land", at: "sw", addresses: [] },
    ],
    nodes: [
      ...first.nodes,
      device("cpe3", 13, "lanc"),
      device("cpe4", 14, "land"),
      lanHost("hostc", "lanc", 3, given),
      lanHost("hostd", "land", 4, given),
    ],
  };
}

/** Name of the host behind the nth site of a `sitesLab`. */
export const siteHost = (site: number): string => `host${site}`;

/**
 * One POP and as many sites as asked for (at most 100), each with a host at 10.1.N.100.
 * Machines are called cpe1, host1 and so on.
 */
export function sitesLab(count: number): LabSpec {
  const { networks, nodes } = defaultLab();
  const isShared = ({ name }: { readonly name: string }) =>
    !/^(cpe\d|host[ab]|lan[ab])$/.test(name);
  const sites = Array.from({ length: count }, (_, index) => index + 1);
  return {
    networks: [
      ...networks.filter(isShared),
      ...sites.map((site) => ({ name: `lan${site}`, at: "sw", addresses: [] })),
    ],
    nodes: [
      ...nodes.filter(isShared),
      ...sites.map((site) => device(`cpe${site}`, 10 + site, `lan${site}`)),
      ...sites.map((site) =>
        host(siteHost(site), `lan${site}`, macOf(4, site), {
          addresses: [`10.1.${site}.100/24`, `fd00:1:${site}::100/64`],
          gateways: [`10.1.${site}.1`, `fd00:1:${site}::1`],
        }),
      ),
    ],
  };
}

/** The name of a cable's other end, a port of the network's bridge: `cpe1-wan1`. */
export const farPort = (node: string, port: string): string => `${node}-${port}`;

/**
 * @throws LabError that names what is wrong: a name that is taken, a network without a machine,
 *   a cable to nowhere, or a name that Linux would refuse (interfaces have 15 characters at most).
 */
export function checkSpec(spec: LabSpec): void {
  const nodes = new Set<string>();
  const networks = new Set<string>();
  const macs = new Set<string>();
  const take = (taken: Set<string>, name: string, what: string) => {
    if (taken.has(name)) throw new LabError(`${what} ${name} exists twice`);
    taken.add(name);
  };
  for (const { name } of spec.nodes) {
    // It names a folder of the lab as well; `outside` is the one that is taken.
    if (!/^(?!outside$)[a-z][a-z0-9]*$/.test(name)) {
      throw new LabError(`${name} is no name for a node`);
    }
    take(nodes, name, "node");
  }
  for (const { name, at } of spec.networks) {
    take(networks, name, "network");
    if (!nodes.has(at)) throw new LabError(`network ${name} is at ${at}, which is no node`);
  }
  for (const node of spec.nodes) {
    for (const { name, network, mac } of node.ports) {
      const far = farPort(node.name, name);
      if (!/^[a-z0-9-]{1,15}$/.test(far)) throw new LabError(`${far} is no name for an interface`);
      if (!networks.has(network)) throw new LabError(`${far} goes to ${network}, no network`);
      take(macs, mac, "hardware address");
    }
  }
}

/** @throws LabError when the lab has no such node, with the names that it has. */
export function nodeOf(spec: LabSpec, name: string): NodeSpec {
  const node = spec.nodes.find((nodeSpec) => nodeSpec.name === name);
  if (node) return node;
  throw new LabError(
    `no node ${name}; there are ${spec.nodes.map((nodeSpec) => nodeSpec.name).join(", ")}`,
  );
}

/** Where a node's cable ends: the machine `at` with the bridge, and the name of the port there. */
export function cableOf(spec: LabSpec, node: string, port: string): { at: string; far: string } {
  const { ports } = nodeOf(spec, node);
  const portSpec = ports.find((portSpec) => portSpec.name === port);
  if (!portSpec) {
    const names = ports.map((portSpec) => portSpec.name).join(", ");
    throw new LabError(`${node} has no port ${port}; it has ${names}`);
  }
  const network = spec.networks.find((networkSpec) => networkSpec.name === portSpec.network);
  if (!network) throw new LabError(`${node} ${port} goes to ${portSpec.network}, no network`);
  return { at: network.at, far: farPort(node, port) };
}
