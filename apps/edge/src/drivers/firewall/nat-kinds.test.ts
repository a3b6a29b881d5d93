/** Kinds of source NAT of policy routes on real flows: who reaches a host through the port that it sends from. */
import type { PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { arrivingTtl, watchTtls } from "../../../test/netns/seen-ttl.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import { cpeState, newKey, type World } from "../../../test/netns/world.ts";

const { site } = twoCableSite;
const base = cpeState(site, newKey(), [1, 2]);
/** The first WAN link has IPv6, the second one IPv4 by DHCP. */
const plain: DesiredState = {
  ...base,
  underlay: {
    ...base.underlay,
    lines: base.underlay.lines.map((line) =>
      line.slot === 1 ? { ...line, ip: "2001:db8:1::20/64", gateway: "2001:db8:1::1" } : line,
    ),
  },
  spaces: [{ spaceId: 1, netns: null, networks: ["10.0.0.0/24", "fd57:1:2::/64"] }],
};
/** A host with the server that it asks, and another address of the internet. */
const families = [
  { name: "IPv4", host: "10.0.0.100", server: "192.0.2.1", third: "198.51.100.1" },
  { name: "IPv6", host: "fd57:1:2::100", server: "2001:db8:9::1", third: "2001:db8:1::1" },
] as const;
type Addresses = (typeof families)[number];

const route = (given: Partial<PolicyRoute>): PolicyRoute => ({
  id: 3,
  sources: null,
  targets: null,
  time: null,
  slots: [1, 2],
  nat: true,
  ...given,
});
const withRoute = (given: Partial<PolicyRoute>): DesiredState => ({
  ...plain,
  policy: { sets: [], limits: [], routes: [route(given)] },
});

/** Answers on two ports with the port that it sees; another address greets each sender, and prints what it gets. */
const server = (at: Addresses) => `
  const open = (address, port) => {
    const u = require("dgram").createSocket("${at.name === "IPv4" ? "udp4" : "udp6"}");
    u.bind(port, address);
    return u;
  };
  const third = open("${at.third}", 7001);
  for (const port of [7000, 7002]) {
    const u = open("${at.server}", port);
    u.on("message", (_, from) => {
      u.send(port + " saw " + from.port, from.port, from.address);
      third.send("third to " + from.port, from.port, from.address);
    });
  }
  // Its answer goes through the host's to the server, which is how the test sees it.
  third.on("message", (text, from) => third.send("third got " + from.port, from.port, from.address));`;
/** Asks both ports from one of its own, prints what comes to it, and answers the third address once. */
const asks = (at: Addresses, port: number): readonly [string, ...string[]] => [
  process.execPath,
  "-e",
  `
  const u = require("dgram").createSocket("${at.name === "IPv4" ? "udp4" : "udp6"}");
  setTimeout(() => process.exit(0), 1200);
  u.on("message", (text, from) => {
    console.log(String(text));
    if (String(text).startsWith("third to")) u.send("back", from.port, from.address);
  });
  u.bind(${port}, "${at.host}", () => {
    for (const to of [7000, 7002]) u.send("x", to, "${at.server}");
    setTimeout(() => { for (const to of [7000, 7002]) u.send("x", to, "${at.server}"); }, 400);
  });`,
];

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;

/** What comes to the host, each line once. */
const arriving = async (at: Addresses, port: number): Promise<string[]> => {
  const lines = String(await world.hosts[1].run(asks(at, port))).trim();
  return [...new Set(lines.split("\n"))].sort();
};
const portsSeen = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /saw (\d+)/.exec(line)?.[1] ?? []);
const tableText = () => cpe.run(["nft", "-s", "list", "table", "inet", "weft"]);
const answersOnly = [expect.stringMatching(/^7000 saw/), expect.stringMatching(/^7002 saw/)];

