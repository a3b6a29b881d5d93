/** What a space's hosts and a site in foreign hands can send: real packets through real rules. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { publicKeyOf } from "#drivers/tunnel/observe.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";
import { lanSection } from "../../../test/states.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();

/** Site one has a second section on the same interface, which may go nowhere. */
const guests = "10.1.9.0/24";
const withGuests = (state: DesiredState): DesiredState => ({
  ...state,
  underlay: {
    ...state.underlay,
    lans: [
      ...state.underlay.lans,
      lanSection("lan0", ["10.1.9.1/24"], { networks: [guests], direct: false, forward: false }),
    ],
  },
});
const first = withGuests(cpeState(one, popKey, [1]));
const second = cpeState(two, popKey, [1]);
const clientKey = newKey();
const clientPort = 53_000;
const pool = "10.200.0.0/24";
const hubOfSites = popState(
  [
    { site: one, slots: [1] },
    { site: two, slots: [1] },
  ],
  popKey,
);
/** With one mobile account, whose computer is where the third site would be. */
const hub: DesiredState = {
  ...hubOfSites,
  firewall: {
    ...hubOfSites.firewall,
    tunnelPorts: [...hubOfSites.firewall.tunnelPorts, clientPort],
  },
  routings: hubOfSites.routings.map((routing) => ({ ...routing, announce: [pool] })),
  clients: [
    {
      spaceId: 1,
      netns: "weft-s1",
      interfaceName: "wm1",
      slot: 1,
      mtu: 1_380,
      listenPort: clientPort,
      address: "10.200.0.1/24",
      peers: [
        {
          id: 1,
          publicKey: publicKeyOf(clientKey),
          address: "10.200.0.2",
          up: null,
          down: null,
          until: null,
        },
      ],
    },
  ],
};

const host2 = { v4: "10.0.0.100", v6: "fd57:1:2::100" };
const foreign = { v4: "10.66.0.5", v6: "fd66::5" };

let world: World;
let edges: NetnsEdge[];

/** How a TCP connection from there ends: "open", or why not. */
const connects = async (from: NetnsMachine, host: string, port: number, localPort = 0) => {
  const script = `
    const s = require("net").connect({ host: "${host}", port: ${port}, localPort: ${localPort} });
    const end = (outcome) => { console.log(outcome); process.exit(0); };
    s.once("connect", () => end("open")).once("error", (e) => end(e.code));
    setTimeout(() => end("silence"), 5000);`;
  return (await from.run([process.execPath, "-e", script])).trim();
};

/** Answers on port 22 in both families for so long. */
const serveSsh = (at: NetnsMachine, seconds: number, netns: string | null = null) => {
  const listen = 'require("net").createServer((s) => s.end()).listen(22, "::")';
  const argv = ["timeout", `${seconds}`, process.execPath, "-e", listen] as const;
  return at.run(argv, { netns, timeoutMs: (seconds + 10) * 1_000 }).catch(() => "");
};

/** The computer of the mobile account, as WireGuard's own client sets it up. */
const connectClient = async (computer: NetnsMachine) => {
  const script = `
    ip addr add 198.51.100.30/24 dev wan1
    ip route add 192.0.2.0/24 via 198.51.100.1
    mkdir -p /run/wireguard
    wireguard-go wgc > /dev/null 2>&1
    cat > /run/wgc.conf
    wg setconf wgc /run/wgc.conf
    ip addr add 10.200.0.2/32 dev wgc
    ip link set dev wgc mtu 1380 up
    ip route add 10.0.0.0/8 dev wgc`;
  const input = `[Interface]
PrivateKey = ${clientKey}
[Peer]
PublicKey = ${publicKeyOf(popKey)}
Endpoint = 192.0.2.10:${clientPort}
AllowedIPs = 10.0.0.0/8
`;
  await computer.run(["sh", "-ec", script], { input });
};

/** Counts packets of the foreign sources that a machine gets, from now on. */
const countForeign = (at: NetnsMachine) =>
  at.run(["nft", "-f", "-"], {
    input: `add table inet seen
delete table inet seen
table inet seen { counter n { }
chain c { type filter hook prerouting priority 0; ip saddr ${foreign.v4} counter name n; ip6 saddr ${foreign.v6} counter name n; }; }
`,
  });

