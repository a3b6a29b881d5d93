/**
 * Two sites and three POPs of one space, each linked with each other, joined by a router that can drop what two of
 * them send each other. Ordinary routing takes the first POP; a segment route takes all three.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { waitUntil } from "#drivers/daemon.ts";
import { publicKeyOf } from "#drivers/tunnel/observe.ts";
import { lanSection } from "../states.ts";
import { cable, configureHost, type NetnsEdge, NetnsMachine } from "./host.ts";
import { newKey } from "./world.ts";

const spaceId = 1;
export const space = `weft-s${spaceId}`;

const members = ["cpe1", "cpe2", "pop1", "pop2", "pop3"] as const;
export type Member = (typeof members)[number];
const isSite = (name: Member): boolean => name.startsWith("cpe");

const lans = {
  cpe1: { lan: "10.1.1.1/24", lan6: "fd57:1:1::1/64" },
  cpe2: { lan: "10.1.2.1/24", lan6: "fd57:1:2::1/64" },
} as const;

const numberOf = (name: Member): number => members.indexOf(name) + 1;
const addressOf = (name: Member): string => `192.0.2.${4 * numberOf(name) + 2}`;
const gatewayOf = (name: Member): string => `192.0.2.${4 * numberOf(name) + 1}`;

/** Ids of links are the numbers of their ends, the caller's first. */
const linkBetween = (one: Member, other: Member): number => {
  const [low, high] = [numberOf(one), numberOf(other)].sort();
  return Number(`${low}${high}`);
};
const peersOf = (name: Member): Member[] =>
  members.filter((other) => other !== name && !(isSite(name) && isSite(other)));

const linkOf = (name: Member, peer: Member, keys: Keys): LinkState => {
  const id = linkBetween(name, peer);
  const isCaller = numberOf(name) < numberOf(peer);
  const at = (end: boolean): number => (end ? 1 : 0);
  return {
    id,
    interfaceName: `wl${id}`,
    listenPort: 51_000 + id,
    slot: 1,
    mtu: 1_380,
    address4: `10.255.${id}.${at(isCaller)}/31`,
    address6: `fd57:ff:${id}::${at(isCaller)}/127`,
    peerAddress4: `10.255.${id}.${at(!isCaller)}`,
    peerAddress6: `fd57:ff:${id}::${isCaller ? "" : "1"}`,
    peerKey: publicKeyOf(keys[peer]),
    endpoint: isCaller ? `${addressOf(peer)}:${51_000 + id}` : null,
    probe: isCaller,
  };
};

type Keys = Readonly<Record<Member, string>>;
const networks = Object.values(lans).flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf));

/** The state of a member without segment routes. */
const plainOf = (name: Member, keys: Keys): DesiredState => {
  const links = peersOf(name).map((peer) => linkOf(name, peer, keys));
  const site = isSite(name) ? lans[name as keyof typeof lans] : null;
  const netns = site ? null : space;
  const own = site ? [site.lan, site.lan6] : [];
  return {
    node: {
      nodeId: numberOf(name),
      kind: site ? "cpe" : "pop",
      hostname: name,
      routerId: `10.254.0.${numberOf(name)}`,
    },
    underlay: {
      lines: [
        {
          slot: 1,
          interfaceName: "wan1",
          addressing: "static",
          ip: `${addressOf(name)}/30`,
          gateway: gatewayOf(name),
        },
      ],
      lans: site
        ? [lanSection("lan0", [own[0] ?? "", ...own.slice(1)], { networks: own.map(networkOf) })]
        : [],
    },
    static: { routes: [] },
    firewall: {
      wan: ["wan1"],
      tunnelPorts: links.map(({ listenPort }) => listenPort),
    },
    tunnels: [{ spaceId, netns, links }],
    routings: [
      {
        spaceId,
        netns,
        asn: 65_010,
        reflector: !site,
        announce: own,
        bfd: { intervalMs: 100, multiplier: 4 },
        neighbors: peersOf(name).map((peer, at) => ({
          linkId: links[at]?.id ?? 0,
          interfaceName: links[at]?.interfaceName ?? "",
          address4: links[at]?.peerAddress4 ?? "",
          address6: links[at]?.peerAddress6 ?? "",
          // Sites prefer the first POP; among POPs only what no site of their own has.
          preference:
            !isSite(name) && !isSite(peer) ? 150 : [name, peer].includes("pop1") ? 300 : 200,
          client: !site && isSite(peer),
          accept: isSite(peer)
            ? Object.values(lans[peer as keyof typeof lans]).map(networkOf)
            : null,
        })),
      },
    ],
    spaces: [{ spaceId, netns, networks }],
  };
};