setUpTwoCableSite(async (machines) => {
  ({ world, cpe } = machines);
  const { inet } = world;
  await inet.run(["ip", "-6", "addr", "add", "2001:db8:1::1/64", "dev", "isp1", "nodad"]);
  await inet.run(["ip", "-6", "addr", "add", "2001:db8:9::1/128", "dev", "lo"]);
  edge = await cpe.edge(site.key);
  await edge.apply(plain);
  await edge.settled(plain);
  for (const family of families)
    void inet.run([process.execPath, "-e", server(family)], { timeoutMs: 300_000 }).catch(() => "");
  const ready = async () =>
    (await inet.run(["ss", "-Hlun", "sport = :7002"])).trim().split("\n").length === 2;
  await waitUntil("the servers", ready, 10_000, 100);
  await watchTtls(inet);
});

describe.each(families)("source NAT of UDP over $name", { timeout: 60_000 }, (at) => {
  it("lets nothing but answers pass, as it is and as symmetric", async () => {
    for (const given of [{}, { translation: "symmetric" as const }]) {
      await edge.apply(withRoute(given));
      expect(await arriving(at, given.translation ? 7_201 : 7_200)).toEqual(answersOnly);
    }
  });

  it("as symmetric gives each flow a port of its own", async () => {
    await edge.apply(withRoute({ translation: "symmetric" }));
    const ports = new Set<string>();
    for (const port of [7_210, 7_211])
      for (const seen of portsSeen(await arriving(at, port))) ports.add(seen);
    // By chance two of four are equal once in ten thousand times.
    expect(ports.size).toBe(4);
    expect(ports).not.toContain("7210");
  });

  it("as full cone keeps one port, through which another address reaches the host, and is answered", async () => {
    const state = withRoute({ translation: "cone" });
    await edge.apply(state);
    const lines = await arriving(at, 7_220);
    const [port, ...more] = [...new Set(portsSeen(lines))];
    expect(more).toEqual([]);
    expect(lines).toEqual(expect.arrayContaining([`third to ${port}`, `third got ${port}`]));
    // What the kernel has learned is no difference from the state.
    expect(await edge.plan(state)).toEqual([]);
  });

  it("leaves nothing behind when the route goes", async () => {
    await edge.apply(plain);
    const before = await tableText();
    await edge.apply(withRoute({ translation: "cone" }));
    expect(await arriving(at, 7_230)).toContainEqual(expect.stringContaining("third"));
    await edge.apply(plain);
    expect(await tableText()).toBe(before);
    expect(await arriving(at, 7_230)).toEqual(answersOnly);
  });
});

describe.each(families)("a TTL increment over $name", { timeout: 60_000 }, (at) => {
  it("is added after the decrement, up to 255, to what its route sends out by a WAN link", async () => {
    await edge.apply(plain);
    const { inet, hosts } = world;
    const arriving = (ttl: number) => arrivingTtl(inet, hosts[1], [at.host, at.server], ttl);
    expect(await arriving(64)).toBe(63);
    // Sets that the kernel fills outlive a load, and change their place.
    const left = async () => (await tableText()).split("\n").sort();
    const before = await left();
    const state = withRoute({ slots: [1, 2], ttlIncrement: 100 });
    await edge.apply(state);
    expect([await arriving(64), await arriving(2), await arriving(200)]).toEqual([163, 101, 255]);
    expect(await edge.plan(state)).toEqual([]);
    const third = { id: 7, members: [at.third] };
    // The first that fits has none.
    const two = [route({ id: 2, targets: 7 }), route({ ttlIncrement: 3 })];
    await edge.apply({ ...plain, policy: { sets: [third], limits: [], routes: two } });
    expect(await arriving(64)).toBe(66);
    expect(await arrivingTtl(inet, hosts[1], [at.host, at.third])).toBe(63);
    await edge.apply(plain);
    expect(await left()).toEqual(before);
    expect(await arriving(64)).toBe(63);
  });
});

it("a tunnel's own port is not taken by a host that sends from it", {
  timeout: 30_000,
}, async () => {
  const [at] = families;
  await edge.apply(withRoute({ translation: "cone" }));
  const [port = 0] = plain.firewall.tunnelPorts;
  expect(await arriving(at, port)).toEqual(answersOnly);
});
