/** Edits of a link that carries traffic, and changes by hand, against the kernel, WireGuard and FRR of this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NetnsEdge, pings } from "../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../test/netns/world.ts";
import { waitUntil } from "./daemon.ts";
import type { Argv } from "./exec.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const ends = [
  { site: one, slots: [1] },
  { site: two, slots: [1] },
];

/** Both ends of site one's only link with a change in it. */
const edited = (change: Partial<Pick<LinkState, "mtu">>): [DesiredState, DesiredState] => {
  const withChange = (state: DesiredState): DesiredState => ({
    ...state,
    tunnels: state.tunnels.map((tunnel) => ({
      ...tunnel,
      links: tunnel.links.map((link) => (link.id === 11 ? { ...link, ...change } : link)),
    })),
  });
  return [withChange(popState(ends, popKey)), withChange(cpeState(one, popKey, [1]))];
};

let world: World;
let pop: NetnsEdge;
let cpe: NetnsEdge;

const hops = async (): Promise<string[]> => {
  const there = await world.cpes[0].run(["ip", "-6", "route", "show", "proto", "bgp"]);
  const far = await world.pop.run(["ip", "-6", "route", "show", "proto", "bgp"], {
    netns: "weft-s1",
  });
  return [...`${there}\n${far}`.matchAll(/^(\S+) .*via (\S+) dev wl11/gm)].map(
    ([, prefix, hop]) => `${prefix} ${hop}`,
  );
};

const bothFamilies = async () => {
  await waitUntil("IPv4 across", () => pings(world.hosts[0], "10.0.0.100", 1), 15_000, 50);
  await waitUntil("IPv6 across", () => pings(world.hosts[0], "fd57:1:2::100", 1), 15_000, 50);
};

beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  cpe = await world.cpes[0].edge(one.key);
  const other = await world.cpes[1].edge(two.key);
  const [popWants, cpeWants] = edited({});
  await pop.apply(popWants);
  await cpe.apply(cpeWants);
  await other.apply(cpeState(two, popKey, [1]));
  await waitUntil("IPv4 across", () => pings(world.hosts[0], "10.0.0.100", 1), 20_000, 50);
  await waitUntil("IPv6 across", () => pings(world.hosts[0], "fd57:1:2::100", 1), 20_000, 50);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

const frr = ["vtysh", "--vty_socket", "/run/weft-frr"] as const;
interface Session {
  readonly connectionsEstablished: number;
}

const space = (argv: Argv) => world.pop.run(argv, { netns: "weft-s1" });

const expectedHops = ["fd57:1:1::/64 fd57:ff:11::1", "fd57:1:2::/64 fd57:ff:11::"];