const counted = async (
  at: NetnsMachine,
  [table, name]: readonly [string, string],
  netns: string | null = null,
): Promise<number> => {
  const text = await at.run(["nft", "list", "counter", "inet", table, name], { netns });
  return Number(/packets (\d+)/.exec(text)?.[1] ?? Number.NaN);
};

const takeAddress = async (machine: NetnsMachine, dev: string) => {
  await machine.run(["ip", "addr", "replace", `${foreign.v4}/32`, "dev", dev]);
  await machine.run(["ip", "addr", "replace", `${foreign.v6}/128`, "dev", dev, "nodad"]);
};

const sendForeign = async (from: NetnsMachine) => {
  for (const [source, target] of [
    [foreign.v4, host2.v4],
    [foreign.v6, host2.v6],
  ] as const)
    await from
      .run(["ping", "-n", "-c", "2", "-i", "0.1", "-W", "1", "-I", source, target])
      .catch(() => "");
};

beforeAll(async () => {
  world = await createWorld(sites);
  const pop = await world.pop.edge(popKey);
  edges = await Promise.all(world.cpes.slice(0, 2).map((cpe, i) => cpe.edge(sites[i]?.key ?? "")));
  await pop.apply(hub);
  await edges[0]?.apply(first);
  await edges[1]?.apply(second);
  const [host] = world.hosts;
  for (const address of Object.values(host2))
    await waitUntil(address, () => pings(host, address, 1), 15_000, 100);
}, 300_000);

afterAll(async () => {
  await world?.remove();
}, 60_000);

