/** Policy routes to a next hop or to another destination on real flows: in the LAN, and behind a WAN link. */
import type { PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { tracePacket } from "@weft/contract/device/v1/trace/trace.ts";
import { afterAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { cable, type NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { lastingFlows, seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import { cpeState, newKey, type World } from "../../../test/netns/world.ts";

const { site } = twoCableSite;
const plain: DesiredState = {
  ...cpeState(site, newKey(), [1, 2]),
  spaces: [{ spaceId: 1, netns: null, networks: ["10.0.0.0/24", "10.7.0.0/16"] }],
};
/** Addresses of the first WAN link, and of the router in the LAN and at the provider, as the internet sees them. */
const first = "198.51.100.20";
const byRouter = "192.0.3.2";
const byRouter6 = "2001:db8:9::2";
const internet = "192.0.2.1";
const internet6 = "2001:db8:9::1";
const host4 = "10.0.0.100";
const host6 = "fd57:1:2::100";

const inLan = { address: "10.0.0.254", interfaceName: "lan0" };
const route = (given: Partial<PolicyRoute>): PolicyRoute => ({
  id: 3,
  sources: null,
  targets: null,
  time: null,
  slots: [],
  nat: true,
  ...given,
});
const withRoutes = (...routes: PolicyRoute[]): DesiredState => ({
  ...plain,
  policy: { sets: [], limits: [], routes },
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;
let router: NetnsMachine;

const seen = () => seenFrom(host, host4, internet);
const counted = async (): Promise<number> => {
  const text = await cpe.run(["nft", "list", "counter", "inet", "weft", "h_routerPolicyroute_3"]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};
/** Sources of the flows that the router has had. */
const sourcesAtRouter = async (): Promise<string> => {
  const text = await router.run(["conntrack", "-L", "-p", "tcp", "--dport", "7000"]);
  await router.run(["conntrack", "-F"]);
  return [...new Set([...text.matchAll(/^[^=]*src=(\S+)/gm)].map(([, source]) => source))].join();
};
const leftovers = async (): Promise<string> =>
  [
    await cpe.run(["nft", "-s", "list", "table", "inet", "weft"]),
    await cpe.run(["ip", "rule"]),
    await cpe.run(["ip", "-6", "rule"]),
    await cpe.run(["ip", "route", "show", "table", "all"]),
  ].join();

/** The host's LAN as a bridge with a router beside it, which leads to the internet on its own. */
async function addRouter(): Promise<void> {
  router = await NetnsMachine.create();
  const { inet } = world;
  await host.run(["ip", "link", "add", "br0", "type", "bridge"]);
  await cable([host, "r0"], [router, "lan"]);
  await cable([inet, "r1"], [router, "up"]);
  await cable([inet, "r2"], [router, "line"]);
  const at = async (machine: NetnsMachine, ...commands: string[]) => {
    for (const one of commands) {
      const [command = "", ...rest] = one.split(" ");
      await machine.run([command, ...rest]);
    }
  };
  await at(
    host,
    "ip addr flush dev eth0",
    "ip -6 route del default",
    "ip link set eth0 master br0",
    "ip link set r0 master br0",
    "ip link set br0 up",
    `ip addr add ${host4}/24 dev br0`,
    `ip -6 addr add ${host6}/64 dev br0 nodad`,
    "ip route add default via 10.0.0.1",
    "ip -6 route add default via fd57:1:2::1",
  );
  await at(
    inet,
    "ip addr add 192.0.3.1/24 dev r1",
    `ip -6 addr add ${internet6}/64 dev r1 nodad`,
    "ip link set r2 master isp1",
    "ip -6 addr add 2001:db8:1::1/64 dev isp1 nodad",
  );
  await at(
    router,
    "ip addr add 10.0.0.254/24 dev lan",
    "ip -6 addr add fd57:1:2::fe/64 dev lan nodad",
    `ip addr add ${byRouter}/24 dev up`,
    `ip -6 addr add ${byRouter6}/64 dev up nodad`,
    "ip addr add 198.51.100.2/24 dev line",
    "ip route add default via 192.0.3.1",
    "sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1",
    "nft add table inet t",
    "nft add chain inet t c { type nat hook postrouting priority srcnat; }",
    "nft add rule inet t c oifname up masquerade",
  );
}

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  await addRouter();
  edge = await cpe.edge(site.key);
  await edge.apply(plain);
  await edge.settled(plain);
  await serveSources(world.inet, internet);
});

afterAll(async () => {
  await router?.remove();
}, 30_000);

describe("a policy route to another destination", { timeout: 60_000 }, () => {
  /** Of no machine. */
  const asked = "192.0.2.99";
  const seenOf = (to: string) => seenFrom(host, to.includes(":") ? host6 : host4, to);

  it("leads to a host of the LAN, which sees the device", async () => {
    await serveSources(router, "10.0.0.254");
    for (const nat of [true, false]) {
      await edge.apply(withRoutes(route({ destination: "10.0.0.254", nat })));
      expect(await seenOf(asked)).toBe("10.0.0.1");
    }
    expect(await counted()).toBeGreaterThanOrEqual(2);
    expect(await edge.plan(withRoutes(route({ destination: "10.0.0.254", nat: false })))).toEqual(
      [],
    );
  });

  it("leads to another address of the internet, by the WAN link that it names or as routing says", async () => {
    await edge.apply(withRoutes(route({ destination: internet, slots: [2] })));
    expect(await seenOf(asked)).toMatch(/^203\.0\.113\./);
    await edge.apply(withRoutes(route({ destination: internet })));
    expect(await seenOf(asked)).toBe(first);
  });

  it("leads to a host of IPv6, and leaves IPv4 alone", async () => {
    await edge.apply(withRoutes(route({ destination: "fd57:1:2::fe" })));
    await cpe.run(["ip", "-6", "addr", "replace", "2001:db8:1::2/64", "dev", "wan1", "nodad"]);
    await cpe.run(["ip", "-6", "route", "add", "2000::/3", "via", "2001:db8:1::1", "dev", "wan1"]);
    expect(await seenOf("2001:db8:9::99")).toBe("fd57:1:2::1");
    expect(await seenOf(internet)).toBe(first);
    await cpe.run(["ip", "-6", "route", "del", "2000::/3"]);
  });

  it("takes nothing of the space or a LAN, and nothing is left when it goes", async () => {
    await edge.apply(plain);
    const before = await leftovers();
    await edge.apply(withRoutes(route({ destination: "10.0.0.254" })));
    expect(await seenOf("10.7.0.9")).not.toMatch(/^\d/);
    const flows = host.run(lastingFlows(host4, asked, 3_000));
    await waitUntil("a flow", async () => (await counted()) >= 2, 20_000, 50);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await edge.apply(plain);
    expect(await leftovers()).toBe(before);
    const lines = String(await flows)
      .trim()
      .split("\n");
    expect(lines).toContain("tcp 10.0.0.1");
    expect(await seenOf(asked)).not.toMatch(/^\d/);
  });
});

describe("a policy route to a next hop", { timeout: 60_000 }, () => {
  it("sends flows to a router in the LAN with the device's address, and takes its answers", async () => {
    expect(await seen()).toBe(first);
    await edge.apply(withRoutes(route({ hop: inLan })));
    await sourcesAtRouter();
    expect(await seen()).toBe(byRouter);
    expect(await sourcesAtRouter()).toBe("10.0.0.1");
    expect(await counted()).toBe(1);
    expect(await edge.plan(withRoutes(route({ hop: inLan })))).toEqual([]);
    const packet = {
      ...({ from: "lan", interfaceName: "lan0", source: host4, destination: internet } as const),
      ...({ protocol: "tcp", sourcePort: null, targetPort: 7_000, mac: null } as const),
    };
    const { steps } = tracePacket(withRoutes(route({ hop: inLan })), packet);
    expect(steps.slice(-3).map(({ reason }) => reason)).toEqual([
      "routedToHop",
      "direct",
      "hopAddress",
    ]);
  });

  it("without NAT sends them with their own address, also where the router answers the host directly", async () => {
    await edge.apply(withRoutes(route({ hop: inLan, nat: false })));
    expect(await seen()).toBe(byRouter);
    expect(await sourcesAtRouter()).toBe(host4);
  });

  it("takes nothing of the space where a foreign route leads it to a WAN link", async () => {
    const lost = { v4: "10.7.9.9", v6: "fd07:7:9::9" };
    const spaces = [{ spaceId: 1, netns: null, networks: ["10.7.0.0/16", "fd07:7::/32"] }];
    const v6 = { address: "fd57:1:2::fe", interfaceName: "lan0" };
    const routes = [route({ hop: inLan }), route({ id: 4, hop: v6 })];
    const way = (family: string, action: string) => {
      const [network, gateway] =
        family === "-4" ? ["10.7.9.0/24", "198.51.100.1"] : ["fd07:7:9::/48", "2001:db8:1::1"];
      return cpe.run(["ip", family, "route", action, network, "via", gateway, "dev", "wan1"]);
    };
    await edge.apply({ ...withRoutes(...routes), spaces });
    await cpe.run(["ip", "-6", "addr", "replace", "2001:db8:1::2/64", "dev", "wan1", "nodad"]);
    // As a lease or the provider's router brings them: more special than those of the space.
    for (const family of ["-4", "-6"]) await way(family, "add");
    await router.run(["ip", "addr", "add", `${lost.v4}/32`, "dev", "lan"]);
    await router.run(["ip", "-6", "addr", "add", `${lost.v6}/128`, "dev", "lan", "nodad"]);
    await serveSources(router, lost.v4);
    await router.run(["nft", "-f", "-"], {
      input: `table inet lost {
        counter n { }
        chain c {
          type filter hook prerouting priority -300;
          ip daddr ${lost.v4} counter name "n"
          ip6 daddr ${lost.v6} counter name "n"
        }
      }\n`,
    });
    expect(await seenFrom(host, host4, lost.v4)).not.toMatch(/^\d/);
    expect(await seenFrom(host, host6, lost.v6)).not.toMatch(/^[\da-f]+:/);
    const taken = await router.run(["nft", "list", "counter", "inet", "lost", "n"]);
    expect(taken).toContain("packets 0 ");
    await router.run(["nft", "delete", "table", "inet", "lost"]);
    for (const family of ["-4", "-6"]) await way(family, "del");
  });

  it("drops what a host of that LAN makes up all the same", async () => {
    await edge.apply(withRoutes(route({ hop: inLan })));
    const sent = `const u = require("dgram").createSocket("udp4");
      u.bind(7300, "203.0.113.9", () => u.send("x", 7000, "${internet}", () => process.exit(0)));`;
    await host.run(["ip", "addr", "add", "203.0.113.9/32", "dev", "br0"]);
    const before = await counted();
    await host.run([process.execPath, "-e", sent]);
    expect(await counted()).toBe(before);
    expect(await cpe.run(["nft", "list", "set", "inet", "weft", "d_foreign"])).toContain("lan0");
    await host.run(["ip", "addr", "del", "203.0.113.9/32", "dev", "br0"]);
  });

  it("sends IPv6 to a next hop of IPv6, and IPv4 as before", async () => {
    const hop = { address: "fd57:1:2::fe", interfaceName: "lan0" };
    await edge.apply(withRoutes(route({ hop })));
    await cpe.run(["ip", "-6", "addr", "add", "2001:db8:1::2/64", "dev", "wan1", "nodad"]);
    await cpe.run(["ip", "-6", "route", "add", "2000::/3", "via", "2001:db8:1::1", "dev", "wan1"]);
    expect(await seenFrom(host, host6, internet6)).toBe(byRouter6);
    expect(await seen()).toBe(first);
    await cpe.run(["ip", "-6", "route", "del", "2000::/3"]);
  });

  it("sends flows to another router of a WAN link's network", async () => {
    const hop = { address: "198.51.100.2", interfaceName: "wan1" };
    await edge.apply(withRoutes(route({ hop })));
    await sourcesAtRouter();
    expect(await seen()).toBe(byRouter);
    expect(await sourcesAtRouter()).toBe(first);
  });

  it("ends flows when their next hop is another one, and leaves no trace when it goes", async () => {
    await edge.apply(plain);
    const before = await leftovers();
    await edge.apply(withRoutes(route({ hop: inLan })));
    const flows = host.run(lastingFlows(host4, internet, 6_000));
    await waitUntil("a flow", async () => (await counted()) >= 2, 20_000, 50);
    await waitUntil("answers", async () => (await sourcesAtRouter()) !== "", 20_000, 50);
    await edge.apply(
      withRoutes(route({ hop: { address: "198.51.100.2", interfaceName: "wan1" } })),
    );
    await edge.apply(plain);
    expect(await leftovers()).toBe(before);
    const lines = String(await flows).split("\n");
    expect(lines).toEqual(expect.arrayContaining([`tcp ${byRouter}`, `udp ${first}`]));
    expect(lines).not.toContain(`tcp ${first}`);
  });

  it("is passed over while its interface is down", async () => {
    const hop = { address: "203.0.113.1", interfaceName: "wan2" };
    const state = withRoutes(route({ hop }));
    await edge.apply(state);
    await edge.ask("watch", state);
    expect(await seen()).toMatch(/^203\.0\.113\./);
    await world.inet.run(["ip", "link", "set", "isp2", "down"]);
    await waitUntil("another way", async () => (await seen()) === first, 10_000, 100);
    await world.inet.run(["ip", "link", "set", "isp2", "up"]);
    await waitUntil("the next hop again", async () => (await seen()) !== first, 10_000, 100);
  });
});
