/** Central breakout with real packets: one site follows the default route that another announces. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { askName } from "../../test/netns/ask-name.ts";
import { cable, type NetnsEdge, type NetnsMachine, pings } from "../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const wholes = ["0.0.0.0/0", "::/0"];
const networks = [...[one, two].flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf)), ...wholes];
const inSpace = (state: DesiredState): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({ spaceId, netns, networks })),
});

/** The world's lines are of IPv4: each site gets another one, of IPv6 and without tunnels. */
const twoLines = (state: DesiredState): DesiredState => {
  const network = `2001:db8:${state.node.nodeId}:`;
  const line = {
    slot: 3,
    interfaceName: "wan3",
    addressing: "static" as const,
    ip: `${network}:2/64`,
    gateway: `${network}:1`,
  };
  return {
    ...state,
    underlay: { ...state.underlay, lines: [...state.underlay.lines, line] },
    firewall: { ...state.firewall, wan: [...state.firewall.wan, "wan3"] },
  };
};

/** Site one as it is by default, and as one whose LAN leaves by the space. */
const local = twoLines(inSpace(cpeState(one, popKey, [1])));
const central: DesiredState = {
  ...local,
  underlay: {
    ...local.underlay,
    lans: local.underlay.lans.map((lan) => ({ ...lan, direct: false, central: true })),
  },
};
/** Site two announces default routes. */
const plain = twoLines(inSpace(cpeState(two, popKey, [1])));
const exit: DesiredState = {
  ...plain,
  routings: plain.routings.map((routing) => ({
    ...routing,
    announce: [...routing.announce, ...wholes],
  })),
};
const joined = popState(
  [
    { site: one, slots: [1] },
    { site: two, slots: [1] },
  ],
  popKey,
);
/** The POP takes default routes from site two. */
const hub = inSpace({
  ...joined,
  routings: joined.routings.map((routing) => ({
    ...routing,
    neighbors: routing.neighbors.map((neighbor) => ({
      ...neighbor,
      accept: [...(neighbor.accept ?? []), ...(neighbor.linkId === 21 ? wholes : [])],
    })),
  })),
});

/** Of the internet, behind neither site. */
const outside = ["192.0.2.1", "2001:db8:9::1"] as const;
let world: World;
let pop: NetnsEdge;
let edges: NetnsEdge[];

/** Counts, at the provider, what comes for the outside addresses by the line of each site, from now on. */
const countAtProvider = () =>
  world.inet.run(["nft", "-f", "-"], {
    input: `add table netdev seen
delete table netdev seen
table netdev seen {
${[1, 2]
  .map(
    (site) => `counter n${site} { }
chain c${site} { type filter hook ingress device "c${site}" priority 0;
  ip daddr ${outside[0]} icmp type echo-request counter name n${site}; }
chain d${site} { type filter hook ingress device "d${site}" priority 0;
  ip6 daddr ${outside[1]} icmpv6 type echo-request counter name n${site}; }`,
  )
  .join("\n")}
}
`,
  });
const countedAtProvider = async (site: 1 | 2): Promise<number> => {
  const text = await world.inet.run(["nft", "list", "counter", "netdev", "seen", `n${site}`]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};

const reaches = (host: NetnsMachine, address: string) => () => pings(host, address, 1);
const hasDefaultAtPop = async (family: "-4" | "-6") =>
  (await world.pop.run(["ip", family, "route", "show", "default"], { netns: "weft-s1" })) !== "";
const tableOfExit = (cpe: NetnsMachine, family: "-4" | "-6") =>
  cpe.run(["ip", family, "route", "show", "table", "110"]).catch(() => "");

/** Drops what tunnels are made of, on the internet, silently. */
const dropTunnels = (yes: boolean) =>
  world.inet.run(["nft", "-f", "-"], {
    input: yes
      ? "table inet cut { chain f { type filter hook forward priority 0; meta l4proto udp drop; }; }\n"
      : "delete table inet cut\n",
  });

beforeAll(async () => {
  world = await createWorld(sites);
  const { inet } = world;
  for (const number of [1, 2] as const) {
    await cable([inet, `d${number}`], [world.cpes[number - 1] ?? inet, "wan3"]);
    await inet.run(["ip", "addr", "add", `2001:db8:${number}::1/64`, "dev", `d${number}`, "nodad"]);
  }
  await inet.run(["ip", "-6", "addr", "add", `${outside[1]}/128`, "dev", "lo", "nodad"]);
  await inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  pop = await world.pop.edge(popKey);
  edges = await Promise.all(world.cpes.slice(0, 2).map((cpe, i) => cpe.edge(sites[i]?.key ?? "")));
  await Promise.all([pop.apply(hub), edges[0]?.apply(local), edges[1]?.apply(exit)]);
  await waitUntil("the space", reaches(world.hosts[0], "10.0.0.100"), 30_000);
  await waitUntil("the space of IPv6", reaches(world.hosts[0], "fd57:1:2::100"), 30_000);
  for (const family of ["-4", "-6"] as const)
    await waitUntil("a default route at the POP", () => hasDefaultAtPop(family), 20_000, 100);
}, 90_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a site that did not choose", { timeout: 60_000 }, () => {
  it("leaves by its own line, although another announces default routes", async () => {
    await countAtProvider();
    for (const address of outside) expect(await pings(world.hosts[0], address, 3)).toBe(true);
    expect(await countedAtProvider(1)).toBe(6);
    expect(await countedAtProvider(2)).toBe(0);
  });

  it("takes no default route from the space, which would replace one of its own that is gone", async () => {
    const [cpe] = world.cpes;
    const known = (what: string) =>
      cpe.run(["vtysh", "--vty_socket", "/run/weft-frr", "-c", `show bgp ${what} json`]);
    expect(await known("ipv4 unicast 0.0.0.0/0")).not.toContain("paths");
    expect(await known("ipv6 unicast ::/0")).not.toContain("paths");
    expect(await known("ipv4 unicast 10.0.0.0/24")).toContain("paths");
  });
});