describe("the rules of a site", { timeout: 240_000 }, () => {
  it("are what was loaded, in each namespace", async () => {
    expect(await edges[0]?.plan(first)).toEqual([]);
    await edges[0]?.apply(first);
    expect(await edges[0]?.plan(first)).toEqual([]);
  });

  it("let no host of the space open a port of a CPE or the POP, from port 179 neither", async () => {
    const [host, ownHost] = world.hosts;
    const [, cpe] = world.cpes;
    const serving = serveSsh(cpe, 20);
    for (const address of ["10.0.0.1", "fd57:1:2::1"]) {
      const isOpen = async () => (await connects(ownHost, address, 22)) === "open";
      await waitUntil("the port, from the site's own LAN", isOpen, 25_000, 50);
      expect([address, await connects(host, address, 22)]).toEqual([address, "silence"]);
      expect([address, await connects(host, address, 22, 179)]).toEqual([address, "silence"]);
      expect([address, await connects(host, address, 179)]).toEqual([address, "silence"]);
    }
    // BGP of the far CPE, of the POP, and of its own CPE by its address in the tunnel.
    for (const address of ["10.255.11.0", "10.255.11.1", "fd57:ff:11::", "fd57:ff:11::1"])
      expect([address, await connects(host, address, 179)]).toEqual([address, "silence"]);
    // What routing needs is there all the same.
    for (const address of Object.values(host2)) expect(await pings(host, address)).toBe(true);
    await serving;
  });

  it("let no mobile client open a port of the POP or a CPE", async () => {
    const [, cpe, computer] = world.cpes;
    await connectClient(computer);
    await waitUntil("the far host", () => pings(computer, host2.v4, 1), 25_000, 50);
    const serving = [serveSsh(world.pop, 20, "weft-s1"), serveSsh(cpe, 20)];
    const inside = { netns: "weft-s1" };
    const listens = async () => (await world.pop.run(["ss", "-Hltn"], inside)).includes(":22 ");
    await waitUntil("the POP's port", listens, 25_000, 50);
    const isOpen = async () => (await connects(world.hosts[1], "10.0.0.1", 22)) === "open";
    await waitUntil("the CPE's port", isOpen, 25_000, 50);
    // BGP of the POP listens there too.
    expect(await world.pop.run(["ss", "-Hltn"], inside)).toContain(":179 ");
    const ways = ["10.200.0.1", "10.255.11.0", "10.255.21.1", "10.0.0.1"].flatMap((address) =>
      [22, 179].map((port) => [address, port] as const),
    );
    for (const from of [0, 179]) {
      const ends = ways.map(([address, port]) => connects(computer, address, port, from));
      expect(await Promise.all(ends)).toEqual(ways.map(() => "silence"));
    }
    expect(await pings(computer, host2.v4)).toBe(true);
    await Promise.all(serving);
  });

  it("drop and count what a LAN's host sends with another's source, in both families", async () => {
    const [host, far] = world.hosts;
    await countForeign(far);
    await takeAddress(host, "eth0");
    const before = await counted(world.cpes[0], ["weft", "h_source_lan"]).catch(() => 0);
    await sendForeign(host);
    expect(await counted(far, ["seen", "n"])).toBe(0);
    expect(await counted(world.cpes[0], ["weft", "h_source_lan"])).toBeGreaterThanOrEqual(
      before + 4,
    );
  });

  it("drop and count at the POP what a CPE sends with a source that it may not announce", async () => {
    const [cpe] = world.cpes;
    const [, far] = world.hosts;
    await countForeign(far);
    await takeAddress(cpe, "lo");
    await sendForeign(cpe);
    expect(await counted(far, ["seen", "n"])).toBe(0);
    expect(await counted(world.pop, ["weft", "h_source_link"], "weft-s1")).toBeGreaterThanOrEqual(
      4,
    );
    await cpe.run(["ip", "addr", "del", `${foreign.v4}/32`, "dev", "lo"]);
    await cpe.run(["ip", "addr", "del", `${foreign.v6}/128`, "dev", "lo"]);
  });

  it("bring an error about a flow by a router's own address to the other site, and nothing else of it", async () => {
    const [cpe] = world.cpes;
    const [router, far] = world.hosts;
    const target = "10.1.1.200";
    const own = "172.30.0.1";
    // The LAN's host is a router that cannot reach the target, and speaks by an address of its own.
    await router.run(["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
    await router.run(["ip", "addr", "add", `${own}/32`, "dev", "lo"]);
    await router.run(["ip", "route", "add", "unreachable", target]);
    await router.run(["ip", "route", "replace", "default", "via", "10.1.1.1", "src", own]);
    const mac =
      /link\/ether (\S+)/.exec(await router.run(["ip", "link", "show", "eth0"]))?.[1] ?? "";
    await cpe.run(["ip", "neigh", "replace", target, "lladdr", mac, "dev", "lan0"]);
    const answer = await far
      .run(["ping", "-n", "-c", "3", "-i", "0.1", "-W", "1", target])
      .catch((error: Error) => error.message);
    // By the CPE's own address: neither the POP nor the other site knows that of the router.
    expect(answer).toMatch(/From 10\.1\.1\.1 icmp_seq=\d Destination Host Unreachable/);
    const before = await counted(cpe, ["weft", "h_source_lan"]);
    expect(
      await router
        .run(["ping", "-n", "-c", "2", "-i", "0.1", "-W", "1", "-I", own, host2.v4])
        .catch(() => "silence"),
    ).toBe("silence");
    expect(await counted(cpe, ["weft", "h_source_lan"])).toBe(before + 2);
    await router.run(["ip", "route", "replace", "default", "via", "10.1.1.1"]);
  });

  it("let a section without forward and direct go nowhere, on an interface that it shares", async () => {
    const [host] = world.hosts;
    await host.run(["ip", "addr", "replace", "10.1.9.100/24", "dev", "eth0"]);
    const reaches = (source: string, target: string) =>
      host.run(["ping", "-n", "-c", "2", "-i", "0.1", "-W", "1", "-I", source, target]).then(
        () => true,
        () => false,
      );
    expect(await reaches("10.1.9.100", "10.1.9.1")).toBe(true);
    for (const target of [host2.v4, "192.0.2.1"]) {
      expect([target, await reaches("10.1.1.100", target)]).toEqual([target, true]);
      expect([target, await reaches("10.1.9.100", target)]).toEqual([target, false]);
    }
    expect(await pings(world.hosts[1], "10.1.9.100")).toBe(false);
  });

  it("keep hosts from the metadata address of the device's cloud", async () => {
    const [host] = world.hosts;
    const metadata = "169.254.169.254";
    await world.inet.run(["ip", "addr", "add", `${metadata}/32`, "dev", "lo"]);
    expect(await pings(world.cpes[0], metadata)).toBe(true);
    expect(await pings(host, "192.0.2.1")).toBe(true);
    expect(await pings(host, metadata)).toBe(false);
    expect(await counted(world.cpes[0], ["weft", "h_link_local"])).toBeGreaterThan(0);
  });
});
