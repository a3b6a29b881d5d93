/**
 * The trace of a packet says what the kernel does with it: random rules, LAN sections and mappings, and packets
 * of both families from the LAN, the internet and the space, each looked for wherever it may arrive.
 */

import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import type { PolicyRoute, PortMapping } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { TracedPacket } from "@weft/contract/device/v1/trace/packet.ts";
import { tracePacket } from "@weft/contract/device/v1/trace/trace.ts";
import type { LanSection } from "@weft/contract/device/v1/underlay.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const plain = cpeState(one, popKey, [1]);
const line = "198.51.100.10";
const internet = "192.0.2.1";
const far = { v4: "10.0.0.100", v6: "fd57:1:2::100" };
/** Hosts of either LAN section, and one that is of none. */
const hosts = { first: "10.1.1.100", second: "10.1.1.200", foreign: "10.77.0.5" };
const host6 = "fd57:1:1::100";
/** Of the space, and no site brings it. */
const lost = "10.50.0.1";
/** Source ports from here on identify packets. */
const firstPort = 30_000;

/** Mulberry32: the same numbers in every run. */
function chanceOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    isTrue: (of = 0.5): boolean => next() < of,
    pick: <One>(from: readonly One[]): One => from[Math.floor(next() * from.length)] as One,
  };
}
type Chance = ReturnType<typeof chanceOf>;

const ports = ["80", "443", "8443", "50-500"];
const ends = [null, hosts.first, "10.1.1.0/24", far.v4, "10.0.0.0/8", internet, "fd57:1:2::/64"];
const cidr = (end: string | null): string | null =>
  end === null || end.includes("/") ? end : `${end}/32`;

const ruleOf = ({ pick, isTrue }: Chance, id: number, mac: string): AclRuleState => {
  const protocol = pick(["any", "tcp", "udp", "udp"] as const);
  const isPorted = protocol !== "any" && isTrue();
  const [source, target] = isTrue(0.15) ? [null, null] : [cidr(pick(ends)), cidr(pick(ends))];
  const isMixed =
    source !== null && target !== null && source.includes(":") !== target.includes(":");
  return {
    action: pick(["accept", "drop"] as const),
    protocol,
    source,
    target: isMixed ? null : target,
    sourcePort: null,
    mac: isTrue(0.1) ? mac : null,
    targetPort: isPorted ? pick(ports) : null,
    object: { family: "xaclrules", id },
  };
};

const mapOf = ({ pick, isTrue }: Chance, id: number): PortMapping => ({
  id,
  protocol: pick(["tcp", "udp", "both"] as const),
  outside: pick(["80", "8443", "400-450"]),
  host: pick([hosts.first, hosts.second]),
  inside: pick(["80", "443"]),
  slot: isTrue() ? 1 : null,
});

const groups = [
  { id: 5, members: ["10.1.1.0/24"] },
  { id: 6, members: [`${hosts.first}-${hosts.first}`, "fd57:1:1::/64"] },
  { id: 7, members: ["10.0.0.0/16", "fd57:1:2::/64"] },
  { id: 8, members: [internet, "10.1.1.0/24"] },
];
const apps = [
  {
    id: 2,
    services: [
      { protocol: "udp" as const, port: "80", sourcePort: null, target: null },
      { protocol: "any" as const, port: null, sourcePort: null, target: `${line}/32` },
    ],
  },
];

/** Half of them deny. */
const routeOf = ({ pick, isTrue }: Chance, id: number): PolicyRoute => ({
  id,
  sources: pick([null, 5, 6]),
  targets: pick([null, 7, 8]),
  time: null,
  nat: true,
  ...(isTrue(0.3) && { app: 2 }),
  ...pick([{ slots: [1] }, { slots: [], deny: true as const, nat: false }]),
});

