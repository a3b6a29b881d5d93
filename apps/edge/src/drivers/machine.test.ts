/** The drivers against real kernels: namespaces, WireGuard, FRR and nftables of this machine. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NetnsEdge, type NetnsMachine, pings } from "../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../test/netns/world.ts";
import { waitUntil } from "./daemon.ts";

const sites = makeSites();
const [one, two, three] = sites;
const popKey = newKey();
const popWants = (spaces: readonly number[]) =>
  popState(
    [
      { site: one, slots: [1] },
      { site: two, slots: [1, 2] },
      { site: three, slots: [1] },
    ].filter(({ site }) => spaces.includes(site.spaceId)),
    popKey,
  );
const wants = [
  cpeState(one, popKey, [1]),
  cpeState(two, popKey, [1, 2]),
  cpeState(three, popKey, [1]),
] as const;

let world: World;
let pop: NetnsEdge;
let edges: NetnsEdge[];

const frr = ["vtysh", "--vty_socket", "/run/weft-frr"] as const;

/** A DHCP client has helpers of the same name: the first process is called after its line. */
const pidsOf = (machine: NetnsMachine, name: string): Promise<string> =>
  machine.run([
    ...(["pgrep", "--runstates", "S,R,D"] as const),
    ...(name === "dhcpcd" ? ["-f", "^dhcpcd: wan"] : ["-x", name]),
  ]);

const healthy = async (edge: NetnsEdge, state: DesiredState | null) => {
  let left: string[] = [];
  await waitUntil(
    "a plan without steps",
    async () => {
      left = await edge.plan(state);
      return left.length === 0;
    },
    25_000,
    100,
  ).catch(() => {});
  expect(left).toEqual([]);
};

beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  edges = await Promise.all(world.cpes.map((cpe, i) => cpe.edge(sites[i]?.key ?? "")));
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("machine", () => {
  it("builds tunnels, routing and rules from a state", async () => {
    await pop.apply(popWants([1, 2]));
    for (const [index, edge] of edges.entries()) {
      await edge.findings(wants[index] ?? null);
      await edge.apply(wants[index] ?? null);
    }
    // What an apply costs is the tools it starts, whatever else the machine has to do.
    expect(Math.min(...edges.map(({ lastTools }) => lastTools))).toBeLessThanOrEqual(50);
    await healthy(pop, popWants([1, 2]));
    for (const [index, edge] of edges.entries()) {
      await healthy(edge, wants[index] ?? null);
    }
  });

  it("carries both families from host to host", async () => {
    const [from] = world.hosts;
    await waitUntil("IPv4 across", () => pings(from, "10.0.0.100", 1), 15_000, 100);
    // The LAN's own address is first checked for a double, which takes a second or two.
    await waitUntil("IPv6 across", () => pings(from, "fd57:1:2::100", 1), 15_000, 100);
  });

  it("keeps spaces with the same addresses apart", async () => {
    const [first, second, third] = world.hosts;
    const silence = (host: NetnsMachine, silent: boolean) =>
      host.run(["sysctl", "-q", "-w", `net.ipv4.icmp_echo_ignore_all=${silent ? 1 : 0}`]);
    await silence(third, true);
    expect(await pings(first, "10.0.0.100")).toBe(true);
    await silence(third, false);
    await silence(second, true);
    expect(await pings(first, "10.0.0.100")).toBe(false);
    await silence(second, false);
    const routes = (netns: string) => world.pop.run(["ip", "-4", "route"], { netns });
    await expect(routes("weft-s1")).resolves.toMatch(/10\.0\.0\.0\/24 via 10\.255\.21\.1/);
    await expect(routes("weft-s2")).resolves.toMatch(/10\.0\.0\.0\/24 via 10\.255\.31\.1/);
    await expect(routes("weft-s2")).resolves.not.toMatch(/10\.1\.1\.0/);
    expect(await pings(third, "10.1.1.100")).toBe(false);
  });

  it("lets a site announce its own prefixes only, and hosts out directly with the line's address", async () => {
    const [cpe] = world.cpes;
    const foreign = ["-c", "configure terminal", "-c", "router bgp 65010"] as const;
    // By hand, past the document: the POP's filter has to stop it.
    await cpe.run([
      ...frr,
      ...foreign,
      "-c",
      "address-family ipv4",
      "-c",
      "network 198.51.100.0/24",
    ]);
    await cpe.run([...frr, "-c", "configure terminal", "-c", "route-map s1-out permit 1"]);
    const advertised = "show bgp ipv4 unicast neighbors 10.255.11.0 advertised-routes";
    await waitUntil(
      "the foreign network in what the site advertises",
      async () => (await cpe.run([...frr, "-c", advertised])).includes("198.51.100.0/24"),
      60_000,
      200,
    );
    // A session carries updates in order: once the POP has lost what is withdrawn now, it has read the foreign one.
    await cpe.run([
      ...frr,
      ...foreign,
      "-c",
      "address-family ipv4",
      "-c",
      "no network 10.1.1.0/24",
    ]);
    await waitUntil(
      "the site's own network withdrawn at the POP",
      async () =>
        !(await world.pop.run(["ip", "route"], { netns: "weft-s1" })).includes("10.1.1.0"),
      60_000,
      200,
    );
    const taken = await world.pop.run(["ip", "route"], { netns: "weft-s1" });
    expect(taken).not.toContain("198.51.100.0");
    const [edge] = edges;
    const drift = (await edge?.plan(wants[0])) ?? [];
    expect(drift.join("; ")).toContain("no network 198.51.100.0/24");
    await edge?.apply(wants[0]);
    await healthy(edge as NetnsEdge, wants[0]);
    const request = "icmp[icmptype] == icmp-echo and dst 192.0.2.10";
    let isCaptured = false;
    const captured = world.inet
      // The POP pings its own gateway there as well, which replies.
      .run(["timeout", "60", "tcpdump", "-n", "-c", "1", "-i", "p1", request])
      .finally(() => {
        isCaptured = true;
      });
    while (!isCaptured) await pings(world.hosts[0], "192.0.2.10");
    expect(await captured).toContain("198.51.100.10 > 192.0.2.10");
  });

  it("measures links at the probing end and reports up at the other", async () => {
    const [, edge] = edges;
    await edge?.measures();
    await pop.measures();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const measured = (await edge?.measures()) ?? [];
    expect(measured.map(({ id, up, lossPercent }) => ({ id, up, lossPercent }))).toEqual([
      { id: 21, up: true, lossPercent: 0 },
      { id: 22, up: true, lossPercent: 0 },
    ]);
    // Every five seconds on a site: all of it is at hand.
    expect(edge?.lastTools).toBe(0);
    for (const { rttMs, jitterMs, inRate, outRate } of measured) {
      expect(rttMs).toBeGreaterThan(0);
      expect(jitterMs).toBeGreaterThanOrEqual(0);
      expect(inRate).toBeGreaterThan(1_000);
      expect(outRate).toBeGreaterThan(1_000);
    }
    const received = (await pop.measures()).map(({ id, up, rttMs }) => ({ id, up, rttMs }));
    expect(received).toContainEqual({ id: 22, up: true, rttMs: null });
  });

  it("sees manual changes, and repairs them", async () => {
    const [cpe] = world.cpes;
    const [edge] = edges;
    await cpe.run(["ip", "route", "del", "default", "table", "101"]);
    await cpe.run(["ip", "rule", "del", "priority", "1401"]);
    await cpe.run(["ip", "addr", "del", "10.1.1.1/24", "dev", "lan0"]);
    const listing = await cpe.run(["nft", "-a", "list", "chain", "inet", "weft", "c_nat"]);
    const handle = /masquerade # handle (\d+)/.exec(listing)?.[1] ?? "";
    await cpe.run(["nft", "delete", "rule", "inet", "weft", "c_nat", "handle", handle]);
    await cpe.run(["wg", "set", "wl11", "fwmark", "0"]);
    expect(await edge?.plan(wants[0])).toEqual([
      "firewall: load rules of the device: the kernel's differ from those loaded",
      "underlay: add address 10.1.1.1/24 to lan0",
      "underlay: add route IPv4 default via 198.51.100.1 dev wan1 table 101 metric 101",
      "underlay: add rule IPv4 1401 from 198.51.100.10 lookup 101",
      "tunnel: set link wl11: mark",
    ]);
    await edge?.apply(wants[0]);
    await healthy(edge as NetnsEdge, wants[0]);
    await waitUntil("the rollback", () => pings(world.hosts[0], "10.0.0.100", 1), 10_000, 100);
  });

  it("brings a static route into the kernel and out of it", async () => {
    const [cpe] = world.cpes;
    const [edge] = edges;
    const state = wants[0];
    const routes = [{ destination: "10.77.0.0/16", nextHop: "10.1.1.77", metric: 0 }];
    const more = { ...state, static: { routes } };
    const inKernel = async () => (await cpe.run(["ip", "route"])).includes("10.77.0.0/16");
    await edge?.apply(more);
    await waitUntil("the route", inKernel, 25_000, 20);
    await healthy(edge as NetnsEdge, more);
    // zebra puts it back by itself, or the plan does.
    await cpe.run(["ip", "route", "del", "10.77.0.0/16"]);
    await edge?.apply(more);
    await waitUntil("the route again", inKernel, 25_000, 20);
    await edge?.apply(state);
    await waitUntil("no route", async () => !(await inKernel()), 25_000, 20);
    await healthy(edge as NetnsEdge, state);
  });

  it("outlives the edge: the next one adopts what runs and has nothing to do", async () => {
    const [, cpe] = world.cpes;
    const pids = async () =>
      (await pidsOf(cpe, "wireguard-go|zebra|staticd|bgpd|bfdd")) + (await pidsOf(cpe, "dhcpcd"));
    const before = await pids();
    expect(before.trim().split("\n")).toHaveLength(7);
    const edge = await cpe.edge(two.key);
    edges[1] = edge;
    const [first, ...rest] = await edge.plan(wants[1]);
    // Probes end with the edge.
    expect([first, rest]).toEqual(["probe: watch 2 links, probing 2", []]);
    await edge.apply(wants[1]);
    // What observing the device costs is the tools it starts, whatever else the machine has to do.
    const tools: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      expect(await edge.plan(wants[1])).toEqual([]);
      tools.push(edge.lastTools);
    }
    // Each is a process; the watch over what was started may add its own to some of them.
    expect(Math.min(...tools)).toBeLessThanOrEqual(14);
    expect(await pids()).toBe(before);
  });

  it("sets up again what died: tunnels, FRR, the DHCP client", async () => {
    const [, cpe] = world.cpes;
    const edge = edges[1] as NetnsEdge;
    for (const name of ["wireguard-go", "bgpd", "zebra", "bfdd", "dhcpcd"]) {
      const before = (await pidsOf(cpe, name)).trim().split("\n");
      await cpe.run(["kill", "-9", ...before]);
      await waitUntil(
        `${name} again`,
        async () => {
          const now = await pidsOf(cpe, name).catch(() => "");
          return (
            now.trim().split("\n").length === before.length &&
            (await edge.plan(wants[1])).length === 0
          );
        },
        15_000,
        200,
      );
      await waitUntil(
        `packets after the death of ${name}`,
        () => pings(world.hosts[0], "10.0.0.100", 1),
        20_000,
        200,
      );
    }
    const repairs = (await edge.ask("repairs")) as readonly { part: string; object: string }[];
    const reported = new Set(repairs.map(({ part, object }) => `${part} ${object}`));
    const programs = ["tunnel wl21", "tunnel wl22", "dhcp wan2"];
    const daemons = ["bgpd", "zebra", "bfdd"].map((name) => `routing ${name}`);
    expect([...reported].sort()).toEqual([...daemons, ...programs].sort());
  });

  it("sets up again what died on a POP, under the feet of its spaces", async () => {
    const [from] = world.hosts;
    for (const name of ["wireguard-go", "zebra"]) {
      const pids = (await world.pop.run(["pgrep", "-x", name])).trim().split("\n");
      await world.pop.run(["kill", "-9", ...pids]);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await healthy(pop, popWants([1, 2]));
      // Less than the 15 s after which CPEs would call by themselves.
      await waitUntil(`packets after ${name}`, () => pings(from, "10.0.0.100", 1), 12_000, 100);
    }
  });

  it("moves to the other line when one is cut, and back", async () => {
    const [from] = world.hosts;
    const hop = () => world.pop.run(["ip", "route", "get", "10.0.0.100"], { netns: "weft-s1" });
    const guarded = async (machine: NetnsMachine, show: string) => {
      const text = await machine.run([...frr, "-c", show]);
      return [21, 22].every((id) => new RegExp(`10\\.255\\.${id}\\.\\d +up`).test(text));
    };
    const ready = async () =>
      (await guarded(world.cpes[1], "show bfd peers brief")) &&
      (await guarded(world.pop, "show bfd vrf weft-s1 peers brief"));
    await waitUntil("BFD on both lines, at both ends", ready, 20_000, 100);
    await waitUntil("the first line", async () => (await hop()).includes("wl21"), 15_000, 100);
    await world.inet.run(["ip", "link", "set", "c2", "nomaster"]);
    // BGP without BFD gives a neighbour up after 9 s.
    await waitUntil("the second line", async () => (await hop()).includes("wl22"), 6_000, 20);
    await waitUntil("packets", () => pings(from, "10.0.0.100", 1), 25_000, 20);
    await world.inet.run(["ip", "link", "set", "c2", "master", "isp1"]);
    await waitUntil(
      "the first line again",
      async () => (await hop()).includes("wl21"),
      20_000,
      100,
    );
  });

  it("takes a space away with all that belonged to it, and sets it up again", async () => {
    const without = popWants([1]);
    await pop.apply(without);
    await healthy(pop, without);
    const names = await world.pop.run(["ip", "netns", "list"]);
    expect(names).toContain("weft-s1");
    expect(names).not.toContain("weft-s2");
    const processes = await world.pop.run(["pgrep", "--runstates", "S,R,D", "-x", "wireguard-go"]);
    expect(processes.trim().split("\n")).toHaveLength(3);
    const config = await world.pop.run([
      "vtysh",
      "--vty_socket",
      "/run/weft-frr",
      "-c",
      "show run",
    ]);
    expect(config).not.toContain("weft-s2");
    expect(config).not.toContain("wl31");
    await pop.apply(popWants([1, 2]));
    await healthy(pop, popWants([1, 2]));
    // The CPE calls a lost session again after 15 s (WireGuard's paper, section 6).
    await waitUntil("space 2", () => pings(world.hosts[2], "10.255.31.0", 1), 30_000, 200);
  });

  it("leaves nothing when nothing is wanted", async () => {
    const [, , cpe] = world.cpes;
    const edge = edges[2] as NetnsEdge;
    await edge.apply(null);
    expect(await edge.plan(null)).toEqual([]);
    expect(await cpe.run(["nft", "list", "tables"])).not.toContain("weft");
    expect(await cpe.run(["ip", "rule"])).not.toMatch(/fwmark|198\.51/);
    expect(await cpe.run(["ip", "addr"])).not.toMatch(/wl31|10\.0\.0\.1/);
    await expect(
      cpe.run(["pgrep", "--runstates", "S,R,D", "-x", "wireguard-go|zebra|fping"]),
    ).rejects.toThrow();
  });
});