export type Segment = NonNullable<DesiredState["segments"]>[number]["routes"][number];

export interface Route {
  readonly id: number;
  readonly destination: string;
  /** Addresses of its marks, by the number of the POP. */
  readonly mark: (hop: number) => string;
  readonly reach: string;
  readonly pops: readonly Member[];
  /** Null: from everywhere. */
  readonly from: "cpe1" | null;
}

/** What a member has of a segment route; null: nothing. */
const segmentOf = (name: Member, route: Route): Segment | null => {
  const { id, destination, mark, reach, pops, from } = route;
  const family = destination.includes(":") ? "lan6" : "lan";
  const base = {
    id,
    destination,
    kept: [],
    sources: from ? [networkOf(lans[from][family])] : [],
  };
  if (isSite(name)) {
    const isOwn = networkOf(lans[name as keyof typeof lans][family]) === destination;
    return isOwn || (from !== null && from !== name)
      ? null
      : { ...base, next: { mark: mark(1) }, own: null };
  }
  const at = pops.indexOf(name);
  if (at === -1) return null;
  const before = at === 0 ? from : pops[at - 1];
  return {
    ...base,
    next: at === pops.length - 1 ? null : { mark: mark(at + 2) },
    own: {
      mark: mark(at + 1),
      links: before ? [linkBetween(before, name)] : null,
      reach: at === pops.length - 1 ? [reach] : [],
    },
  };
};

const withRoutes = (name: Member, state: DesiredState, routes: readonly Route[]): DesiredState => {
  const own = routes.flatMap((route) => segmentOf(name, route) ?? []);
  const netns = isSite(name) ? null : space;
  return own.length === 0 ? state : { ...state, segments: [{ spaceId, netns, routes: own }] };
};

export interface SegmentWorld {
  readonly inet: NetnsMachine;
  readonly machines: Readonly<Record<Member, NetnsMachine>>;
  readonly hosts: readonly [NetnsMachine, NetnsMachine];
  readonly edges: Record<Member, NetnsEdge>;
  state(name: Member, routes?: readonly Route[]): DesiredState;
  apply(routes: readonly Route[]): Promise<void>;
  start(name: Member): Promise<NetnsEdge>;
  /** Waits until each link is watched by both of its ends. */
  watched(): Promise<void>;
  /** Drops all that these send each other, and nothing else any more. */
  cut(...pairs: readonly (readonly [Member, Member])[]): Promise<void>;
  /**
   * Which POPs a packet crosses from the host of one site to that of the other, by the errors of those where its time
   * to live ends; "host" at its end.
   */
  way(from: 0 | 1, target: string): Promise<string>;
  /** All that segment routes leave on a machine. */
  traces(name: Member): Promise<string>;
  /** What a power cut takes from a machine: everything but its disk. */
  cutPower(name: Member): Promise<void>;
  remove(): Promise<void>;
}

const wire = async (inet: NetnsMachine, name: Member, machine: NetnsMachine): Promise<void> => {
  await cable([inet, name], [machine, "wan1"]);
  await inet.run(["ip", "addr", "add", `${gatewayOf(name)}/30`, "dev", name]);
};

/** Of a packet to a site the second hop is a POP, and the last one the site's device. */
const wayOf = async (host: NetnsMachine, target: string): Promise<string> => {
  const seen: string[] = [];
  for (let ttl = 2; ttl <= 8 && seen.at(-1) !== "host"; ttl += 1) {
    const text = await host.run(["sh", "-c", `ping -n -c 1 -W 2 -t ${ttl} ${target}; true`]);
    const from = /From (\S+):? icmp_seq=\d+ Time /.exec(text)?.[1] ?? "";
    // A POP answers by the link to the sender: the number of its other end is its own.
    const [, low = "", high = ""] = /^(?:10\.255\.|fd57:ff:)(\d)(\d)[.:]/.exec(from) ?? [];
    const end = Number(from.endsWith("1") ? low : high);
    if (text.includes(" bytes from")) seen.push("host");
    else seen.push(members[end - 1] ?? "silence");
  }
  // What the far site's device answers may come by a link that its address is not of, and is then dropped.
  return seen
    .filter((one, at) => !one.startsWith("cpe") && !(one === "silence" && seen[at + 1] === "host"))
    .join(" ");
};