function stateOf(chance: Chance, mac: string): DesiredState {
  const { isTrue } = chance;
  const [lan] = plain.underlay.lans;
  const section = (networks: string[]): LanSection[] => {
    const forward = isTrue(0.7);
    const central = forward && isTrue(0.2);
    const direct = !central && isTrue(0.7);
    return lan ? [{ ...lan, networks, direct, forward, ...(central && { central }) }] : [];
  };
  const members = ["10.1.1.0/24", "fd57:1:1::/64", "10.0.0.0/24", "fd57:1:2::/64", "10.50.0.0/24"];
  const shared = chance.pick([["10.0.0.0/24"], ["fd57:1:2::/64"], ["10.0.0.0/16"], []]);
  return {
    ...plain,
    ...(isTrue(0.4) && {
      groups: { rate: null, groups: [{ id: 3, rate: 100_000_000, networks: shared }] },
    }),
    spaces: [{ spaceId: 1, netns: null, networks: members }],
    underlay: {
      ...plain.underlay,
      lans: [...section(["10.1.1.0/25", "fd57:1:1::/64"]), ...section(["10.1.1.128/25"])],
    },
    firewall: {
      ...plain.firewall,
      acl: Array.from({ length: 6 }, (_, at) => ruleOf(chance, at + 1, mac)),
    },
    policy: {
      sets: groups,
      applications: apps,
      limits: [{ id: 9, set: 5, connections: 10_000, perSecond: null }],
      portMaps: [mapOf(chance, 1), mapOf(chance, 2)],
      routes: chance.isTrue(0.7) ? [routeOf(chance, 1), routeOf(chance, 2)] : [],
    },
  };
}

/** Prefixes of all lengths around an address, so that they are in each other. */
const around = ({ pick }: Chance, address: string): string =>
  address.includes(":")
    ? `${address}/${pick([128, 126, 120, 64, 48, 0])}`
    : `${address}/${pick([32, 31, 30, 28, 25, 24, 16, 8, 0])}`;

/** Hundreds of rules, of which most are found by an address: denied addresses first, then rules in which each names a target. */
function manyRules(chance: Chance, mac: string): AclRuleState[] {
  const { pick, isTrue } = chance;
  const near4 = [hosts.first, hosts.second, hosts.foreign, far.v4, internet, lost];
  const near = (): string => (isTrue(0.2) ? pick([host6, far.v6]) : pick(near4));
  const beside = (): string => networkOf(`172.16.${pick(octets)}.${pick(octets)}/32`);
  const rule = (id: number): AclRuleState => ({ ...ruleOf(chance, id, mac), source: null });
  const denied = Array.from({ length: 40 }, (_, at): AclRuleState => {
    // Few of the hosts, so that something is left for the rules behind.
    const network = at % 20 === 0 ? `${near()}` : beside();
    const target = network.includes("/") ? network : cidr6(network);
    const end = isTrue() ? { source: target, target: null } : { source: null, target };
    const plain = { action: "drop", protocol: "any", mac: null, targetPort: null } as const;
    return { ...rule(100 + at), ...plain, ...end };
  });
  const found = Array.from({ length: 200 }, (_, at): AclRuleState => {
    const target = isTrue(0.3) ? networkOf(around(chance, near())) : beside();
    // Wide ones deny all packets of a test at once.
    const isWide = /\/(0|8|16|48)$/.test(target);
    const ported = isWide ? ({ protocol: "udp", targetPort: "50-90" } as const) : {};
    return { ...rule(200 + at), target, ...ported };
  });
  const behind = Array.from({ length: 30 }, (_, at) => ruleOf(chance, 500 + at, mac));
  return [...denied, ...found, ...behind];
}
const octets = Array.from({ length: 40 }, (_, at) => at);
const cidr6 = (address: string): string => `${address}/${address.includes(":") ? 128 : 32}`;

/** With names that hosts of a group, or all of them, are denied. */
const withNames = (state: DesiredState, { pick }: Chance): DesiredState => ({
  ...state,
  dns: { answers: [], servers: [], denied: [], ranges: [] },
  policy: {
    ...(state.policy ?? { sets: [], limits: [] }),
    nameRules: [21, 22].map((id) => ({
      id,
      names: [`games${id}.example`],
      sources: pick([null, 5, 6]),
      time: null,
      denies: id === 22 || pick([true, false]),
    })),
  },
});

const servicePorts = [80, 443, 179, 8_443, 420, 51_011];
/** Of DNS, of DNS over TLS, and of a resolver of the device that denies names. */
const namePorts = [53, 53, 853, 5_301];

