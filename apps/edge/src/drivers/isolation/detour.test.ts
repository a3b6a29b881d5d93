/** A line that claims networks of the space for itself: routes and leases of others, real packets. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { cpeState, createWorld, makeSites, newKey, type World } from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const networks = [one, two].flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf)).sort();
/** A member of the space without any link: what the line claims is all there is beside the LAN. */
const alone = (state: DesiredState): DesiredState => ({
  ...state,
  tunnels: [],
  routings: [],
  spaces: [{ spaceId: 1, netns: null, networks }],
});
const first = alone(cpeState(one, popKey, [1]));
const second = alone(cpeState(two, popKey, [1, 2]));

let world: World;
let edges: NetnsEdge[];
/** What a device does first that has nothing of its state yet, as after a reboot. */
let fresh: string[];

/**
 * Counts at the provider what comes for an address by an interface, from now on: what the device forwarded, which is one
 * hop away from its host, and not what it asks the gateway of its own line itself.
 */
const countAtProvider = (from: string, address: string) => {
  const match = address.includes(":")
    ? `ip6 daddr ${address} ip6 hoplimit != 64`
    : `ip daddr ${address} ip ttl != 64`;
  return world.inet.run(["nft", "-f", "-"], {
    input: `add table inet seen
delete table inet seen
table inet seen { counter n { }
chain c { type filter hook prerouting priority -400; iifname "${from}" ${match} counter name n; }; }
`,
  });
};
const packets = async (at: NetnsMachine, table: string, name: string) => {
  const text = await at.run(["nft", "list", "counter", "inet", table, name]).catch(() => "");
  return Number(/packets (\d+)/.exec(text)?.[1] ?? Number.NaN);
};

beforeAll(async () => {
  world = await createWorld(sites);
  edges = await Promise.all(world.cpes.slice(0, 2).map((cpe, i) => cpe.edge(sites[i]?.key ?? "")));
  await world.inet.run(["ip", "-6", "addr", "add", "2001:db8:1::1/64", "dev", "isp1", "nodad"]);
  fresh = (await edges[0]?.plan(first)) ?? [];
  await edges[0]?.apply(first);
  await edges[1]?.apply(second);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a start", { timeout: 30_000 }, () => {
  it("loads the rules before the machine gets an address or forwards", () => {
    expect(fresh[0]).toMatch(/^firewall: load rules of /);
    const forwards = fresh.findIndex((step) => step.startsWith("underlay: set ipv4/ip_forward"));
    expect(forwards).toBeGreaterThan(0);
  });

  it("with thousands of networks costs no more tools than with a few", async () => {
    const [edge] = edges;
    const many = Array.from({ length: 3_000 }, (_, at) => `10.${128 + (at >> 8)}.${at & 255}.0/24`);
    const wide = { spaceId: 1, netns: null, networks: [...networks, ...many] };
    await edge?.apply({ ...first, spaces: [wide] });
    expect(edge?.lastTools).toBeLessThan(60);
    await edge?.apply(first);
  });
});

describe("a route of others over a line", { timeout: 30_000 }, () => {
  beforeAll(async () => {
    const [cpe] = world.cpes;
    await cpe.run(["ip", "-6", "addr", "add", "2001:db8:1::2/64", "dev", "wan1", "nodad"]);
  });

  it.each([
    ["a longer one", "10.0.0.0/25", "198.51.100.1", "10.0.0.100"],
    ["an equal one", "10.0.0.0/24", "198.51.100.1", "10.0.0.100"],
    ["a longer one of IPv6", "fd57:1:2::/80", "2001:db8:1::1", "fd57:1:2::100"],
    ["an equal one of IPv6", "fd57:1:2::/64", "2001:db8:1::1", "fd57:1:2::100"],
  ])("%s takes no packet of the space out", async (_name, route, gateway, address) => {
    const [cpe] = world.cpes;
    const [host] = world.hosts;
    await countAtProvider("isp1", address);
    const way = [route, "via", gateway, "dev", "wan1", "metric", "1"];
    await cpe.run(["ip", "route", "add", ...way]);
    const before = await packets(cpe, "weft", "h_space_line");
    await pings(host, address, 3);
    expect(await packets(world.inet, "seen", "n")).toBe(0);
    // They were on their way out, and are counted.
    expect(await packets(cpe, "weft", "h_space_line")).toBe(before + 3);
    await cpe.run(["ip", "route", "del", ...way]);
    // What is of no space goes out all the same.
    expect(await pings(host, "192.0.2.1")).toBe(true);
  });
});

