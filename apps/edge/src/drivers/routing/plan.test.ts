import { describe, expect, it } from "vitest";
import { change, lines, part, section, text } from "../../../test/routing-part.ts";
import { diffConfig, planRouting, type RoutingFound } from "./plan.ts";
import type { RoutingPart } from "./render.ts";
import { parseRib, parseRunning, parseVrfs } from "./running.ts";

describe("renderRouting", () => {
  it("makes a spoke that announces its own prefixes and nothing else", () => {
    const shown = text(part());
    expect(shown).toContain("neighbor 10.255.0.0 route-map s5-out out");
    expect(shown).toMatch(/ip prefix-list s5-out seq \d+ permit 10\.1\.1\.0\/24/);
    expect(shown).toContain("route-map s5-out deny 65535");
    expect(shown).toContain("network fd57:1::/64");
    expect(shown).not.toContain("route-reflector-client");
  });
  it("does not let bgpd keep the first routes back for longer the more neighbours there are", () => {
    expect(text(part())).toMatch(/^router bgp 65000$(\n(?!exit).*)*\ncoalesce-time 50$/m);
  });
  it("emits no line that equals a default", () => {
    expect(text(part())).not.toContain("detect-multiplier");
    const defaults = section({ bfd: { intervalMs: 300, multiplier: 4 } });
    const shown = text(part({ instances: [defaults] }));
    expect(shown).toContain("detect-multiplier 4");
    expect(shown).not.toContain("interval");
  });
  it("makes a hub that reflects, in the namespace of the space", () => {
    const [neighbor] = section().neighbors;
    const neighbors = neighbor ? [{ ...neighbor, client: true, accept: ["10.1.1.0/24"] }] : [];
    const hub = section({ reflector: true, netns: "weft-s5", announce: [], neighbors });
    const shown = text(part({ instances: [hub] }));
    expect(shown).toContain("router bgp 65000 vrf weft-s5");
    expect(shown).toContain("neighbor 10.255.0.0 route-reflector-client");
    expect(shown).toContain("neighbor 10.255.0.0 next-hop-self force");
    expect(shown).not.toContain("s5-out");
    // No IPv6 prefix is accepted, so there is no stanza that would take one.
    expect(shown).not.toContain("route-map wl7-in permit 20");
  });
  it("takes nothing from a neighbour that may announce nothing", () => {
    const [neighbor] = section().neighbors;
    const neighbors = neighbor ? [{ ...neighbor, accept: [] }] : [];
    const shown = text(part({ instances: [section({ neighbors })] }));
    expect(shown).toContain("route-map wl7-in deny 65535");
    expect(shown).not.toContain("route-map wl7-in permit");
  });
  it.each([
    [
      { destination: "10.9.0.7/16", nextHop: "10.1.1.2", metric: 0 },
      "ip route 10.9.0.0/16 10.1.1.2\n",
    ],
    [
      { destination: "10.9.0.0/16", nextHop: "10.1.1.2", metric: 50 },
      "ip route 10.9.0.0/16 10.1.1.2 50\n",
    ],
    [
      { destination: "fd00:9::/48", nextHop: "FD57:1::2", metric: 1 },
      "ipv6 route fd00:9::/48 fd57:1::2\n",
    ],
  ])("static %j", (route, line) => {
    expect(text(part({ instances: [], statics: [route] }))).toBe(line);
  });
});

describe("parseRunning", () => {
  it("reads back what was rendered, without the program's own lines", () => {
    const wanted = part({
      statics: [{ destination: "10.9.0.0/16", nextHop: "10.1.1.2", metric: 5 }],
    });
    const shown = [
      "Building configuration...",
      "frr version 8.4.4",
      "hostname vm",
      "no ip forwarding",
      "no ipv6 forwarding",
      "!",
      "vrf weft-s9",
      " netns /run/netns/weft-s9",
      "exit-vrf",
      "!",
      text(wanted),
      "end",
    ].join("\n");
    const { add, remove } = diffConfig(parseRunning(shown), lines(wanted));
    expect([add, remove]).toEqual([[], []]);
  });
});