/** A link that falls before both ends have watched it is noticed by the hold time of BGP alone: three minutes. */
const areWatched = async (machines: SegmentWorld["machines"]): Promise<boolean> => {
  const texts = await Promise.all(
    members.map((name) => {
      const place = isSite(name) ? "" : `vrf ${space} `;
      const show = ["-c", `show bfd ${place}peers brief`] as const;
      return machines[name]
        .run(["vtysh", "--vty_socket", "/run/weft-frr", ...show])
        .catch(() => "");
    }),
  );
  return texts.every(
    (text, at) =>
      [...text.matchAll(/^\d.* up\s*$/gm)].length === peersOf(members[at] ?? "cpe1").length,
  );
};

const tracesOf = async ({ run }: NetnsMachine, netns: string | null): Promise<string> => {
  const shown = await run(["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show running-config"]);
  const ofKernel = await Promise.all(
    (["-4", "-6"] as const).flatMap((family) => [
      run(["ip", family, "rule"], { netns }),
      run(["ip", family, "route", "show", "table", "all", "proto", "static"], { netns }),
      run(["ip", family, "route", "show", "table", "all", "proto", "99"], { netns }),
    ]),
  );
  return [shown, ...ofKernel, await run(["ls", "/run/weft"])].join("\n");
};

const cutPower = async ({ run }: NetnsMachine, netns: string | null): Promise<void> => {
  // The machine has processes of its own only, and its first one is not among those that end.
  await run(["sh", "-c", "kill -9 -1; true"]).catch(() => "");
  const script = `
    ${netns === null ? "" : `ip netns del ${netns}`}
    nft flush ruleset
    for family in -4 -6; do
      for proto in 99 bgp static; do ip $family route flush table all proto $proto; done
      ip $family rule flush protocol 99
    done
    for one in $(ls /sys/class/net | grep '^wl'); do ip link del $one; done
    for one in wan1 lan0; do ip addr flush dev $one; ip link set $one down; done
    conntrack -F
    rm -rf /run/weft*`;
  await run(["sh", "-c", `{ ${script}\n } >/dev/null 2>&1; true`]);
};

/** Makes all machines and cables, and starts their programs; no state is applied yet. */
export const createSegmentWorld = async (): Promise<SegmentWorld> => {
  const make = () => NetnsMachine.create();
  const inet = await make();
  const keys = Object.fromEntries(members.map((name) => [name, newKey()])) as Keys;
  const machines = Object.fromEntries(
    await Promise.all(members.map(async (name) => [name, await make()])),
  ) as Record<Member, NetnsMachine>;
  const hosts = [await make(), await make()] as const;
  await inet.run(["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
  await inet.run([
    "nft",
    "table ip cut {\nchain forward {\ntype filter hook forward priority 0;\n}\n}",
  ]);
  for (const name of members) await wire(inet, name, machines[name]);
  for (const [at, name] of (["cpe1", "cpe2"] as const).entries()) {
    const host = hosts[at];
    if (!host) continue;
    const { lan, lan6 } = lans[name];
    await cable([machines[name], "lan0"], [host, "eth0"]);
    await configureHost(host, "eth0", [
      { address: lan.replace("1/24", "100/24"), gateway: lan.replace("/24", "") },
      { address: lan6.replace("1/64", "100/64"), gateway: lan6.replace("/64", "") },
    ]);
  }
  const edges = {} as Record<Member, NetnsEdge>;
  const start = async (name: Member): Promise<NetnsEdge> => {
    edges[name] = await machines[name].edge(keys[name]);
    return edges[name];
  };
  await Promise.all(members.map(start));
  const state = (name: Member, routes: readonly Route[] = []) =>
    withRoutes(name, plainOf(name, keys), routes);
  return {
    inet,
    machines,
    hosts,
    edges,
    state,
    start,
    apply: async (routes) => {
      await Promise.all(members.map((name) => edges[name].apply(state(name, routes))));
    },
    watched: () => waitUntil("all links are watched", () => areWatched(machines), 60_000, 200),
    cut: async (...pairs) => {
      const drops = pairs
        .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
        .map(([from, to]) => `ip saddr ${addressOf(from)} ip daddr ${addressOf(to)} drop`);
      const input = `flush chain ip cut forward
${drops.map((drop) => `add rule ip cut forward ${drop}\n`).join("")}`;
      await inet.run(["nft", "-f", "-"], { input });
    },
    way: (from, target) => wayOf(hosts[from], target),
    traces: (name) => tracesOf(machines[name], isSite(name) ? null : space),
    cutPower: (name) => cutPower(machines[name], isSite(name) ? null : space),
    remove: async () => {
      await Promise.all([inet, ...hosts, ...Object.values(machines)].map((one) => one.remove()));
    },
  };
};