describe("a static route of the document by a line", { timeout: 60_000 }, () => {
  it.each([
    ["a longer one", "10.0.0.0/25", "198.51.100.1", "10.0.0.100"],
    ["an equal one", "10.0.0.0/24", "198.51.100.1", "10.0.0.100"],
    ["a longer one of IPv6", "fd57:1:2::/80", "2001:db8:1::1", "fd57:1:2::100"],
    ["an equal one of IPv6", "fd57:1:2::/64", "2001:db8:1::1", "fd57:1:2::100"],
  ])(
    "%s takes no packet of another site out, and is reported",
    async (_, destination, nextHop, address) => {
      const [cpe] = world.cpes;
      const [host] = world.hosts;
      const [edge] = edges;
      const state = { ...first, static: { routes: [{ destination, nextHop, metric: 1 }] } };
      await edge?.apply(state);
      await cpe.run(["ip", "-6", "addr", "replace", "2001:db8:1::2/64", "dev", "wan1", "nodad"]);
      expect(await edge?.findings(state)).toMatchObject([
        { kind: "route", object: destination, reason: "inSpace" },
      ]);
      await countAtProvider("isp1", address);
      await pings(host, address, 3);
      expect(await packets(world.inet, "seen", "n")).toBe(0);
      // With a document like this the firewall holds what another program's route would take out, too.
      const way = [destination, "via", nextHop, "dev", "wan1", "metric", "1"];
      await cpe.run(["ip", "route", "add", ...way]);
      await pings(host, address, 3);
      expect(await packets(world.inet, "seen", "n")).toBe(0);
      expect(await packets(cpe, "weft", "h_space_line")).toBeGreaterThanOrEqual(3);
      await cpe.run(["ip", "route", "del", ...way]);
      await edge?.apply(first);
    },
  );
});

/** Another network from the provider's DHCP server, on its side of the second line. */
const provide = async (gateway: string, first: string, last: string) => {
  const { inet } = world;
  await inet.run(["sh", "-c", "kill $(cat /run/dnsmasq.pid)"]);
  await inet.run(["ip", "addr", "flush", "dev", "isp2"]);
  await inet.run(["ip", "addr", "add", `${gateway}/25`, "dev", "isp2"]);
  const reported = ["--no-ping", "--interface=isp2", "--bind-dynamic", "--user=root"];
  const files = ["--conf-file=/dev/null", "--dhcp-leasefile=/run/leases2"];
  await inet.run([
    ...(["dnsmasq", "--port=0", ...reported, ...files, "--pid-file=/run/dnsmasq.pid"] as const),
    "--dhcp-authoritative",
    `--dhcp-range=${first},${last},255.255.255.128,2m`,
  ]);
};

describe("a lease of the second line", { timeout: 60_000 }, () => {
  const addresses = () => world.cpes[1].run(["ip", "-4", "addr", "show", "dev", "wan2"]);
  /** A client that starts again asks for a lease immediately; the next plan follows what it got. */
  const renewed = async (network: string) => {
    const [, edge] = edges;
    await edge?.apply({ ...second, underlay: { ...second.underlay, lines: [] } });
    await edge?.apply(second);
    const reported = async () => JSON.stringify(await edge?.findings(second)).includes(network);
    await waitUntil("a lease that is reported", reported, 20_000, 100);
    await waitUntil("no drift", async () => (await edge?.plan(second))?.length === 0, 10_000, 100);
    return edge?.findings(second);
  };

  it("in a network of the space carries the line, and none of the space's packets", async () => {
    const [, cpe] = world.cpes;
    const [, host] = world.hosts;
    await provide("10.1.1.1", "10.1.1.20", "10.1.1.99");
    const [finding] = (await renewed("leaseInSpace")) ?? [];
    expect(finding).toMatchObject({ object: "wan2", params: { network: "10.1.1.0/24" } });
    const own = /inet (10\.1\.1\.\d+)\/32/.exec(await addresses())?.[1] ?? "";
    expect(finding?.params.lease).toBe(`${own}/25`);
    await countAtProvider("isp2", "10.1.1.1");
    expect(await pings(host, "10.1.1.1", 3)).toBe(false);
    expect(await packets(world.inet, "seen", "n")).toBe(0);
    // What is bound to the line, as tunnels and the way to the controller are, goes by it.
    await cpe.run(["ping", "-n", "-c", "1", "-W", "1", "-I", own, "192.0.2.1"]);
  });

  it("in the site's own LAN is not used at all", async () => {
    await provide("10.0.0.1", "10.0.0.20", "10.0.0.90");
    expect(await renewed("leaseInLan")).toMatchObject([{ object: "wan2", reason: "leaseInLan" }]);
    expect(await addresses()).not.toContain("inet ");
    expect(await pings(world.hosts[1], "10.0.0.1")).toBe(true);
  });
});