describe("diffConfig", () => {
  it("does nothing between equals", () => {
    expect(change(part(), part())).toEqual({ add: "\n", remove: "\n" });
  });
  it("lets a new value replace the old", () => {
    const [neighbor] = section().neighbors;
    const neighbors = neighbor ? [{ ...neighbor, preference: 100 }] : [];
    const changed = change(part(), part({ instances: [section({ neighbors })] }));
    expect(changed.add).toContain("set local-preference 100");
    expect(changed.remove).toBe("\n");
  });
  it("touches one entry of a list when one prefix comes or goes", () => {
    const more = part({
      instances: [section({ announce: ["10.1.1.0/24", "10.2.0.0/16", "fd57:1::/64"] })],
    });
    const { add } = diffConfig(lines(part()), lines(more));
    expect(add.map(({ line }) => line.replace(/seq \d+/, "seq N"))).toEqual([
      "ip prefix-list s5-out seq N permit 10.2.0.0/16",
      "network 10.2.0.0/16",
    ]);
    const back = diffConfig(lines(more), lines(part())).remove;
    expect(back.map(({ line }) => line.replace(/seq \d+/, "seq N"))).toEqual([
      "no network 10.2.0.0/16",
      "no ip prefix-list s5-out seq N permit 10.2.0.0/16",
    ]);
  });
  it("takes a neighbour away as a whole, and its filter after it", () => {
    const { remove } = diffConfig(
      lines(part()),
      lines(part({ instances: [section({ neighbors: [] })] })),
    );
    expect(remove.map(({ line }) => line)).toEqual([
      "no neighbor 10.255.0.0",
      "no route-map wl7-in deny 3",
      "no route-map wl7-in deny 4",
      "no route-map wl7-in permit 10",
      "no route-map wl7-in permit 20",
      "no ipv6 prefix-list wl7-in seq 5 permit any",
    ]);
  });
  it("turns from refusing default routes to following them, each entry by its own number", () => {
    const { add, remove } = change(part(), part({ followsDefault: true }));
    for (const [at, keyword] of [
      [1, "ip"],
      [2, "ipv6"],
    ] as const) {
      expect(add).toMatch(
        new RegExp(`route-map wl7-in permit ${at}\nmatch ${keyword} address prefix-list whole\n`),
      );
      expect(remove).toContain(`no route-map wl7-in deny ${at + 2}\n`);
    }
    expect(add.match(/set table 110/g)).toHaveLength(2);
    expect(change(part({ followsDefault: true }), part()).remove).toBe(
      "no route-map wl7-in permit 1\nno route-map wl7-in permit 2\n",
    );
  });
  it("takes a space away as a whole", () => {
    const { remove } = change(part(), part({ instances: [], statics: [] }));
    expect(remove).toContain("no router bgp 65000\n");
    expect(remove).toContain("bfd\nno profile s5\nexit\n");
    expect(remove).not.toContain("no neighbor");
  });
  it("ends the BGP of another number first", () => {
    const { add, remove } = change(part(), part({ instances: [section({ asn: 65_001 })] }));
    expect(add.startsWith("no router bgp 65000\nrouter bgp 65001\n")).toBe(true);
    expect(remove).toBe("\n");
  });
});

describe("parseVrfs, parseRib", () => {
  it("distinguishes namespaces that zebra serves from those that it lost", () => {
    const shown =
      "netns-based vrfs\nvrf weft-s1 id 2 netns /run/netns/weft-s1\nvrf weft-s2 inactive\n";
    expect([...parseVrfs(shown)]).toEqual([
      ["weft-s1", true],
      ["weft-s2", false],
    ]);
  });
  it("reads a table after the other", () => {
    const route = (vrfName: string, protocol: string) => ({
      "10.0.0.0/24": [
        {
          prefix: "10.0.0.0/24",
          protocol,
          vrfName,
          selected: true,
          installed: true,
          nexthops: [{ fib: true, ip: "10.255.0.1", interfaceName: "wl7" }],
        },
      ],
    });
    const shown = [route("default", "connected"), {}, route("weft-s1", "bgp")]
      .map((table) => JSON.stringify(table, null, 2))
      .join("\n");
    expect(parseRib(shown)).toEqual([
      { netns: "weft-s1", prefix: "10.0.0.0/24", protocol: "186", hops: ["10.255.0.1 wl7"] },
    ]);
  });
});

describe("planRouting", () => {
  const found = (given: Partial<RoutingFound> = {}): RoutingFound => ({
    daemons: "whole",
    runsOspf: false,
    config: lines(part()),
    vrfs: new Map(),
    netns: [],
    missing: [],
    stale: [],
    ...given,
  });
  const route = { netns: null, prefix: "10.0.0.0/24", protocol: "186", hops: ["10.255.0.0 wl7"] };
  it.each<[string, RoutingPart, Partial<RoutingFound>, string[]]>([
    ["as wanted", part(), {}, []],
    ["nothing wanted, nothing there", part({ instances: [] }), { daemons: "none" }, []],
    ["nothing wanted", part({ instances: [] }), {}, ["stop"]],
    ["nothing there", part(), { daemons: "none", config: [] }, ["start", "configure"]],
    ["OSPF is not asked for any more", part(), { daemons: "whole", runsOspf: true }, ["stopOspf"]],
    ["a daemon died", part(), { daemons: "part", config: [] }, ["start", "configure"]],
    ["the kernel lost a route", part(), { missing: [route] }, ["restore"]],
    ["the kernel kept a route", part(), { stale: [route] }, ["purge"]],
    ["a namespace is left over", part(), { vrfs: new Map([["weft-s9", false]]) }, ["forget"]],
    ["a foreign namespace", part(), { vrfs: new Map([["docker", true]]) }, []],
  ])("%s", (_name, wanted, given, kinds) => {
    expect(planRouting(wanted, found(given)).map(({ kind }) => kind)).toEqual(kinds);
  });
  it("waits for the namespace of a space", () => {
    const wanted = part({ instances: [section({ netns: "weft-s5" })] });
    const waits = (given: Partial<RoutingFound>) =>
      planRouting(wanted, found({ config: lines(wanted), ...given })).flatMap((step) =>
        step.kind === "configure" ? step.vrfs : [],
      );
    expect(waits({})).toEqual(["weft-s5"]);
    expect(waits({ netns: ["weft-s5"], vrfs: new Map([["weft-s5", true]]) })).toEqual([]);
  });
});
