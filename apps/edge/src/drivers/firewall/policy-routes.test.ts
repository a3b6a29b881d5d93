/** Policy routes on real flows: which WAN link they take, and what becomes of them when it goes or the route does. */
import type { PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { tracePacket } from "@weft/contract/device/v1/trace/trace.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { lastingFlows, seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { cpeState, createWorld, makeSites, newKey, type World } from "../../../test/netns/world.ts";

const sites = makeSites();
const [, site] = sites;
const plain = cpeState(site, newKey(), [1, 2]);
const first = "198.51.100.20";
/** Hosts of the LAN: of the group, and of none. */
const hosts = { grouped: "10.0.0.100", other: "10.0.0.101" };
const internet = "192.0.2.1";
/** Of the space; no tunnel leads there. */
const inSpace = "10.7.0.9";

const route = (given: Partial<PolicyRoute>): PolicyRoute => ({
  id: 3,
  sources: 8,
  targets: null,
  time: null,
  slots: [2],
  nat: true,
  ...given,
});
const withRoutes = (...routes: PolicyRoute[]): DesiredState => ({
  ...plain,
  spaces: [{ spaceId: 1, netns: null, networks: ["10.0.0.0/24", "10.7.0.0/16"] }],
  policy: { sets: [{ id: 8, members: [`${hosts.grouped}-${hosts.grouped}`] }], limits: [], routes },
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;
let second = "";

const seen = (from: string): Promise<string> => seenFrom(host, from, internet);
/** Where a trace of the packet says that it leaves. */
const linkOf = (source: string, state = withRoutes(route({}))): unknown => {
  const packet = {
    ...({ from: "lan", interfaceName: "lan0", source, destination: internet } as const),
    ...({ protocol: "tcp", sourcePort: null, targetPort: 7_000, mac: null } as const),
  };
  const reported = new Map([[2, second]]);
  const { steps } = tracePacket(state, packet, { reported });
  return steps.findLast(({ params }) => "interfaceName" in params)?.params.interfaceName;
};
const counted = async (id: number): Promise<number> => {
  const name = `h_routerPolicyroute_${id}`;
  const text = await cpe.run(["nft", "list", "counter", "inet", "weft", name]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};
const leased = async (): Promise<string> => {
  const text = await cpe.run(["ip", "-4", "-o", "addr", "show", "dev", "wan2"]);
  return /inet ([\d.]+)/.exec(text)?.[1] ?? "";
};
const rulesOf = async (): Promise<string> =>
  [
    await cpe.run(["nft", "-s", "list", "table", "inet", "weft"]),
    await cpe.run(["ip", "rule"]),
    await cpe.run(["ip", "route", "show", "table", "all"]),
  ].join();

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  edge = await cpe.edge(site.key);
  await edge.apply(plain);
  await host.run(["ip", "addr", "add", `${hosts.other}/24`, "dev", "eth0"]);
  await serveSources(world.inet, internet);
  await waitUntil(
    "an address of the second line",
    async () => {
      second = await leased();
      return second !== "";
    },
    20_000,
    100,
  );
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a policy route that denies", { timeout: 60_000 }, () => {
  const router = "172.16.0.9";
  /** With a static route into the LAN, which no policy route without targets overrides. */
  const denying = (before: readonly PolicyRoute[], given: Partial<PolicyRoute> = {}) => {
    const to = [{ destination: "172.16.0.0/16", nextHop: hosts.other, metric: 1 }];
    const denial = route({ id: 9, slots: [], nat: false, deny: true, ...given });
    const state = { ...withRoutes(...before, denial), static: { routes: to } };
    const sets = [...(state.policy?.sets ?? []), { id: 7, members: [internet, "172.16.0.0/16"] }];
    return { ...state, policy: { limits: [], ...state.policy, sets } };
  };
  const refused = "ECONNREFUSED";
  const from = (source: string, target: string) => seenFrom(host, source, target);

  afterAll(async () => {
    await edge.apply(plain);
    await cpe.run(["conntrack", "-F"]);
  }, 30_000);

  it("refuses by targets, and ends running flows, but for those of a route before it", async () => {
    await edge.apply(denying([]));
    await edge.settled(denying([]));
    expect(await from(hosts.grouped, router)).toBe(refused);
    expect(await from(hosts.other, router)).toBe("silence");
    await edge.apply(withRoutes(route({})));
    const flows = [hosts.grouped, hosts.other].map((one) =>
      host.run(lastingFlows(one, internet, 9_000)),
    );
    await waitUntil("flows", async () => (await counted(3)) >= 2, 20_000, 50);
    await edge.apply(denying([route({})], { sources: null, targets: 7 }));
    expect(await from(hosts.grouped, internet)).toBe(second);
    expect(await from(hosts.other, internet)).toBe(refused);
    // Another generation: its first packet may be an answer.
    await edge.apply(denying([route({})], { id: 8, sources: null, targets: 7 }));
    expect(await from(hosts.other, internet)).toBe(refused);
    expect(await counted(8)).toBeGreaterThan(0);
    const [kept = [], ended = []] = (await Promise.all(flows)).map((text) =>
      String(text).trim().split("\n"),
    );
    expect([...new Set(kept)].sort()).toEqual([`tcp ${second}`, `udp ${second}`]);
    expect(ended).toContain("tcp ECONNRESET");
    const datagrams = (lines: string[]) => lines.filter((line) => line.startsWith("udp")).length;
    expect(datagrams(ended)).toBeLessThan(datagrams(kept));
  });

  it("ends what others let through by changing its rules, as soon as these are as they were", async () => {
    const state = denying([], { sources: null, targets: 7 });
    await edge.apply(state);
    await cpe.run(["nft", "flush", "chain", "inet", "weft", "c_deny"]);
    const flows = host.run(lastingFlows(hosts.other, internet, 9_000));
    const open = ["conntrack", "-L", "-p", "tcp", "-s", hosts.other, "--dport", "7000"] as const;
    const isOpen = async () => (await cpe.run(open)).includes("ESTABLISHED");
    await waitUntil("a flow", isOpen, 20_000, 50);
    await edge.apply(state);
    expect(String(await flows)).toContain("tcp ECONNRESET");
  });

  it("decides about what routes before it are not about: other ways, and what began before them", async () => {
    const hop = { address: "10.0.0.254", interfaceName: "lan0" };
    const elsewhere = route({ slots: [], destination: internet });
    await edge.apply(plain);
    const oneWay = `const u = require("dgram").createSocket("udp4");
      setTimeout(() => process.exit(0), 6000);
      u.bind(7300, "${hosts.grouped}", () => setInterval(() => u.send("x", 9, "203.0.113.1"), 20));`;
    const sending = host.run([process.execPath, "-e", oneWay]);
    const counter = ["counter", "inet", "seen", "n"] as const;
    await world.inet.run(["nft", "-f", "-"], {
      input: `table inet seen {
        counter n { }
        chain c { type filter hook prerouting priority 0; udp dport 9 counter name "n"; }
      }\n`,
    });
    const arrives = async () => {
      await world.inet.run(["nft", "reset", ...counter]);
      await new Promise((resolve) => setTimeout(resolve, 250));
      return !(await world.inet.run(["nft", "list", ...counter])).includes("packets 0 ");
    };
    await waitUntil("a flow", arrives, 20_000, 50);
    for (const before of [elsewhere, route({ slots: [], hop })]) {
      await edge.apply(denying([before]));
      await edge.settled(denying([before]));
      expect(await from(hosts.grouped, router)).toBe(refused);
      expect(await from(hosts.other, router)).toBe("silence");
      if (before !== elsewhere) continue;
      expect(await arrives()).toBe(false);
      // What fits both goes where the first one says: no server is at this address.
      expect(await from(hosts.grouped, "203.0.113.77")).toBe(first);
      expect(linkOf(hosts.grouped, denying([before]))).toBe("wan1");
    }
    await sending;
  });
});

describe("a policy route", { timeout: 60_000 }, () => {
  it("sends the flows of its group by its WAN link, and no others", async () => {
    expect(await seen(hosts.grouped)).toBe(first);
    await edge.apply(withRoutes(route({})));
    expect(await seen(hosts.grouped)).toBe(second);
    expect(await seen(hosts.other)).toBe(first);
    expect(await counted(3)).toBe(1);
    expect([linkOf(hosts.grouped), linkOf(hosts.other)]).toEqual(["wan2", "wan1"]);
    expect(await edge.plan(withRoutes(route({})))).toEqual([]);
  });

  it("is about its targets, and the first that fits decides", async () => {
    const elsewhere = {
      ...withRoutes(route({ id: 4, targets: 9 }), route({ id: 5, sources: null })),
    };
    const sets = [...(elsewhere.policy?.sets ?? []), { id: 9, members: ["203.0.113.200"] }];
    await edge.apply({ ...elsewhere, policy: { limits: [], ...elsewhere.policy, sets } });
    expect(await seen(hosts.other)).toBe(second);
    expect([await counted(4), await counted(5)]).toEqual([0, 1]);
    const there = [{ id: 9, members: ["192.0.2.0/24"] }, ...sets.slice(0, 1)];
    const firstLine = [route({ id: 4, targets: 9, slots: [1] }), route({ id: 5, sources: null })];
    await edge.apply({ ...elsewhere, policy: { limits: [], sets: there, routes: firstLine } });
    expect(await seen(hosts.grouped)).toBe(first);
    expect(await seen(hosts.other)).toBe(second);
  });

  it("is about one application where it names a group, as a trace says", async () => {
    const state = withRoutes(route({ sources: null, app: 6 }));
    const about = (port: string): DesiredState => ({
      ...state,
      policy: {
        sets: [],
        limits: [],
        ...state.policy,
        applications: [
          { id: 6, services: [{ protocol: "tcp", port, sourcePort: null, target: null }] },
        ],
      },
    });
    await edge.apply(about("6990-7000"));
    expect(await seen(hosts.other)).toBe(second);
    expect(linkOf(hosts.other, about("6990-7000"))).toBe("wan2");
    await edge.apply(about("7001"));
    expect(await seen(hosts.other)).toBe(first);
    expect(linkOf(hosts.other, about("7001"))).toBe("wan1");
  });

  it("shares its flows between its WAN links, and takes the other where one is missing", async () => {
    await edge.apply(withRoutes(route({ slots: [1, 2] })));
    const asked = await Promise.all(Array.from({ length: 12 }, () => seen(hosts.grouped)));
    expect([...new Set(asked)].sort()).toEqual([first, second].sort());
    await edge.apply(withRoutes(route({ slots: [2, 4] })));
    expect(await seen(hosts.grouped)).toBe(second);
  });

  it("leaves networks of the space, the device and its LAN where they are", async () => {
    await edge.apply(withRoutes(route({ sources: null })));
    const before = await counted(3);
    const capture = world.inet
      .run(["timeout", "2", "tcpdump", "-ni", "any", "-c", "1", "net", "10.7.0.0/16"], {
        timeoutMs: 5_000,
      })
      .catch((error: unknown) => String(error));
    for (const target of [inSpace, "10.0.0.1", first])
      await host.run(["ping", "-c1", "-W1", target]).catch(() => "");
    expect(await capture).not.toContain("10.7.0.9");
    expect(await counted(3)).toBe(before);
  });

  it("with targets overrides a static route of the site, and nothing of the space or the LANs", async () => {
    const around = (...routes: PolicyRoute[]): DesiredState => {
      const state = withRoutes(...routes);
      const to = [{ destination: `${internet}/32`, nextHop: hosts.other, metric: 1 }];
      const sets = [
        { id: 9, members: ["192.0.2.0/24"] },
        { id: 7, members: ["10.0.0.0/8"] },
      ];
      const policy = { limits: [], ...state.policy, sets };
      return { ...state, static: { routes: to }, policy };
    };
    const any = { sources: null, targets: null };
    await edge.apply(around(route(any)));
    await edge.settled(around(route(any)));
    expect(await seen(hosts.grouped)).not.toMatch(/^\d/);
    expect(linkOf(hosts.grouped, around(route(any)))).toBe("lan0");
    const aimed = around(route({ ...any, targets: 9 }), route({ ...any, id: 4, targets: 7 }));
    await edge.apply(aimed);
    expect(await seen(hosts.grouped)).toBe(second);
    expect(linkOf(hosts.grouped, aimed)).toBe("wan2");
    await cpe.run(["ip", "link", "add", "wl9", "type", "bridge"]);
    await cpe.run(["ip", "link", "set", "wl9", "up"]);
    // As if another site had just announced it, and this one's state did not know yet.
    await cpe.run(["ip", "route", "add", "10.8.0.0/16", "dev", "wl9"]);
    const capture = world.inet
      .run(["timeout", "3", "tcpdump", "-ni", "any", "-c", "1", "net", "10.0.0.0/8 and icmp"], {
        timeoutMs: 6_000,
      })
      .catch((error: unknown) => String(error));
    for (const target of [inSpace, "10.8.0.9", "10.0.0.1", hosts.other])
      await host.run(["ping", "-c1", "-W1", target]).catch(() => "");
    expect(await capture).not.toContain("ICMP");
    expect(await counted(4)).toBe(0);
    await cpe.run(["ip", "link", "del", "wl9"]);
  });

  it("without source NAT lets hosts be seen by their own address", async () => {
    await world.inet.run(["ip", "route", "add", "10.0.0.0/24", "via", second]);
    await edge.apply(withRoutes(route({ nat: false })));
    const udp = `const u = require("dgram").createSocket("udp4");
      u.bind(7300, "${hosts.grouped}", () => u.send("x", 7000, "${internet}", () => process.exit(0)));`;
    const capture = world.inet.run(
      ["timeout", "5", "tcpdump", "-ni", "any", "-c", "1", "udp port 7300"],
      { timeoutMs: 8_000 },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    await host.run([process.execPath, "-e", udp]);
    expect(await capture).toContain(`${hosts.grouped}.7300 > ${internet}.7000`);
    await world.inet.run(["ip", "route", "del", "10.0.0.0/24"]);
  });

  it("keeps its flows on their link when it goes, and leaves no trace", async () => {
    await edge.apply(plain);
    const before = await rulesOf();
    await edge.apply(withRoutes(route({})));
    const flows = host.run(lastingFlows(hosts.grouped, internet, 3_000));
    await waitUntil("a flow", async () => (await counted(3)) >= 2, 20_000, 50);
    await edge.apply(plain);
    expect(await seen(hosts.grouped)).toBe(first);
    const lines = String(await flows);
    expect(lines).toContain(second);
    expect(lines).not.toContain(first);
    expect(await rulesOf()).toBe(before);
  });

  it("ends the flows of a link that is gone, and new ones take what routing gives", async () => {
    const state = withRoutes(route({}));
    await edge.apply(state);
    await edge.ask("watch", state);
    const flows = host.run(lastingFlows(hosts.grouped, internet, 8_000));
    const before = await counted(3);
    await waitUntil("a flow", async () => (await counted(3)) > before, 20_000, 50);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await world.inet.run(["ip", "link", "set", "isp2", "down"]);
    await waitUntil("another way", async () => (await seen(hosts.grouped)) === first, 20_000, 100);
    const lines = String(await flows).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([`tcp ${second}`, `udp ${second}`, "tcp ECONNRESET", `udp ${first}`]),
    );
    await world.inet.run(["ip", "link", "set", "isp2", "up"]);
  });
});