const packetOf = (
  { pick }: Chance,
  at: number,
  mac: string,
  targetPorts: readonly number[] = servicePorts,
): TracedPacket => {
  const [from, source, destination] = pick([
    ...[hosts.first, hosts.second, hosts.foreign].flatMap((host) =>
      [far.v4, internet, line, "10.1.1.1", lost].map((to) => ["lan", host, to] as const),
    ),
    ...([["lan", host6, far.v6]] as const),
    ...[line, hosts.first, hosts.second].map((to) => ["line", "198.51.100.1", to] as const),
    ...[hosts.first, hosts.second, "10.1.1.1"].map((to) => ["space", far.v4, to] as const),
    ...([["space", far.v6, host6]] as const),
  ]);
  return {
    from,
    source,
    destination,
    protocol: pick(["tcp", "udp", "udp"] as const),
    interfaceName: from === "lan" ? "lan0" : from === "line" ? "wan1" : null,
    sourcePort: firstPort + at,
    targetPort: pick(targetPorts),
    mac: from === "lan" ? mac : null,
  };
};

/** Sends each once; TCP tries to connect. It ends half a second after the last one is sent. */
const sender = (packets: readonly TracedPacket[]): string => `
  const net = require("net"), dgram = require("dgram");
  const packets = ${JSON.stringify(packets)};
  let left = packets.length;
  const sent = () => { left -= 1; if (left === 0) setTimeout(() => process.exit(0), 500); };
  for (const p of packets) {
    const ends = { host: p.destination, port: p.targetPort, localAddress: p.source, localPort: p.sourcePort };
    if (p.protocol === "tcp") { net.connect(ends).on("error", () => {}); sent(); }
    else {
      const s = dgram.createSocket("udp" + (p.source.includes(":") ? 6 : 4)).on("error", sent);
      s.bind(p.sourcePort, p.source, () => s.send("x", p.targetPort, p.destination, sent));
    }
  }`;

const seen = (hook: string) => `table inet seen {
    set got { type inet_service; flags dynamic; size 65535; }
    chain c { type filter hook ${hook};
      meta l4proto { tcp, udp } th sport >= ${firstPort} add @got { th sport }
    }
  }
`;
const gotAt = async (at: NetnsMachine): Promise<ReadonlySet<number>> => {
  const text = await at.run(["nft", "-j", "list", "set", "inet", "seen", "got"]);
  const { nftables } = JSON.parse(text) as { nftables: { set?: { elem?: number[] } }[] };
  return new Set(nftables.flatMap(({ set }) => set?.elem ?? []));
};

const pings = async (host: NetnsMachine, flag: string, to: string): Promise<boolean> =>
  (await host.run(["ping", flag, "-c1", "-W1", to]).catch(() => "")).includes("1 received");

let world: World;
let edge: NetnsEdge;
let mac: string;
/** Where packets may arrive, as a trace names it. */
let places: Readonly<Record<string, NetnsMachine>>;

beforeAll(async () => {
  world = await createWorld(sites);
  const [cpe, second] = world.cpes;
  const [host, beyond] = world.hosts;
  const both = [one, two].map((site) => ({ site, slots: [1] }));
  await (await world.pop.edge(popKey)).apply(popState(both, popKey));
  await (await second.edge(two.key)).apply(cpeState(two, popKey, [1]));
  edge = await cpe.edge(one.key);
  await edge.apply(plain);
  for (const address of [hosts.second, hosts.foreign])
    await host.run(["ip", "addr", "add", `${address}/24`, "dev", "eth0"]);
  await world.inet.run(["ip", "route", "add", "10.1.1.0/24", "via", line]);
  const text = await host.run(["ip", "-j", "link", "show", "eth0"]);
  mac = (JSON.parse(text) as [{ address: string }])[0].address;
  places = { lan: host, space: beyond, line: world.inet, device: cpe };
  for (const [name, at] of Object.entries(places)) {
    const hook = name === "device" ? "input priority 300" : "prerouting priority -400";
    await at.run(["nft", "-f", "-"], { input: seen(hook) });
  }
  for (const [flag, address] of [
    ["-4", far.v4],
    ["-6", far.v6],
  ] as const)
    await waitUntil(`a way to ${address}`, () => pings(host, flag, address), 30_000, 200);
}, 120_000);
afterAll(async () => {
  await world?.remove();
}, 30_000);

/** Where a trace says that a packet arrives; null: nowhere. */
function placeOf(state: DesiredState, packet: TracedPacket): string | null {
  const { outcome, steps } = tracePacket(state, packet);
  // The site of the network is down, which the state does not know: it goes nowhere, and never by a line.
  if (outcome === "dropped" || packet.destination === lost) return null;
  const way = steps.find(({ stage }) => stage === "route")?.reason;
  return (
    { toDevice: "device", toLan: "lan", toSpace: "space", byLine: "line" }[String(way)] ?? null
  );
}