describe("a site that leaves by the space", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    await edges[0]?.apply(central);
    const [host] = world.hosts;
    for (const address of outside)
      await waitUntil(`${address} by the space`, reaches(host, address), 20_000);
  }, 60_000);

  it("reaches the internet by the announcing site's line in both families, and by no line of its own", async () => {
    await countAtProvider();
    for (const address of outside) expect(await pings(world.hosts[0], address, 3)).toBe(true);
    expect(await countedAtProvider(2)).toBe(6);
    expect(await countedAtProvider(1)).toBe(0);
    // Sites of the space as before, and nothing is left to do.
    for (const address of ["10.0.0.100", "fd57:1:2::100"])
      expect(await pings(world.hosts[0], address)).toBe(true);
    expect(await edges[0]?.plan(central)).toEqual([]);
    expect(await edges[1]?.plan(exit)).toEqual([]);
  });

  it("denies names to a group of its hosts, whichever server of the internet they query", async () => {
    const [host] = world.hosts;
    const server = outside[0];
    const asks = async (name: string, port = 53): Promise<string | undefined> =>
      (await askName(host, { name, server, port, overTcp: port !== 53 })).split(",")[0];
    for (const port of ["53", "853"])
      await world.inet.run([
        "dnsmasq",
        "--conf-file=/dev/null",
        "--no-resolv",
        "--no-hosts",
        "--user=root",
        "--bind-interfaces",
        `--listen-address=${server}`,
        `--port=${port}`,
        `--pid-file=/run/names-${port}.pid`,
        "--address=/example/192.0.2.40",
      ]);
    const isAnswered = (port: number) => async () =>
      (await asks("games.example", port)) === "NOERROR";
    for (const port of [53, 853])
      await waitUntil(`names at port ${port} by the space`, isAnswered(port), 20_000);
    const state: DesiredState = {
      ...central,
      dns: {
        answers: [{ domain: "example", address: "192.0.2.41" }],
        denied: [],
        ranges: [],
        servers: [],
      },
      policy: {
        sets: [{ id: 8, members: ["10.1.1.100"] }],
        limits: [],
        nameRules: [{ id: 1, names: ["games.example"], sources: 8, time: null, denies: true }],
      },
    };
    await edges[0]?.apply(state);
    await waitUntil("the rule", async () => (await asks("games.example")) === "NXDOMAIN", 20_000);
    expect(await asks("a.example")).toBe("NOERROR");
    expect(await asks("games.example", 853)).toBe("ECONNREFUSED");
    await edges[0]?.apply(central);
    await waitUntil("names by the space again", isAnswered(53), 20_000);
  });

  it("keeps its own traffic, tunnels and controller, on its line", async () => {
    await world.cpes[0].run(["ping", "-n", "-c", "1", "-W", "1", outside[0]]);
    const way = await world.cpes[0].run(["ip", "route", "get", outside[0]]);
    expect(way).toContain("via 198.51.100.1 dev wan1");
  });

  it("sends nothing out of its line while the tunnels are down, and goes on afterwards", async () => {
    const [cpe] = world.cpes;
    const [host] = world.hosts;
    await dropTunnels(true);
    const empty = async () =>
      (await tableOfExit(cpe, "-4")) === "" && (await tableOfExit(cpe, "-6")) === "";
    await waitUntil("no default of the space", empty, 20_000, 100);
    await countAtProvider();
    for (const address of outside) expect(await pings(host, address, 3)).toBe(false);
    expect(await countedAtProvider(1)).toBe(0);
    expect(await countedAtProvider(2)).toBe(0);
    await dropTunnels(false);
    for (const address of outside)
      await waitUntil(`${address} again`, reaches(host, address), 20_000);
  });

  it("has no internet when the other site stops announcing, and does not fall back to its own line", async () => {
    const [cpe] = world.cpes;
    await edges[1]?.apply(plain);
    const empty = async () => (await tableOfExit(cpe, "-4")) === "";
    await waitUntil("no default of the space", empty, 10_000, 100);
    await countAtProvider();
    for (const address of outside) expect(await pings(world.hosts[0], address, 2)).toBe(false);
    expect(await countedAtProvider(1)).toBe(0);
    await edges[1]?.apply(exit);
    await waitUntil("the exit again", reaches(world.hosts[0], outside[0]), 20_000);
  });

  it("leaves by its own line again when it chooses that, and ends nothing of the space", async () => {
    await edges[0]?.apply(local);
    await countAtProvider();
    for (const address of outside) expect(await pings(world.hosts[0], address, 2)).toBe(true);
    expect(await countedAtProvider(2)).toBe(0);
    expect(await pings(world.hosts[0], "10.0.0.100")).toBe(true);
    expect(await edges[0]?.plan(local)).toEqual([]);
  });
});

describe("what cannot act", () => {
  it("is a finding: no site of the space announces a default route", async () => {
    const spaces = central.spaces?.map((space) => ({
      ...space,
      networks: space.networks.filter((network) => !wholes.includes(network)),
    }));
    expect(await edges[0]?.findings({ ...central, ...(spaces && { spaces }) })).toMatchObject([
      { section: "firewall", kind: "lan", object: "10.1.1.0/24", reason: "noExit" },
    ]);
    expect(await edges[0]?.findings(central)).toEqual([]);
  });
});
