/** Rates on real packets: of a device, of its WAN links and of bandwidth tunnels, towards the internet and the space. */
import type { BandwidthTunnel } from "@weft/contract/device/v1/policy.ts";
import type { ShapingSection } from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import {
  arriving,
  bound,
  counting,
  type Load,
  node,
  ratesIn,
  sending,
} from "../../../test/netns/load.ts";
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
const plain = cpeState(two, popKey, [1, 2]);
/** Hosts of the LAN: of the group, and of none. */
const hosts = { grouped: "10.0.0.100", other: "10.0.0.101", grouped6: "fd57:1:2::100" };
/** Of the internet, and of the other site. */
const targets = { internet: "192.0.2.1", space: "10.1.1.100", space6: "fd57:1:1::100" };

const tunnel = (given: Partial<BandwidthTunnel>): BandwidthTunnel => ({
  id: 5,
  guaranteed: 4_000,
  most: 6_000,
  up: true,
  down: true,
  slot: null,
  ...given,
});
const withRates = (
  rates: Partial<ShapingSection>,
  tunnels: BandwidthTunnel[] = [],
): DesiredState => ({
  ...plain,
  shaping: { up: null, down: null, lines: [], ...rates },
  ...(tunnels.length > 0 && {
    policy: {
      sets: [{ id: 8, members: [hosts.grouped, hosts.grouped6] }],
      limits: [],
      tunnels,
      bandwidths: [{ id: 3, tunnel: 5, hosts: 8, app: null, time: null }],
    },
  }),
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

const grouped: Load = { from: hosts.grouped, to: targets.internet, port: 7_001 };
const other: Load = { from: hosts.other, to: targets.internet, port: 7_002 };

/** Everything of queues and rules that a state could leave behind. */
const leftovers = async (): Promise<string> =>
  [
    await cpe.run(["tc", "qdisc", "show"]),
    await cpe.run(["ip", "-br", "link"]),
    await cpe.run(["nft", "-s", "list", "table", "inet", "weft"]),
  ]
    .join("\n")
    .replaceAll(/qdisc noqueue 0: dev (wl\d+|tun\d+) .*\n/g, "");

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  const pop = await world.pop.edge(popKey);
  await pop.apply(
    popState(
      [
        { site: one, slots: [1] },
        { site: two, slots: [1, 2] },
      ],
      popKey,
    ),
  );
  const far = await world.cpes[0].edge(one.key);
  await far.apply(cpeState(one, popKey, [1]));
  edge = await cpe.edge(two.key);
  await edge.apply(plain);
  await host.run(["ip", "addr", "add", `${hosts.other}/24`, "dev", "eth0"]);
  await waitUntil(
    "the other site",
    async () =>
      (await host.run(["ping", "-c1", "-W1", targets.space]).catch(() => "")).includes(" 0% "),
    120_000,
    200,
  );
}, 240_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

const toSpace: Load = { from: hosts.grouped, to: targets.space, port: 7_003 };
const toSpace6: Load = { from: hosts.grouped6, to: targets.space6, port: 7_004 };

/** Mbit/s that hosts get of what they ask the internet for: the flows are their own, and packets come back. */
const asked = async (loads: readonly [Load, ...Load[]]): Promise<number[]> => {
  const answers = loads.map(
    ({ port }) => `{
      const u = require("dgram").createSocket("udp4").on("error", () => {});
      u.once("message", (_, from) => send(u, from.port, from.address)).bind(${port}, "${targets.internet}");
    }`,
  );
  const answering = node(world.inet, [sending, ...answers].join("\n"));
  await bound(world.inet, loads[0]);
  const questions = loads.map(
    ({ from, to, port }) => `{
      const u = require("dgram").createSocket("udp4").on("message", counted(${port}));
      u.bind(${port}, "${from}", () => u.send("x", ${port}, "${to}", () => {}));
    }`,
  );
  const rates = ratesIn(await node(host, [counting, ...questions].join("\n")), loads);
  await answering;
  return rates;
};

/** Links that carry packets, and sessions of BFD that broke since the start. */
const links = async () => {
  const up = (await edge.measures()).filter((link) => link.up).map(({ id }) => id);
  const peers = JSON.parse(
    await cpe.run(["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show bfd peers counters json"]),
  ) as { "session-down": number }[];
  return { up: up.sort(), down: peers.map((peer) => peer["session-down"]) };
};

describe("rates", { timeout: 90_000 }, () => {
  it("guarantee a tunnel its rate, keep it to its maximum, and the whole to that of the device", async () => {
    const state = withRates({ up: 8_000 }, [tunnel({})]);
    await edge.apply(state);
    const [least = 0, rest = 0] = await arriving(world.inet, host, [grouped, other]);
    expect(least).toBeGreaterThan(3.8);
    expect(least + rest).toBeLessThan(8.4);
    expect(least + rest).toBeGreaterThan(7);
    const [most = 0] = await arriving(world.inet, host, [grouped]);
    expect(most).toBeGreaterThan(5.7);
    expect(most).toBeLessThan(6.3);
    expect(await edge.plan(state)).toEqual([]);
  });

  it("count what goes into the space and to the internet together, by both families", async () => {
    await edge.apply(withRates({}, [tunnel({})]));
    const [net = 0] = await Promise.all([
      arriving(world.inet, host, [grouped]).then(([first = 0]) => first),
      arriving(world.hosts[0], host, [toSpace, toSpace6]).then((rates) => {
        into.push(...rates);
      }),
    ]);
    const total = net + into.reduce((sum, rate) => sum + rate, 0);
    expect(Math.min(net, ...into)).toBeGreaterThan(0.5);
    expect(total).toBeLessThan(6.6);
    expect(total).toBeGreaterThan(5.2);
  });
  const into: number[] = [];

  it("hold for what comes in, and a direction of its own leaves the other alone", async () => {
    await edge.apply(withRates({ down: 8_000 }, [tunnel({ up: false })]));
    const [least = 0, rest = 0] = await asked([grouped, other]);
    expect(least).toBeGreaterThan(3.8);
    expect(least + rest).toBeLessThan(8.4);
    const [up = 0] = await arriving(world.inet, host, [grouped]);
    expect(up).toBeGreaterThan(9);
  });

  it("hold for one WAN link alone where the tunnel names it", async () => {
    const rates = { guaranteed: 64, most: 1_000 };
    // The internet is behind the first link, and so is the preferred link into the space.
    await edge.apply(withRates({}, [tunnel({ slot: 2, ...rates })]));
    const [free = 0] = await arriving(world.inet, host, [grouped]);
    expect(free).toBeGreaterThan(9);
    await edge.apply(withRates({}, [tunnel({ slot: 1, ...rates })]));
    const [held = 0] = await arriving(world.inet, host, [grouped]);
    const [inSpace = 0] = await arriving(world.hosts[0], host, [toSpace]);
    expect(Math.max(held, inSpace)).toBeLessThan(1.1);
    expect(Math.min(held, inSpace)).toBeGreaterThan(0.8);
  });

  it("are about one application where the policy names it, and an edit of it moves running flows", async () => {
    const service = { protocol: "udp", sourcePort: null, target: null } as const;
    const state = withRates({}, [tunnel({ guaranteed: 64, most: 1_000 })]);
    const about = (port: string): DesiredState => ({
      ...state,
      policy: {
        sets: [],
        limits: [],
        ...state.policy,
        applications: [{ id: 6, services: [{ ...service, port }] }],
        bandwidths: [{ id: 3, tunnel: 5, hosts: 8, app: 6, time: null }],
      },
    });
    const twice = [grouped, { ...grouped, port: 7_005 }] as const;
    await edge.apply(about("7000-7002"));
    const [held = 0, free = 0] = await arriving(world.inet, host, twice);
    expect(held).toBeLessThan(1.1);
    expect(free).toBeGreaterThan(9);
    const [back = 0, others = 0] = await asked(twice);
    expect(back).toBeLessThan(1.1);
    expect(others).toBeGreaterThan(9);
    // The flow is there already, with the ports that it had.
    await edge.apply(about("7005"));
    const [after = 0, moved = 0] = await arriving(world.inet, host, twice);
    expect(after).toBeGreaterThan(9);
    expect(moved).toBeLessThan(1.1);
  });

  it("of a WAN link hold for tunnels too, and neither its load nor a small rate cuts the device off", async () => {
    const before = await links();
    expect(before.up).toEqual([21, 22]);
    await edge.apply(withRates({ lines: [{ slot: 1, up: 3_000 }] }));
    const [into3 = 0, net = 0] = await Promise.all([
      arriving(world.hosts[0], host, [toSpace]).then(([first = 0]) => first),
      arriving(world.inet, host, [other]).then(([first = 0]) => first),
    ]);
    expect(into3 + net).toBeLessThan(3.2);
    expect(await links()).toEqual(before);
    await edge.apply(withRates({ up: 64, down: 64 }));
    const [tiny = 0] = await arriving(world.inet, host, [other]);
    expect(tiny).toBeLessThan(0.08);
    expect(await links()).toEqual(before);
  });

  it("are set again when someone took them away, and leave no trace", async () => {
    await edge.apply(plain);
    const before = await leftovers();
    const state = withRates({ up: 8_000, lines: [{ slot: 1, up: 5_000 }] }, [tunnel({})]);
    await edge.apply(state);
    for (const harm of [
      ["tc", "class", "delete", "dev", "wup", "classid", "1:101"],
      ["tc", "qdisc", "del", "dev", "wan1", "root"],
      ["tc", "qdisc", "del", "dev", "wl21", "clsact"],
      ["ip", "link", "set", "wup", "down"],
      ["ip", "link", "del", "wdn"],
    ] as const) {
      await cpe.run(harm);
      expect([harm, await edge.plan(state)]).not.toEqual([harm, []]);
      await edge.apply(state);
      expect(await edge.plan(state)).toEqual([]);
    }
    const [most = 0] = await arriving(world.inet, host, [grouped]);
    expect(most).toBeLessThan(5.3);
    await edge.apply(plain);
    expect(await leftovers()).toBe(before);
  });
});