describe("an edit of a link", { timeout: 60_000 }, () => {
  it.each([1_300, 1_450, 1_200, 1_380])(
    "to MTU %i leaves at work what it can carry",
    async (mtu) => {
      const [popWants, cpeWants] = edited({ mtu });
      await pop.apply(popWants);
      await cpe.apply(cpeWants);
      await cpe.settled(cpeWants);
      await pop.settled(popWants);
      if (mtu >= 1_280) {
        await bothFamilies();
        expect((await hops()).sort()).toEqual(expectedHops);
      } else
        await waitUntil("IPv4 across", () => pings(world.hosts[0], "10.0.0.100", 1), 25_000, 50);
      const routes = await world.cpes[0].run(["ip", "-4", "route", "show", "proto", "bgp"]);
      expect(routes).toMatch(/^10\.0\.0\.0\/24 .*via 10\.255\.11\.0 dev wl11 /m);
    },
  );

  it("of its size alone takes neither an address nor a session away", async () => {
    const uptime = async () => {
      const text = await world.cpes[0].run([...frr, "-c", "show bgp neighbors 10.255.11.0 json"]);
      const [neighbor] = Object.values(JSON.parse(text) as Record<string, Session>);
      return neighbor?.connectionsEstablished;
    };
    const before = await uptime();
    expect(before).toBeGreaterThan(0);
    for (const mtu of [1_390, 1_300, 1_380]) {
      const [popWants, cpeWants] = edited({ mtu });
      await pop.apply(popWants);
      await cpe.apply(cpeWants);
    }
    await bothFamilies();
    expect(await uptime()).toBe(before);
  });

  it("that is new is called again when the first call was too early", async () => {
    const [popWants, cpeWants] = edited({});
    await pop.apply(popState([{ site: two, slots: [1] }], popKey));
    await world.cpes[0].run(["ip", "link", "del", "wl11"]);
    // Nothing listens there yet: this call is lost.
    await cpe.apply(cpeWants);
    await pop.apply(popWants);
    // WireGuard by itself calls again after 5 s.
    await waitUntil("the link", () => pings(world.cpes[0], "10.255.11.0", 1), 4_500, 50);
    await pop.settled(popWants);
    await bothFamilies();
  });

  it("is called by the end that waits too, where its peer was before a reboot", async () => {
    const [popWants] = edited({});
    const kept = () => readFileSync(join(world.pop.dataDir, "heard.json"), "utf8");
    await waitUntil("the peer's place on the disk", () => kept().includes("wl11"), 10_000);
    pop.kill();
    const names = "wireguard-go|zebra|staticd|bgpd|bfdd";
    const ids = (await world.pop.run(["pgrep", "-x", names])).trim().split("\n");
    await world.pop.run(["kill", "-9", ...ids]);
    await world.pop.run(["rm", "-rf", "/run/weft/links", "/run/weft/daemons"]);
    pop = await world.pop.edge(popKey);
    await pop.apply(popWants);
    const places = await world.pop.run(["wg", "show", "wl11", "endpoints"]);
    expect(places).toContain("198.51.100.10:51011");
    await pop.settled(popWants);
    await bothFamilies();
  });

  it("takes effect although zebra of the POP was killed a moment before", async () => {
    const living = ["pgrep", "--runstates", "S,R,D", "-x", "zebra"] as const;
    const zebra = (await world.pop.run(living)).trim();
    await world.pop.run(["kill", "-9", zebra]);
    const [popWants, cpeWants] = edited({ mtu: 1_370 });
    await pop.apply(popWants);
    await cpe.apply(cpeWants);
    await pop.settled(popWants);
    await cpe.settled(cpeWants);
    await bothFamilies();
    expect((await hops()).sort()).toEqual(expectedHops);
  });

  const byHand: readonly [string, () => Promise<unknown>][] = [
    ["is down", () => world.cpes[0].run(["ip", "link", "set", "wl11", "down"])],
    ["is down at the POP", () => space(["ip", "link", "set", "wl11", "down"])],
    ["has no addresses", () => space(["ip", "addr", "flush", "dev", "wl11"])],
    ["is gone", () => world.cpes[0].run(["ip", "link", "del", "wl11"])],
    [
      "has no IPv6 address while its session begins",
      async () => {
        await space(["ip", "-6", "addr", "flush", "dev", "wl11"]);
        await world.cpes[0].run([...frr, "-c", "clear bgp *"]);
        await waitUntil("IPv4 across", () => pings(world.hosts[0], "10.0.0.100", 1), 15_000, 50);
      },
    ],
  ];

  it.each(byHand)("that %s by hand is repaired in both families", async (_what, change) => {
    const [popWants, cpeWants] = edited({});
    await change();
    await pop.apply(popWants);
    await cpe.apply(cpeWants);
    await pop.settled(popWants);
    await cpe.settled(cpeWants);
    await bothFamilies();
    expect((await hops()).sort()).toEqual(expectedHops);
  });
});

describe("IPv6 of a link that is up", { timeout: 60_000 }, () => {
  const [, cpeWants] = edited({});
  const findings = () => cpe.findings(cpeWants);

  it("is reported when its other end has lost it, and no longer when it is back", async () => {
    await cpe.settled(cpeWants);
    expect(await findings()).toEqual([]);
    // The POP of this test does not heal by itself.
    await space(["ip", "-6", "addr", "del", "fd57:ff:11::/127", "dev", "wl11"]);
    const isFound = async () => (await findings()).length > 0;
    // Silence of 1.1 s, 2 s of patience (probe/ipv6.test.ts) and a round of the watch.
    await waitUntil("a finding", isFound, 20_000, 50);
    expect(await findings()).toEqual([
      {
        section: "tunnel.1.11",
        kind: "link",
        object: "wl11",
        reason: "noIpv6",
        params: { peer: "fd57:ff:11::" },
      },
    ]);
    const [link] = await cpe.measures();
    expect(link?.up).toBe(true);
    await pop.apply(edited({})[0]);
    await waitUntil("none", async () => (await findings()).length === 0, 25_000, 50);
    await bothFamilies();
  });
});