async function send(packets: readonly TracedPacket[]): Promise<void> {
  const from = { lan: world.hosts[0], line: world.inet, space: world.hosts[1] };
  await Promise.all(
    Object.entries(from).map(([origin, at]) => {
      const own = packets.filter((packet) => packet.from === origin);
      return at.run([process.execPath, "-e", sender(own)]);
    }),
  );
}

const arrivals = async (): Promise<ReadonlyMap<string, ReadonlySet<number>>> =>
  new Map(
    await Promise.all(
      Object.entries(places).map(async ([name, at]) => [name, await gotAt(at)] as const),
    ),
  );

/** How often the kernel counted each object. */
async function counted(): Promise<Record<string, number>> {
  const text = await world.cpes[0].run(["nft", "-j", "list", "counters", "table", "inet", "weft"]);
  const { nftables } = JSON.parse(text) as {
    nftables: { counter?: { name: string; packets: number } }[];
  };
  return Object.fromEntries(
    nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets]] : [])),
  );
}

/** Packets that arrive elsewhere than the trace says. */
async function mistraced(
  state: DesiredState,
  packets: readonly TracedPacket[],
): Promise<readonly object[]> {
  await edge.apply(state);
  await send(packets);
  const got = await arrivals();
  return packets.flatMap((packet) => {
    const wanted = placeOf(state, packet);
    const found = [...got].flatMap(([name, set]) =>
      set.has(packet.sourcePort ?? 0) ? [name] : [],
    );
    return found.join() === (wanted ?? "")
      ? []
      : [{ packet, wanted, found, trace: tracePacket(state, packet).steps }];
  });
}

describe("the trace of a packet", { timeout: 60_000 }, () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "says where it arrives, by rules of seed %i",
    async (seed) => {
      const chance = chanceOf(seed);
      const state = stateOf(chance, mac);
      const packets = Array.from({ length: 120 }, (_, at) =>
        packetOf(chance, seed * 200 + at, mac),
      );
      expect(await mistraced(state, packets)).toEqual([]);
    },
  );

  test.each([31, 32, 33, 34, 35, 36])(
    "says where it arrives, by hundreds of rules of seed %i",
    async (seed) => {
      const chance = chanceOf(seed);
      const state = stateOf(chance, mac);
      state.firewall.acl = manyRules(chance, mac);
      const packets = Array.from({ length: 250 }, (_, at) =>
        packetOf(chance, seed * 300 + at, mac),
      );
      expect(await mistraced(state, packets)).toEqual([]);
    },
  );

  test.each([11, 12, 13, 14])(
    "says where queries of hosts that are denied names arrive, by rules of seed %i",
    async (seed) => {
      const chance = chanceOf(seed);
      const state = withNames(stateOf(chance, mac), chance);
      const packets = Array.from({ length: 120 }, (_, at) =>
        packetOf(chance, seed * 200 + at, mac, namePorts),
      );
      expect(await mistraced(state, packets)).toEqual([]);
    },
  );

  test("names the rules that the kernel counts", async () => {
    const chance = chanceOf(99);
    const state = stateOf(chance, mac);
    await edge.apply(state);
    const before = await counted();
    // A connection that nothing answers is tried again: it would be counted twice.
    const packets = Array.from({ length: 150 }, (_, at) => packetOf(chance, 4_000 + at, mac))
      // What has no way in the kernel meets no rule.
      .filter(({ destination }) => destination !== lost)
      .map((packet) => ({ ...packet, protocol: "udp" as const }));
    await send(packets);
    const after = await counted();
    const named = packets.flatMap((packet) =>
      tracePacket(state, packet).steps.flatMap(({ stage, object }) =>
        object && stage !== "limits" ? [hitCounter(object.family, object.id)] : [],
      ),
    );
    const names = Object.keys(after).filter((name) =>
      /^h_(xaclrules|routerPortmapping|routerPolicyroute)_/.test(name),
    );
    const wanted = names.map((name) => [name, named.filter((one) => one === name).length]);
    const found = names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
    expect(names.length).toBeGreaterThan(4);
    expect(found).toEqual(wanted);
  });
});
