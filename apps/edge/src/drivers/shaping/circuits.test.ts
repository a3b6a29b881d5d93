/** Circuits on real packets: their rates from both ends, over all lines, at a POP, and their end by the device's clock. */
import type { CircuitState, ShapingSection } from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { counter, flood, type Load } from "../../../test/netns/load.ts";
import { cutPower } from "../../../test/netns/power.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type Site,
  type World,
} from "../../../test/netns/world.ts";

const [one, two] = makeSites();
const three: Site = {
  number: 3,
  spaceId: 1,
  lan: "10.3.3.1/24",
  lan6: "fd57:1:3::1/64",
  key: newKey(),
};
const sites = [one, two, three] as const;
const popKey = newKey();
const slots: Readonly<Record<number, readonly number[]>> = { 1: [1], 2: [1, 2], 3: [1] };
const slotsOf = ({ number }: Site): readonly number[] => slots[number] ?? [];
const networksOf = ({ lan, lan6 }: Site): string[] => [lan, lan6].map(networkOf);
const networks = sites.flatMap(networksOf);
const plainOf = (site: Site): DesiredState => ({
  ...cpeState(site, popKey, slotsOf(site)),
  spaces: [{ spaceId: 1, netns: null, networks }],
});
const plainPop: DesiredState = {
  ...popState(
    sites.map((site) => ({ site, slots: slotsOf(site) })),
    popKey,
  ),
  spaces: [{ spaceId: 1, netns: "weft-s1", networks }],
};

const linksOf = (state: DesiredState): number[] =>
  state.tunnels.flatMap(({ links }) => links.map(({ id }) => id));
const shaped = (
  state: DesiredState,
  circuit: Partial<CircuitState>,
  rates: Partial<ShapingSection> = {},
): DesiredState => ({
  ...state,
  shaping: {
    up: null,
    down: null,
    lines: [],
    ...rates,
    circuits: [
      {
        id: 8,
        guaranteed: null,
        most: 1_000,
        until: null,
        links: linksOf(state),
        networks: null,
        ...circuit,
      },
    ],
  },
});
/** The two ends of a circuit between the first and the second site. */
const ends = (given: Partial<CircuitState>, rates: Partial<ShapingSection> = {}) => ({
  first: shaped(plainOf(one), { networks: networksOf(two), ...given }, rates),
  second: shaped(plainOf(two), { networks: networksOf(one), ...given }),
});

let world: World;
let first: NetnsEdge;
let second: NetnsEdge;
let pop: NetnsEdge;

const hostAt = ({ number }: Site): NetnsMachine => world.hosts[number - 1] as NetnsMachine;
const load = (from: Site, to: Site, port: number, family: 4 | 6 = 4): Load => {
  const of = (site: Site): string =>
    family === 4 ? site.lan.replace("1/24", "100") : site.lan6.replace("1/64", "100");
  return { from: of(from), to: of(to), port };
};
/** Mbit/s that arrive at a site of loads from another, while others are sent. */
const between = async (
  from: Site,
  to: Site,
  loads: readonly [Load, ...Load[]],
  others: () => readonly Promise<unknown>[] = () => [],
): Promise<number> => {
  const { rates } = await counter(hostAt(to), loads);
  await Promise.all([...loads.map((one) => flood(hostAt(from), one)), ...others()]);
  return (await rates).reduce((sum, rate) => sum + rate, 0);
};
const within = (rate: number, mbits: number): void => {
  expect(rate).toBeGreaterThan(0.95 * mbits);
  expect(rate).toBeLessThan(1.05 * mbits);
};
/** More than the circuits of 1 Mbit/s have. */
const isFree = (rate: number): void => expect(rate).toBeGreaterThan(1.5);

const whole = (from: Site, to: Site): Promise<void> =>
  waitUntil(
    `sites ${from.number} and ${to.number}`,
    async () => {
      const [four, six] = [load(from, to, 0), load(from, to, 0, 6)];
      return (await pings(hostAt(from), four.to)) && pings(hostAt(from), six.to);
    },
    60_000,
    200,
  );
const inNamespaces = (machine: NetnsMachine, ...argv: string[]): Promise<string> =>
  machine.run([
    "sh",
    "-c",
    `for one in "" $(ls /run/netns 2>/dev/null); do
    [ -z "$one" ] && ${argv.join(" ")} || { [ -z "$one" ] || ip netns exec $one ${argv.join(" ")}; }
  done`,
  ]);
/** Everything of queues and rules that a state could leave behind. */
const leftovers = async (machine: NetnsMachine): Promise<string> => {
  const found = [
    await inNamespaces(machine, "tc", "qdisc", "show"),
    await inNamespaces(machine, "ip", "-br", "link"),
    await inNamespaces(machine, "nft", "-s", "list", "table", "inet", "weft"),
  ];
  return found.join("\n").replaceAll(/qdisc noqueue 0: dev (wl\d+|tun\d+) .*\n/g, "");
};