describe("a change by hand on a device that heals", { timeout: 60_000 }, () => {
  const across = () => pings(world.hosts[0], "10.0.0.100", 1);
  const answersWithin = (seconds: number) =>
    world.hosts[0].run(["ping", "-n", "-c", "1", "-W", `${seconds}`, "10.0.0.100"]).then(
      () => true,
      () => false,
    );
  const onCpe = (...argv: Argv) => world.cpes[0].run(argv);

  beforeAll(async () => {
    const [, cpeWants] = edited({});
    await cpe.settled(cpeWants);
    await cpe.ask("watch", cpeWants);
    await waitUntil("a packet across", across, 10_000, 50);
  });

  const nft = (text: string) => world.cpes[0].run(["nft", "-f", "-"], { input: `${text}\n` });
  const hook = "type filter hook forward priority -400";
  const changes: readonly [string, () => Promise<unknown>][] = [
    ["a LAN that is set down", () => onCpe("ip", "link", "set", "lan0", "down")],
    [
      "a chain in our table",
      () => nft(`table inet weft { chain byhand { ${hook}; policy drop; }; }`),
    ],
    ["a rule in our table", () => nft("insert rule inet weft c_forward drop")],
    ["a network taken from a set of ours", () => nft("flush set inet weft s_lan4")],
    ["an address that is taken", () => onCpe("ip", "addr", "del", "10.1.1.1/24", "dev", "lan0")],
    ["forwarding switched off", () => onCpe("sysctl", "-q", "-w", "net.ipv4.ip_forward=0")],
  ];

  // The program of this test has no heartbeat: it examines the machine after a message of the kernel
  // only (test/netns/child.ts). state/drift.test.ts proves how soon after it, by a clock of its own.
  it.each(changes)("%s is repaired after the kernel's message", async (_what, change) => {
    const found = async () => (await cpe.ask("found")) as number;
    const before = await found();
    await change();
    await waitUntil("the message", async () => (await found()) > before, 25_000, 20);
    await waitUntil("packets again", () => answersWithin(0.1), 25_000, 20);
    await cpe.settled(edited({})[1]);
  });

  it("tables, routes and rules of others that are in the way are named", async () => {
    await nft(`table ip evil { chain f { ${hook}; policy drop; }; }`);
    const before = "type filter hook prerouting priority -400";
    const later = "type filter hook postrouting priority 400";
    // One drops by a chain that it jumps to, and one only counts.
    await nft(`table inet worse { chain n { udp dport 53 drop; }; chain c { ip6 daddr ::/0 counter; }
      chain p { ${before}; ip saddr 10.1.1.0/24 jump n; }; chain q { ${later}; jump c; }; }`);
    await nft(
      "table ip6 last { chain i { type filter hook input priority 1; tcp dport 1 reject; }; }",
    );
    await onCpe("ip", "route", "add", "10.0.0.0/25", "via", "10.1.1.9");
    await onCpe("ip", "rule", "add", "to", "10.0.0.0/24", "lookup", "77", "priority", "500");
    await onCpe("ip", "-6", "rule", "add", "iif", "lan0", "prohibit", "priority", "30000");
    const named = [
      "foreign: nft table inet worse of another program has rules that drop what arrives (p)",
      "foreign: nft table ip evil of another program drops what is forwarded (f)",
      "foreign: nft table ip6 last of another program has rules that drop what the device itself receives (i)",
      "foreign: route 10.0.0.0/25 via 10.1.1.9 dev lan0 of another program shadows 10.0.0.0/24",
      "foreign: rule 30000 of IPv6 (iif lan0 prohibit) of another program is looked at before the device's routes",
      "foreign: rule 500 of IPv4 (to 10.0.0.0/24 lookup 77) of another program is looked at before the device's routes",
    ];
    const shown = async () => ((await cpe.ask("drift")) as string[]).sort();
    await waitUntil("all are shown", async () => (await shown()).length >= 6, 25_000, 50);
    expect(await shown()).toEqual(named);
    for (const table of ["ip evil", "inet worse", "ip6 last"])
      await onCpe("nft", "delete", "table", ...(table.split(" ") as [string, string]));
    await onCpe("ip", "route", "del", "10.0.0.0/25");
    await onCpe("ip", "rule", "del", "priority", "500");
    await onCpe("ip", "-6", "rule", "del", "priority", "30000");
    await waitUntil("none is", async () => (await shown()).length === 0, 25_000, 50);
  });
});