beforeAll(async () => {
  world = await createWorld([one, two, three]);
  pop = await world.pop.edge(popKey);
  await pop.apply(plainPop);
  await (await world.cpes[2].edge(three.key)).apply(plainOf(three));
  second = await world.cpes[1].edge(two.key);
  await second.apply(plainOf(two));
  first = await world.cpes[0].edge(one.key);
  await first.apply(plainOf(one));
  await whole(one, two);
  await whole(one, three);
}, 120_000);
afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a circuit", { timeout: 240_000 }, () => {
  it.each([0.5, 1])(
    "of %s Mbit/s has its rate from both ends and in both families",
    async (mbits) => {
      const states = ends({ most: mbits * 1_000 });
      await first.apply(states.first);
      await second.apply(states.second);
      const there = [load(one, two, 7_001), load(one, two, 7_002, 6)] as const;
      // The internet and a third site are flooded as well.
      const beside = () => [
        flood(hostAt(one), { ...load(one, two, 7_003), to: "192.0.2.1" }),
        flood(hostAt(one), load(one, three, 7_004)),
      ];
      within(await between(one, two, [...there], beside), mbits);
      within(await between(two, one, [load(two, one, 7_005), load(two, one, 7_006, 6)]), mbits);
      expect(await first.plan(states.first)).toEqual([]);
      expect(await second.plan(states.second)).toEqual([]);
    },
  );

  it("leaves a third site alone", async () => {
    const states = ends({ most: 1_000 });
    await first.apply(states.first);
    isFree(await between(one, three, [load(one, three, 7_011)]));
    isFree(await between(three, one, [load(three, one, 7_012)]));
  });

  it("has its guaranteed rate while the node is flooded", async () => {
    const states = ends({ guaranteed: 1_000, most: 3_000 }, { up: 2_000 });
    await first.apply(states.first);
    const others = () => [flood(hostAt(one), { ...load(one, two, 7_021), to: "192.0.2.1" })];
    const rate = await between(one, two, [load(one, two, 7_022)], others);
    expect(rate).toBeGreaterThan(0.95);
    expect(rate).toBeLessThan(1.8);
  });

  it("has bandwidth tunnels in it", async () => {
    const { first: state } = ends({ most: 2_000 });
    const given: DesiredState = {
      ...state,
      policy: {
        sets: [{ id: 4, members: networksOf(one) }],
        limits: [],
        tunnels: [{ id: 5, guaranteed: 64, most: 500, up: true, down: false, slot: null }],
        bandwidths: [{ id: 3, tunnel: 5, hosts: 4, app: null, time: null }],
      },
    };
    await first.apply(given);
    within(await between(one, two, [load(one, two, 7_031)]), 0.5);
    expect(await first.plan(given)).toEqual([]);
    await first.apply(state);
    within(await between(one, two, [load(one, two, 7_032)]), 2);
    expect(await first.plan(state)).toEqual([]);
  });

  it("that ends at a POP has its rate there and back, whatever is behind the POP", async () => {
    await first.apply(shaped(plainOf(one), { most: 1_000, networks: null }));
    await second.apply(plainOf(two));
    const state = shaped(plainPop, { most: 1_000, networks: networksOf(one), links: [11] });
    await pop.apply(state);
    expect(await pop.plan(state)).toEqual([]);
    within(await between(one, two, [load(one, two, 7_041)]), 1);
    within(await between(one, three, [load(one, three, 7_042)]), 1);
    within(await between(two, one, [load(two, one, 7_043), load(two, one, 7_044, 6)]), 1);
    isFree(await between(two, three, [load(two, three, 7_045)]));
    // A class of the space is taken away by hand.
    await world.pop.run(["tc", "class", "delete", "dev", "wup", "classid", "1:1001"], {
      netns: "weft-s1",
    });
    expect(await pop.plan(state)).not.toEqual([]);
    await pop.apply(state);
    within(await between(two, one, [load(two, one, 7_046)]), 1);
  });

  it("ends by the device's own clock, at a site and at a POP", async () => {
    const until = Date.now() + 30_000;
    await first.apply(shaped(plainOf(one), { most: 1_000, networks: null, until }));
    const state = shaped(plainPop, { most: 1_000, networks: networksOf(one), links: [11], until });
    await pop.apply(state);
    within(await between(two, one, [load(two, one, 7_051)]), 1);
    // The devices are given nothing from here on.
    const noClass = async () => {
      const all = [
        world.cpes[0].run(["ip", "-br", "link", "show"]),
        world.pop.run(["ip", "-br", "link", "show"], { netns: "weft-s1" }),
      ];
      return (await Promise.all(all)).every((text) => !text.includes("wup"));
    };
    await waitUntil("the end of the circuit", noClass, 120_000, 500);
    isFree(await between(two, one, [load(two, one, 7_052)]));
    isFree(await between(one, three, [load(one, three, 7_053)]));
    expect(await pop.plan(state)).toEqual([]);
  });

  it("leaves no trace", async () => {
    await first.apply(plainOf(one));
    await pop.apply(plainPop);
    const machines = [world.cpes[0], world.pop];
    const before = await Promise.all(machines.map(leftovers));
    await first.apply(ends({ until: Date.now() + 3_600_000 }).first);
    await pop.apply(shaped(plainPop, { networks: networksOf(one), links: [11] }));
    for (const [at, text] of (await Promise.all(machines.map(leftovers))).entries())
      expect(text).not.toBe(before[at]);
    await first.apply(plainOf(one));
    await pop.apply(plainPop);
    expect(await Promise.all(machines.map(leftovers))).toEqual(before);
  });

  it("acts after a power cut, before any contact, and is rolled back when nothing confirms it", async () => {
    const { first: state } = ends({ most: 1_000 });
    const boot = async (): Promise<void> => {
      first = await world.cpes[0].edge(one.key);
      await first.boot(plainOf(one));
    };
    await boot();
    await first.deliver(state);
    await cutPower(world.cpes[0]);
    await boot();
    await whole(one, two);
    within(await between(one, two, [load(one, two, 7_061)]), 1);
    await first.deliver(plainOf(one));
    const before = await leftovers(world.cpes[0]);
    await first.ask("deliver", state);
    within(await between(one, two, [load(one, two, 7_062)]), 1);
    await first.ask("miss");
    expect(await leftovers(world.cpes[0])).toBe(before);
    isFree(await between(one, two, [load(one, two, 7_063)]));
  });
});
